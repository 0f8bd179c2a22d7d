"""Requests over HTTP: user agent, timeouts and refused responses."""

import functools
import importlib.metadata
import urllib.request

import ironbark
from ironbark.pipeline.data.io import addresses

TIMEOUT = 60  # seconds without a byte
LOOPBACK = ("localhost", "127.0.0.1", "::1")

#: Beginnings of web pages, and of the error messages of object stores; no format of a data set begins like these.
_PAGES = (b"<!doctype", b"<html", b"<head", b"<body", b"<?xml", b"<!--")
_BLANK = b"\xef\xbb\xbf \t\r\n"


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


def ask(url, **headers):
    """Send a request; the response is open for reading.

    Parameters
    ----------
    url : str
    **headers : str
        Further headers, with underscores for hyphens.

    Raises
    ------
    Refused
        If the server redirects from https to http.
    OSError
        For faults of the network; HTTPError for answers of 400 and above.
    """
    request = urllib.request.Request(url, headers={"User-Agent": agent(), "Accept-Encoding": "identity"})
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
    """Whether the first bytes of a file are those of a web page."""
    return start.lstrip(_BLANK).lower().startswith(_PAGES)
