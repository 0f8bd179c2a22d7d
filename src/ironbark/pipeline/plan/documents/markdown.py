"""Tables of Markdown."""


def table(heads, rows):
    """A table as text."""
    return "\n".join([_pipes(heads), _pipes(["---"] * len(heads)), *map(_pipes, rows)])


def _pipes(cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"
