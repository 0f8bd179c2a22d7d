"""Workflow Run RO-Crate of a finished study: JSON-LD that archives and workflow registries read."""

import json
import mimetypes
from pathlib import Path
from urllib.parse import quote

from ironbark.files import sha256, write_text

CRATE = "ro-crate-metadata.json"
WORKFLOW = "Snakefile"
_ROCRATE = "https://w3id.org/ro/crate/1.1"
_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_SNAKEMAKE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    _WORKFLOW_CRATE: ("Workflow RO-Crate", "1.0"),
}
RECORDS = {
    "study.json": "The study as it was when it ran: methods, data sets, noises and protocol",
    "provenance.json": "Versions, seeds, digests of the data, commit and machine",
}
FOLDERS = {"labels": "Split and noisy labels of every repeat", "fits": "Output of each job of fits"}
_FORMATS = {".parquet": "application/vnd.apache.parquet", ".md": "text/markdown"}


def describe(folder, sheet, citation, outputs, settings):
    """Content of ``ro-crate-metadata.json``.

    Parameters
    ----------
    folder : Path
        Folder of the study, with its ``study.json``, ``provenance.json`` and Snakefile.
    sheet : dict
        Of `ironbark.pipeline.site.provenance.sheet`.
    citation : dict
        Content of CITATION.cff.
    outputs : list of str
        Files that the study made, relative to `folder`.
    settings : dict
        Setting of the run -> value.
    """
    recorded = json.loads(Path(folder, "study.json").read_text(encoding="utf-8"))
    about = recorded["study"]
    said = RECORDS | {f"tables/{table['id']}": table["caption"] for table in about["tables"]}
    said |= {f"figures/{figure['id']}": figure["caption"] for figure in about["figures"]}
    results = [_file(folder, name, said) for name in outputs]
    records = [_file(folder, name, said) for name in RECORDS]
    folders = [
        {"@id": f"{name}/", "@type": "Dataset", "name": name, "description": text}
        for name, text in FOLDERS.items()
        if Path(folder, name).is_dir()
    ]
    chosen = [_setting(name, value) for name, value in settings.items()]
    data = [_dataset(name, entry, sheet["datasets"].get(name)) for name, entry in recorded["datasets"].items()]
    authors = [_author(number, author) for number, author in enumerate(citation["authors"])]
    licence = {"@id": f"https://spdx.org/licenses/{citation['license']}", "@type": "CreativeWork"}
    licence |= {"name": citation["license"], "description": "Licence of ironbark and of this folder."}
    software = _software(sheet)
    workflow = _workflow(folder, sheet, licence, authors, software)
    action = _action(about, sheet) | {
        "object": _ids([records[0], *chosen, *data]),
        "result": _ids([*results, *folders]),
    }
    root = {
        "@id": "./",
        "@type": "Dataset",
        "conformsTo": [{"@id": url} for url in PROFILES],
        "name": f"{about['title']} ({about['id']}, scale {about['scale']})",
        "description": " ".join(filter(None, [about["description"] or about["title"], about["caps"], about["absent"]])),
        "datePublished": sheet["written"],
        "license": {"@id": licence["@id"]},
        "author": _ids(authors),
        "mainEntity": {"@id": WORKFLOW},
        "mentions": _ids([action]),
        "hasPart": _ids([workflow, *records, *results, *folders]),
    }
    conforms = [{"@id": _ROCRATE}, {"@id": _WORKFLOW_CRATE}]
    descriptor = {"@id": CRATE, "@type": "CreativeWork", "about": {"@id": "./"}, "conformsTo": conforms}
    profiles = [
        {"@id": url, "@type": "CreativeWork", "name": name, "version": version}
        for url, (name, version) in PROFILES.items()
    ]
    graph = [descriptor, root, workflow, action, *records, *results, *folders, *chosen, *data, *authors, licence]
    return {
        "@context": [f"{_ROCRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"],
        "@graph": [*graph, *software, _language(sheet), *profiles],
    }


