"""Requests over HTTP: user agent, timeouts and refused responses."""

import base64
import functools
import importlib.metadata
import re
import urllib.parse
import urllib.request

import ironbark
from ironbark.pipeline.data.io import addresses

TIMEOUT = 60  # seconds without a byte
LOOPBACK = ("localhost", "127.0.0.1", "::1")

#: Beginning of web pages and XML, such as error messages of servers; no format of a data set begins like it.
_PAGE = re.compile(rb"(\xef\xbb\xbf)?\s*<[!?a-z]", re.IGNORECASE)


class Refused(Exception):
    """An address does not give the file; the message says why."""


@functools.cache
def agent():
    """The project and its version, with its address where the installed distribution names one."""
    try:
        urls = importlib.metadata.metadata("ironbark-learn").get_all("Project-URL") or []
    except importlib.metadata.PackageNotFoundError:
        urls = []
    found = [url.partition(", ")[2] for url in urls]
    return f"ironbark-learn/{ironbark.__version__}" + (f" (+{found[0]})" if found else "")


def ask(url: str, **headers):
    """Send a request; the response is open for reading."""
    parts = urllib.parse.urlsplit(url)
    user, _, server = parts.netloc.rpartition("@")
    plain = parts._replace(netloc=server).geturl()
    request = urllib.request.Request(plain, headers={"User-Agent": agent(), "Accept-Encoding": "identity"})
    if user:  # a password for this server, not for one that it redirects to
        code = base64.b64encode(urllib.parse.unquote(user).encode()).decode()
        request.add_unredirected_header("Authorization", f"Basic {code}")
    for name, value in headers.items():
        request.add_header(name.replace("_", "-"), value)
    return _opener().open(request, timeout=TIMEOUT)


def _opener():
    return urllib.request.build_opener(_Redirects)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects, but never from https to http, as requests and so pooch would."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if req.full_url.startswith("https://") and not newurl.startswith("https://"):
            raise Refused(f"{req.full_url} redirects to {newurl}, which is not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def is_exposed(url):
    """Whether others could change a file on its way here: plain http, except from this machine itself."""
    return url.startswith("http://") and addresses.host(url) not in LOOPBACK


def is_page(start):
    """Whether the first bytes of a file are those of a web page or XML."""
    return bool(_PAGE.match(start))
