"""A small HTTP server on loopback that stands for the sites of the data sets, and misbehaves on request.

It knows ranges (with If-Range), ETags, and the calls of the package openml: a data set's XML and ARFF file.
"""

import dataclasses
import hashlib
import http.server
import re
import threading
from pathlib import Path

BODY = bytes(range(256)) * 40  #: a file of the tests
SUM = hashlib.sha256(BODY).hexdigest()

DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>{number}</oml:id><oml:name>toy</oml:name><oml:version>1</oml:version><oml:description>A toy.</oml:description>
<oml:format>ARFF</oml:format><oml:upload_date>2015-10-21T07:28:00</oml:upload_date><oml:licence>Public</oml:licence>
<oml:url>{address}/data/v1/download/{number}/toy.arff</oml:url><oml:file_id>{number}</oml:file_id>
<oml:default_target_attribute>class</oml:default_target_attribute>{ignored}
<oml:visibility>public</oml:visibility><oml:status>active</oml:status><oml:md5_checksum>{md5}</oml:md5_checksum>
</oml:data_set_description>"""

ERROR = """<oml:error xmlns:oml="http://openml.org/openml">
<oml:code>111</oml:code><oml:message>Unknown dataset</oml:message></oml:error>"""


def left(folder="."):
    """Files that a download has left, with their paths."""
    return sorted(str(path) for path in Path(folder).rglob("*") if path.is_file())


@dataclasses.dataclass
class Answer:
    """One answer in place of the file: a status and a body, or the file cut off after some bytes, at `until`."""

    status: int = 200
    body: bytes = b""
    headers: dict = dataclasses.field(default_factory=dict)
    cut: int | None = None
    until: threading.Event | None = None
    chunked: bool = False


@dataclasses.dataclass
class File:
    """A file of the server. `instead` are answers for the next requests, one each; the last of `always` stays."""

    body: bytes
    instead: list = dataclasses.field(default_factory=list)
    always: Answer | None = None
    ranges: bool = True
    tag: bool = True


class Site(http.server.ThreadingHTTPServer):
    """The server; `files` maps paths to what is there, `asked` lists (method, path, Range) of all requests."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files, self.asked, self.allowed = {}, [], []

    @property
    def address(self):
        """Without a slash at the end."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, path, body, *instead, **options):
        """Offer a file; gives its address."""
        self.files[path] = File(body, list(instead), **options)
        return f"{self.address}/{path}"

    def times(self, path):
        """How often a file was asked for."""
        return sum(asked[1] == path for asked in self.asked)

    def put_openml(self, number, arff, ignored=(), md5=None):
        """Offer a data set as openml.org does."""
        text = DESCRIPTION.format(
            number=number,
            address=self.address,
            ignored="".join(f"<oml:ignore_attribute>{name}</oml:ignore_attribute>" for name in ignored),
            md5=md5 or hashlib.md5(arff).hexdigest(),
        )
        self.put(f"api/v1/xml/data/{number}", text.encode())
        self.put(f"data/v1/download/{number}/toy.arff", arff)

    def __enter__(self):
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *args):
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.split("?")[0].lstrip("/")
        self.server.asked.append((self.command, path, self.headers.get("Range")))
        self.server.allowed.append(self.headers.get("Authorization"))
        file = self.server.files.get(path)
        if file is None:
            openml = path.startswith("api/")
            return self._send(Answer(412 if openml else 404, ERROR.encode() if openml else b"not here"), {})
        answer = file.instead.pop(0) if file.instead else file.always
        if answer is not None and answer.cut is None and not answer.chunked:
            return self._send(answer, {})
        return self._send_file(file, answer or Answer())

    def _send_file(self, file, answer):
        tag, headers = f'"{hashlib.md5(file.body).hexdigest()}"', {}
        headers |= {"ETag": tag} if file.tag else {}
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        same = self.headers.get("If-Range") in (None, tag)
        if not (asked and same and file.ranges):
            return self._send(dataclasses.replace(answer, status=200, body=file.body), headers)
        first, n = int(asked[1]), len(file.body)
        headers["Content-Range"] = f"bytes {first}-{n - 1}/{n}"
        return self._send(dataclasses.replace(answer, status=206, body=file.body[first:]), headers)

    def _send(self, answer, headers):
        if answer.chunked:
            headers |= {"Content-Length": None, "Transfer-Encoding": "chunked"}
        self.send_response(answer.status)
        for name, value in {"Content-Length": str(len(answer.body)), **headers, **answer.headers}.items():
            if value is not None:
                self.send_header(name, value)
        self.close_connection |= answer.headers.get("Content-Length", "") is None
        self.end_headers()
        self.wfile.write(_chunks(answer) if answer.chunked else answer.body[: answer.cut])
        if answer.until is not None:
            self.wfile.flush()
            answer.until.wait(60)
        if answer.cut is not None:
            self.close_connection = True

    def log_message(self, *args):
        """Be silent."""


def _chunks(answer):
    """The body up to the cut in chunks, with the end mark if it is whole."""
    body = answer.body[: answer.cut]
    pieces = [body[i : i + 1000] for i in range(0, len(body), 1000)]
    coded = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces)
    return coded + b"0\r\n\r\n" * (answer.cut is None)
