"""Predicted and measured CPU seconds of studies that have run: calibrated by all other studies, and by nothing.

Run it where `snakemake` ran, with the same settings.
"""

import argparse
from pathlib import Path

import pandas as pd
import yaml

from ironbark.pipeline.analysis.statistics.calibration import CELL, calibrate, measured
from ironbark.pipeline.jobs.estimate import finished
from ironbark.pipeline.jobs.machine import cpu_dispatch
from ironbark.pipeline.plan.config.reading import read
from ironbark.pipeline.plan.cost import forecast
from ironbark.pipeline.plan.specs import Plan


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="+")
    parser.add_argument("--results", default="results")
    parser.add_argument("--mirror")
    arguments = parser.parse_args()
    settings = yaml.safe_load(Path("config/config.yaml").read_text("utf-8")) | {"mirror": arguments.mirror}
    plan = Plan(read("config", "workflow/schemas", settings))
    entries = plan.config["datasets"].items()
    sizes = {name: forecast.size_of(name, entry, "data/prepared") for name, entry in entries}
    known = pd.DataFrame(forecast.known(plan, arguments.results, sizes), columns=forecast.COLUMNS)
    cells = measured(finished(arguments.results, known), known[[*CELL, "fits", "seconds"]])
    factor = cpu_dispatch.factor()
    heads = ["study", "data set", "fits", "measured, CPU s", "by the others, CPU s", "ratio"]
    heads += ["by the timing alone, CPU s", "ratio"]
    print("|", " | ".join(heads), "|\n|", " | ".join(["---:"] * len(heads)), "|")
    for study in arguments.studies:
        report(cells, study, factor)


def report(cells, study, factor):
    """Lines of one study and its data sets."""
    asked = cells["study"] == study
    own = cells[asked].copy()
    own["true"] = own["measured"] * own["fits"]
    own["others"] = calibrate(cells[~asked], factor).seconds(own) * own["fits"]
    own["timing"] = calibrate(cells[:0], factor).seconds(own) * own["fits"]
    sums = own.groupby("dataset", sort=False)[["fits", "true", "others", "timing"]].sum()
    sums.loc["in all"] = sums.sum()
    for name, (fits, true, others, timing) in sums.iterrows():
        numbers = f"{true:.1f} | {others:.1f} | {others / true:.2f} | {timing:.1f} | {timing / true:.2f}"
        print(f"| {study} | {name} | {fits:.0f} | {numbers} |")


if __name__ == "__main__":
    main()
