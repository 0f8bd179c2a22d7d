# The last lines of a run, and whether it ends with an error although everything is built.
import time

STARTED = time.time()


def studies_built():
    """Those whose result rows are among the files of this run: none with `--until fetch`, whatever earlier runs left."""
    files = {path for job in workflow.dag.jobs for path in map(str, job.output)}
    return [
        study
        for study in dict.fromkeys([*PLAN.config["studies"], *ASKED_FOR])
        if f"results/{study}/{SCALE}/rows.parquet" in files
    ]


def where_to_look():
    from ironbark.pipeline.jobs import summary  # late: it loads pandas

    studies = [] if PLAN.checked else studies_built()
    return summary.lines("results", studies, SCALE) + list(REMARKS)


def end_with_verdict(since=0.0):
    """Ends a run with an error if a method has no result at all, which may be why the rest was not built."""
    from ironbark.pipeline.jobs import summary

    studies = [study for study in studies_built() if study in ASKED_FOR]
    verdict = summary.verdict("results", studies, SCALE, since)
    if verdict:
        sys.exit(f"ironbark: {verdict}")