def write(folder, sheet, citation, outputs, settings):
    """Write ``ro-crate-metadata.json`` to the folder of a study; see `describe`."""
    content = describe(Path(folder), sheet, citation, outputs, settings)
    write_text(Path(folder, CRATE), json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def _ids(entities):
    """References to entities; a single one without a list, as RO-Crate recommends."""
    found = [{"@id": entity["@id"]} for entity in entities]
    return found[0] if len(found) == 1 else found


def _file(folder, name, said):
    path = Path(folder, name)
    kind = _FORMATS.get(path.suffix) or mimetypes.types_map.get(path.suffix, "application/octet-stream")
    about = {"@id": quote(name), "@type": "File", "name": name, "encodingFormat": kind}
    about |= {"contentSize": str(path.stat().st_size), "sha256": sha256(path)}
    text = said.get(name) or said.get(name.removesuffix(path.suffix))
    return about | ({"description": text} if text else {})


def _workflow(folder, sheet, licence, authors, software):
    commit = f", commit {sheet['git']['commit']}" if sheet["git"] else ""
    changed = " with changed files" if sheet["git"] and sheet["git"]["changed"] else ""
    text = f"Snakefile of ironbark {sheet['ironbark']}{commit}{changed}, which has the rules and code that it includes."
    return _file(folder, WORKFLOW, {WORKFLOW: text}) | {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
        "name": "ironbark",
        "encodingFormat": "text/plain",
        "version": sheet["ironbark"],
        "programmingLanguage": {"@id": _SNAKEMAKE},
        "license": {"@id": licence["@id"]},
        "creator": _ids(authors),
        "softwareRequirements": _ids(software),
    }


def _language(sheet):
    url = "https://snakemake.github.io"
    about = {"@id": _SNAKEMAKE, "@type": "ComputerLanguage", "name": "Snakemake", "url": {"@id": url}}
    return about | {"identifier": {"@id": url}, "version": sheet["packages"].get("snakemake", "unknown")}


def _software(sheet):
    versions = {"python": sheet["python"], **sheet["packages"]}
    return [
        {"@id": f"#software-{name}", "@type": "SoftwareApplication", "name": name, "softwareVersion": version}
        for name, version in versions.items()
    ]


def _author(number, author):
    names = [author[key] for key in ("given-names", "family-names") if key in author]
    kind = "Person" if names else "Organization"
    return {"@id": f"#author-{number + 1}", "@type": kind, "name": " ".join(names) or author["name"]}


def _setting(name, value):
    value = value if isinstance(value, (str, int, float)) else json.dumps(value)
    return {"@id": f"#setting-{name}", "@type": "PropertyValue", "name": name, "value": value}


def _dataset(name, entry, prepared):
    about = {"@id": f"#dataset-{quote(name)}", "@type": "Dataset", "name": entry["title"]}
    about |= {"license": entry.get("licence", "unknown")}
    if "cite" in entry:
        about["citation"] = entry["cite"]
    if prepared is None:
        return about | {"description": f"Source: {entry['source']}."}
    facts = {key: value for key, value in prepared["source"].items() if isinstance(value, (str, int))}
    url = str(facts.get("url", ""))
    told = ", ".join(f"{key} {value}" for key, value in facts.items())
    size = f"{prepared['n']} samples, {prepared['d']} features, {prepared['k']} classes"
    about |= {"description": f"{size}; {told}", "identifier": f"sha256:{prepared['digest']}"}
    return about | ({"url": url} if url.startswith("http") else {})


def _action(about, sheet):
    ours = [each for each in sheet["studies"] if (each["study"], each["scale"]) == (about["id"], about["scale"])]
    machine = sheet["machine"]
    where = f"{machine['system']}, {machine['processor']}, {machine['cores']} cores, {machine['memory_gb']} GB"
    return {
        "@id": "#run",
        "@type": "CreateAction",
        "name": f"Run of the study {about['id']} at scale {about['scale']}",
        "description": f"snakemake {about['id']} --config scale={about['scale']}, finished on {where}",
        "instrument": {"@id": WORKFLOW},
        "endTime": (ours and ours[0]["finished"]) or sheet["written"],
        "actionStatus": "http://schema.org/CompletedActionStatus",
    }
