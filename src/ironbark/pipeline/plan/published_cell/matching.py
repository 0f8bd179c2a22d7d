"""Search for the published cell that a text names."""

from ironbark.entries import suggestion
from ironbark.errors import InputError
from ironbark.pipeline.plan.published_cell.spelling import PARTS, value, words

EXAMPLE = "ane table 2, mushrooms, dt, uniform 0.4, ane"
NAMED = {"dataset": "data set"}
MOST = 12  # choices in one sentence


def find(text: str, cells, spellings):
    """The published cell that a text names."""
    asked, known = words(text), [(cell, spellings.of(cell)) for cell in cells]
    if not asked:
        raise InputError(f"--config cell names no published cell; write the words of one, such as cell='{EXAMPLE}'")
    _refuse_unknown(text, asked, known)
    found = _matching(asked, known)
    if not found:
        raise InputError(f"no published cell is {text!r}; {_without_one(asked, known)}")
    if len(found) > 1:
        raise InputError(f"{len(found)} published cells are {text!r}; {_choices(found)}")
    return found[0]


def _matching(asked, known):
    """The cells that all words fit; a word that may be paper or method, such as ane, is then the method."""
    found, with_method = [], []
    for cell, phrases in known:
        left = list(_fits(asked, phrases, PARTS))
        if left:
            found.append(cell)
        if any("method" not in parts for parts in left):
            with_method.append(cell)
    return with_method or found


def _fits(asked, phrases, parts):
    """Parts that are not named, for each way to read the words as spellings of different parts."""
    if not asked:
        yield parts
    for part in parts if asked else ():
        for phrase in phrases[part]:
            if asked[: len(phrase)] == phrase:
                yield from _fits(asked[len(phrase) :], phrases, [other for other in parts if other != part])


def _phrases(known):
    """Every spelling -> the parts that it may be."""
    found = {}
    for _, phrases in known:
        for part, members in phrases.items():
            for phrase in members:
                found.setdefault(phrase, set()).add(part)
    return found


def _refuse_unknown(text, asked, known):
    phrases = {" ".join(phrase) for phrase in _phrases(known)}
    single = {word for phrase in phrases for word in phrase.split()}
    for word in asked:
        if word not in single:
            hint = suggestion(word, sorted(phrases | single), f"write the words of one, such as '{EXAMPLE}'")
            raise InputError(f"{word!r} in {text!r} is in the name of no published cell; {hint}")


def _pieces(asked, phrases):
    """The words cut into spellings, the longest first."""
    pieces = []
    while asked:
        sizes = [size for size in range(len(asked), 0, -1) if asked[:size] in phrases]
        size = sizes[0] if sizes else 1
        pieces.append((len(pieces), asked[:size]))
        asked = asked[size:]
    return pieces


def _without_one(asked, known):
    """Hint for words that match no cell: the cells that match once one piece is left out."""
    phrases = _phrases(known)
    pieces, best = _pieces(asked, phrases), None
    for place, piece in pieces:
        rest = tuple(word for other, found in pieces if other != place for word in found)
        found = _matching(rest, known) if rest else []
        if found and (best is None or len(found) < len(best[1])):
            best = piece, found
    if best is None:
        return f"name paper, table, data set, model, noise and method as in '{EXAMPLE}'"
    piece, found = best
    part = next((name for name in PARTS if name in phrases.get(piece, ())), None)
    if len(found) == 1 or part is None:
        return f"without {' '.join(piece)!r} it is {_listed(map(str, found))}"
    return f"with {' '.join(piece)!r} left out, the {NAMED.get(part, part)} may be {_values(part, found)}"


def _choices(found):
    """Words that distinguish the cells."""
    parts = {part: _values(part, found) for part in PARTS if len({value(part, cell) for cell in found}) > 1}
    return "; ".join(f"add the {NAMED.get(part, part)}: {values}" for part, values in parts.items())


def _values(part, found):
    return _listed(dict.fromkeys(value(part, cell) or "none" for cell in found))


def _listed(names):
    names = list(names)
    return ", ".join(names[:MOST]) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")
