from pathlib import Path

from ironbark.analysis import kinds, published, tables
from ironbark.figures import FIGURES
from ironbark.jobs import table


def test_the_light_names_are_those_of_the_tables():
    assert set(tables.TABLES) | set(table.DATA) <= set(kinds.TABLE_KINDS)
    assert not set(tables.TABLES) & set(table.DATA)
    assert set(kinds.FIGURE_KINDS) == set(FIGURES)
    assert set(kinds.CONCEPTS) <= set(kinds.FIGURE_KINDS) | set(kinds.TABLE_KINDS)
    assert set(kinds.PUBLISHED_FILES) == set(published.PUBLISHED)


def test_every_printed_file_is_there_and_can_be_read():
    folder = Path(__file__).parents[2] / "data" / "published"
    for name, file in kinds.PUBLISHED_FILES.items():
        assert list(published.PUBLISHED[name](folder / file).columns) == published.COLUMNS
