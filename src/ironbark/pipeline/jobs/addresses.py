"""A check of the catalogue's addresses: whether each gives data, and what OpenML says of its data sets."""

import concurrent.futures
from datetime import date
from pathlib import Path

import urllib3

from ironbark.files import write_text
from ironbark.pipeline.data import web
from ironbark.pipeline.data.addresses import host
from ironbark.pipeline.log import redacted

BAD = 400  # the lowest status that means a refusal
START = 16  # bytes of each file that the table shows
ASKED = 512  # bytes that are asked for, as a web page may begin with blanks
HEADS = (
    *("Address", "Data sets", "Status", "Final address", "Bytes", "First bytes"),
    *("Target", "Ignored columns", "Remark"),
)


def run(spec: dict, out: Path) -> str:
    """Ask every address for its first bytes, one request a host at a time, and write the table."""
    calls = [(url, _file, names) for url, names in spec["files"].items()]
    calls += [(url, _openml, targets) for url, targets in spec["openml"].items()]
    hosts = {}
    for call in calls:
        hosts.setdefault(host(call[0]), []).append(call)
    with concurrent.futures.ThreadPoolExecutor(max(1, len(hosts))) as pool:
        rows = [row for part in pool.map(_ask_all, hosts.values()) for row in part]
    rows.sort(key=lambda row: (not row["Remark"], row["Address"]))  # those with a remark first
    faults = sum(bool(row["Remark"]) for row in rows)
    lines = [
        f"Addresses of the data sets, asked on {date.today()}: {len(rows)}, of which {faults} have a remark.",
        "",
        *("| " + " | ".join(_cell(text) for text in line) + " |" for line in (HEADS, ["---"] * len(HEADS))),
        *("| " + " | ".join(_cell(row.get(head, "")) for head in HEADS) + " |" for row in rows),
    ]
    write_text(out, "\n".join(lines) + "\n")
    return f"{out}: {len(rows)} addresses, {faults} with a remark"


def _cell(text):
    return str(text).replace("|", "\\|")


def _ask_all(calls):
    """Rows of the addresses of one host."""
    rows = []
    for url, look, names in calls:
        row = {"Address": redacted(url), "Data sets": ", ".join(names), "Remark": ""}
        try:
            with web.ask(url, Range=f"bytes=0-{ASKED - 1}") if look is _file else web.ask(url) as response:
                final = redacted(response.url)
                row |= {"Status": response.status_code, "Final address": final if final != row["Address"] else ""}
                refused = response.status_code >= BAD
                row |= {"Remark": response.reason} if refused else look(response, names)
        except (web.Refused, OSError, urllib3.exceptions.HTTPError, ValueError, LookupError, AttributeError) as error:
            row["Remark"] = redacted(" ".join(f"{type(error).__name__}: {error}".split()))[:200]
        rows.append(row)
    return rows


def _file(response, names):
    """Facts from the first bytes of a file."""
    whole = response.headers.get("Content-Range", "").rpartition("/")[2] or response.headers.get("Content-Length", "")
    start = response.raw.read(ASKED)
    remark = "a web page" if web.is_page(start) else "" if start else "empty"
    return {"Bytes": whole, "First bytes": f"`{start[:START].hex(' ')}`" if start else "", "Remark": remark}


def _openml(response, targets):
    """Facts from OpenML's description of a data set."""
    about = response.json()["data_set_description"]
    ignored = [name for key in ("ignore_attribute", "row_id_attribute") for name in _listed(about.get(key))]
    target = about.get("default_target_attribute")
    other = sorted({name for name in targets.values() if name != target})
    remark = [f"the catalogue has the target {name}" for name in other]
    remark += [] if about.get("md5_checksum") else ["no MD5"]
    return {"Target": target or "", "Ignored columns": ", ".join(ignored), "Remark": "; ".join(remark)}


def _listed(value):
    return [] if not value else value.split(",") if isinstance(value, str) else value
