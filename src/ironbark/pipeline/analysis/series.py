"""Lines of a figure of kind series: each point is a method or a noise of its own."""

from ironbark.errors import InputError


def varied(line):
    """The key whose ids are the points of a line: the longer of its two lists, methods if they are alike."""
    return "noises" if len(line["noises"]) > len(line["methods"]) else "methods"


def check(spec, line):
    """Raise InputError unless one list of a line has an id for each x, and the other a single one."""
    sizes = {len(line["methods"]), len(line["noises"])}
    if sizes != {1, len(spec["x"])}:
        raise InputError(
            f"the series {line['label']!r} needs {len(spec['x'])} methods and one noise, or as many noises and one "
            "method: one for each x; correct its lists"
        )
