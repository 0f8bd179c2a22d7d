"""Downloads of a run: addresses of the catalogue, and the number of jobs per server."""

from ironbark.pipeline.data import addresses
from ironbark.pipeline.plan.study.study import text


def spec(plan):
    """Spec of the job that asks the addresses of all data sets."""
    files, described = {}, {}
    for dataset, entry in plan.config["datasets"].items():
        for url in dict.fromkeys(url for file in addresses.files(entry) for url in file.urls):
            files.setdefault(url, []).append(dataset)
        if entry["source"] == "openml":
            described.setdefault(addresses.description(entry), {})[dataset] = entry["target"]
    return text({"files": files, "openml": described})


def servers(plan, dataset):
    """Names of the servers that a data set is downloaded from; none where a mirror takes their place."""
    return [] if plan.mirror(dataset) else addresses.hosts(plan.config["datasets"][dataset])


def busy_servers(plan, most):
    """Names of the servers that more than `most` data sets of a run could come from."""
    found = [host for dataset in plan.config["datasets"] for host in servers(plan, dataset)]
    return sorted(host for host in set(found) if found.count(host) > most)
