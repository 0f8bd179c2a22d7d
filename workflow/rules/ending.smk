# The last lines of a run, and whether it ends with an error although everything is built.


def where_to_look():
    from ironbark.pipeline.jobs.artefacts import summary  # late: it loads pandas

    studies = [] if PLAN.checked else PLAN.config["studies"]
    return summary.lines("results", studies, config["scale"]) + list(REMARKS)


def end_with_verdict():
    """Ends a run that built everything with an error if a method has no result at all."""
    from ironbark.pipeline.jobs.artefacts import summary

    verdict = summary.verdict("results", dict.fromkeys(ASKED_FOR), config["scale"])
    if verdict:
        sys.exit(f"ironbark: {verdict}")
