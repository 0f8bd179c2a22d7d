from pathlib import Path

from ironbark.pipeline.analysis import kinds
from ironbark.pipeline.analysis.published import numbers
from ironbark.pipeline.analysis.tables import result_table
from ironbark.pipeline.figures import FIGURES
from ironbark.pipeline.jobs import table


def test_the_light_names_are_those_of_the_tables():
    assert set(result_table.TABLES) | set(table.DATA) <= set(kinds.TABLE_KINDS)
    assert not set(result_table.TABLES) & set(table.DATA)
    assert set(kinds.FIGURE_KINDS) == set(FIGURES)
    assert set(kinds.CONCEPTS) <= set(kinds.FIGURE_KINDS) | set(kinds.TABLE_KINDS)
    assert set(kinds.PUBLISHED_FILES) == set(numbers.PUBLISHED)


def test_every_printed_file_is_there_and_can_be_read():
    folder = Path(__file__).parents[3] / "data" / "published"
    for name, file in kinds.PUBLISHED_FILES.items():
        assert list(numbers.PUBLISHED[name](folder / file).columns) == numbers.COLUMNS
