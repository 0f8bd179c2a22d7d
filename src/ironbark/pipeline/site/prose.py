"""Docstrings as HTML: paragraphs, indented formulas, code in backquotes."""

import re
import textwrap

from markupsafe import Markup, escape

_NUMBERED = re.compile(r"^\.\. \[\d+\] +", re.MULTILINE)  # one of several references
_CODE = re.compile(r"``(.+?)``|`(.+?)`", re.DOTALL)


def html(text):
    """Paragraphs of a docstring; indented ones, formulas as a rule, keep their lines."""
    text = _NUMBERED.sub("\n\n", text.strip("\n"))
    blocks = [block for block in re.split(r"\n\s*\n", text.strip("\n")) if block.strip()]
    return Markup("\n").join(_block(block) for block in blocks)


def _block(block):
    if all(line.startswith("    ") for line in block.splitlines()):
        return Markup('<pre class="formula" tabindex="0">{}</pre>').format(textwrap.dedent(block).strip("\n"))
    text = " ".join(block.split())
    text = text.removesuffix("::") + ":" * text.endswith("::")
    return Markup("<p>{}</p>").format(_inline(text))


def _inline(text):
    parts, end = [], 0
    for found in _CODE.finditer(text):
        parts += [escape(text[end : found.start()]), Markup("<code>{}</code>").format(found[1] or found[2])]
        end = found.end()
    return Markup("").join([*parts, escape(text[end:])])
