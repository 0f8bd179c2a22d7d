"""A check of the catalogue's addresses: whether each gives data."""

import concurrent.futures
from datetime import date
from pathlib import Path

import urllib3

from ironbark.files import write_text
from ironbark.pipeline.data.addresses import host
from ironbark.pipeline.data.download import Refused, ask, is_page
from ironbark.pipeline.log import redacted

BAD = 400  # the lowest status that means a refusal
ASKED = 512  # bytes that are asked for, as a web page may begin with blanks
HEADS = ("Address", "Data sets", "Status", "Bytes", "Remark")


def run(spec: dict, out: Path) -> str:
    """Ask every address for its first bytes, one request a host at a time, and write the table."""
    hosts = {}
    for url in spec["files"]:
        hosts.setdefault(host(url), []).append(url)
    with concurrent.futures.ThreadPoolExecutor(max(1, len(hosts))) as pool:
        rows = [row for part in pool.map(lambda urls: [*map(_row, urls)], hosts.values()) for row in part]
    rows = [row | {"Data sets": ", ".join(spec["files"][url])} for url, row in rows]
    rows.sort(key=lambda row: (not row["Remark"], row["Address"]))  # those with a remark first
    faults = sum(bool(row["Remark"]) for row in rows)
    lines = [f"Addresses of the data sets, asked on {date.today()}: {len(rows)}, of which {faults} have a remark.", ""]
    for cells in (HEADS, ["---"] * len(HEADS), *([row.get(head, "") for head in HEADS] for row in rows)):
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    write_text(out, "\n".join(lines) + "\n")
    return f"{out}: {len(rows)} addresses, {faults} with a remark"


def _row(url):
    """An address, and what its first bytes say of it."""
    row = {"Address": redacted(url), "Remark": ""}
    try:
        with ask(url, Range=f"bytes=0-{ASKED - 1}") as response:
            start, headers = response.raw.read(ASKED), response.headers
            row["Status"] = response.status_code
            if response.status_code >= BAD:
                row["Remark"] = response.reason
            else:
                row["Bytes"] = headers.get("Content-Range", "").rpartition("/")[2] or headers.get("Content-Length", "")
                row["Remark"] = "a web page" if is_page(start) else "" if start else "empty"
    except (Refused, OSError, urllib3.exceptions.HTTPError, ValueError) as error:
        row["Remark"] = redacted(" ".join(f"{type(error).__name__}: {error}".split()))[:200]
    return url, row
