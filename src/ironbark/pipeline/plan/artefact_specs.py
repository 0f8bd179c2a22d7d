"""Specs, input files and captions of the jobs that make tables, figures and the comparison of a study."""

from ironbark.errors import InputError
from ironbark.pipeline.job_specs import text
from ironbark.pipeline.plan import dataset_specs
from ironbark.pipeline.plan.config import additions
from ironbark.pipeline.plan.fit_specs import asked_fits
from ironbark.pipeline.plan.keys import code_of_job
from ironbark.pipeline.plan.study import artefacts, inputs
from ironbark.pipeline.plan.study.study import Study
from ironbark.pipeline.published import PAPERS


def all_of(plan, study: Study, category: str) -> str:
    """Spec of the job that makes all tables ("table") or all figures ("figure") of a study."""
    return text({name: spec(plan, study, category, name) for name in study.shown(category)})


def spec(plan, study: Study, category: str, name: str) -> dict:
    """What is made of one table or figure."""
    entry = study.shown(category)[name]
    kind = inputs.KINDS[category][entry["kind"]]
    result = {"facts": inputs.facts(plan.config, kind, study, entry), "code": inputs.code(category, kind)}
    if not kind.of_results:
        return result | {category: entry, "names": {}, "note": ""}
    result |= {category: study.selection(category, name), "note": note(plan.config, study)}
    if category == "table":
        result |= asked_fits(plan, study)
    names = artefacts.as_published(_names(plan.config, study), entry)
    return result | {"names": artefacts.told_apart(names, result[category], kind)}


def files(plan, study: Study, category: str, name: str) -> dict:
    """Files that a table or figure is made from, by their names in its job."""
    entry = study.shown(category)[name]
    return inputs.files(plan.config, inputs.KINDS[category][entry["kind"]], study, entry)


def files_of_all(plan, study: Study, category: str) -> dict:
    """Files of the job of `all_of`, as ID/NAME."""
    result = {name: files(plan, study, category, name) for name in study.shown(category)}
    return {f"{name}/{key}": paths for name, own in result.items() for key, paths in own.items()}


def captions(plan, study: Study, category: str) -> dict:
    """Id of each table or figure -> its caption in the report."""
    result, common = {}, note(plan.config, study)
    for name, entry in study.shown(category).items():
        of_results = inputs.KINDS[category][entry["kind"]].of_results
        result[name] = f"{entry.get('caption', name)} {common if of_results else ''}".strip()
    return result


def compare(plan, study: Study) -> str:
    """Spec of the comparison with published values."""
    return text(
        {
            "compare": study.compare,
            "datasets": study.datasets,
            "capped_fits": study.capped_fits,
            "deviations": {name: dataset_specs.entry_of(plan, name).get("deviations", []) for name in study.datasets},
            "note": note(plan.config, study),
            "added_noises": additions.asked(plan.config)["noises"],
            "code": code_of_job("compare"),
        }
    )


def published(study: Study) -> str:
    """File of the published values that a study is compared with."""
    if not study.compare:
        raise InputError(f"{study} is not compared with published values; add the key 'compare' to it")
    return PAPERS[study.compare["published"]].values["cells"].path


def note(config: dict, study: Study) -> str:
    """What each caption of a study ends with."""
    scale = f"Study {study.entry_id}, scale {study.scale}" + (f": {study.caps}." if study.caps else ".")
    absent = f"{study.absent}." if study.absent else ""
    return " ".join(filter(None, [scale, absent, additions.words(study, config)]))


def _names(config, study):
    """Display names."""
    noises = sorted({noise_id for ids, _ in study.cells.values() for noise_id in ids})
    return {
        "labels": {name: method["label"] for name, method in study.methods.items()},
        "noise_labels": {name: config["noises"][name].get("label", name) for name in noises},
        "dataset_labels": study.dataset_labels,
    }


def paths(study: Study) -> list[str]:
    """Everything that a study makes: its rows, the folders of its tables and figures, the comparison."""
    names = ["rows.parquet", *(f"{category}s" for category in inputs.KINDS if study.shown(category))]
    names += [f"comparison{suffix}" for suffix in (".csv", ".md")] if study.compare else []
    return [f"{study.folder}/{name}" for name in names]
