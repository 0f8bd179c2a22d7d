"""Result of the check of one published cell, as Markdown that is also readable in a terminal."""

from ironbark.pipeline import metrics
from ironbark.pipeline.published import comparison, comparison_page
from ironbark.pipeline.statistics.significance import ALPHA, p_text

YES = {True: "yes", False: "no"}


def page(result: dict):
    """The page."""
    tested = _of_ranks(result) if "ranks" in result else _of_means(result)
    parts = [f"# {result['title']}", *tested, _fits(result), _data(result["data"], result["dataset"])]
    return "\n\n".join(parts) + "\n"


def _of_means(result):
    published, ours = result["published"], result["ours"]
    lines = [
        ["Published", published["mean"], _sd(published), published["runs"]],
        ["Ours", ours["mean"], _sd(ours), ours["runs"]],
        ["Difference", f"{result['difference']:+.2f}", "", ""],
    ]
    name = metrics.resolve(result["metric"])
    table = comparison_page.pipes([f"{name.name} ({name.unit})", "Mean", "sd", "Runs"], lines)
    if result["reason"]:
        return table, f"Verdict: **{result['verdict']}** ({result['reason']})."
    return table, "\n".join(["Verdict:", "", *_criteria(result)])


def _sd(side):
    return "–" if side["spread"] is None else side["spread"]


def _criteria(result):
    margin, p, many = comparison.MARGIN, result["p"], result["cells_of_table"]
    yield (
        f"- **{result['verdict'].capitalize()}**: {p_text(p)} (Welch's t-test); a difference of "
        f"{result['needed_to_reject']:.2f} points would have been rejected."
    )
    if result["verdict"] == comparison.DIFFERS and p * many >= ALPHA:
        yield (
            f"  This cell is tested alone. Where all {many} cells of the table are compared, Holm's rule multiplies p "
            f"by up to {many}, and the cell may not be rejected."
        )
    equivalent = f"{YES[result['equivalent']]}, {p_text(result['p_equivalent'])} (two one-sided tests)"
    yield f"- **Equivalent within ±{margin:g} point**: {equivalent}."
    yield f"- **Within 2 published sd**: {YES[result['within_two_sd']]}."


def _of_ranks(result):
    ranks = [[line["method"], line["published"], line["ours"]] for line in result["ranks"]]
    table = comparison_page.pipes(["Method", "Published rank", "Our rank"], ranks)
    method, spearman = result["cell"]["method"], result["spearman"]
    agreement = "" if spearman is None else f" Rank correlation of the methods: {spearman:.2f}."
    text = f"{method}: published {result['published']:.2f}, ours {result['ours']:.2f}, "
    text += f"difference {result['difference']:+.2f}.{agreement}"
    reason = result["reason"] or "the paper publishes no spread of its ranks"
    return table, f"{text} Verdict: **{result['verdict']}** ({reason})."


def _fits(result):
    protocol, failed = result["protocol"], result["failed"]
    options = "".join(f", {key} {value}" for key, value in protocol["options"].items() if value is not None)
    text = f"Fits: {result['fits']} of study `{result['study']}` at scale {result['scale']} ({protocol['kind']}, "
    text += f"{protocol['repeats']} repeats{options})"
    text += f", {failed} of them failed and are left out" if failed else ""
    return text + (f". The protocol has {result['differs']}." if result["differs"] else ".")


def _data(data, dataset):
    text = f"Data: `{dataset}`, {data['rows']:,} rows, {data['features']:,} features. "
    differs = [
        f"{fact['fact']} {fact['ours']:g}, published {fact['printed']}"
        for fact in data["published"]
        if not fact["agrees"]
    ]
    if data["deviations"]:
        return f"{text}They are not the paper's: {' '.join([*data['deviations'], data['despite']])}".strip()
    if differs:
        return f"{text}The published sizes differ: {'; '.join(differs)}."
    if not data["published"]:
        return f"{text}The paper publishes no sizes of it."
    return f"{text}All published sizes agree, and no difference from the paper's rows is known."
