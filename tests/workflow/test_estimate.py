"""The target `plan`: what studies will cost, before and after they ran."""

import pytest


@pytest.mark.slow
def test_the_target_plan(built):
    for _ in range(2):  # it has no output, so it runs each time
        text = built.run("plan", "--config", "studies=tiny").stdout
        assert "tiny, scale full\n" in text and "32 fits have finished" in text
        assert "on 2 cores" in text and "Rates of" in text
        assert "  breast-cancer    16 " in text and "  in all           32 " in text
    text = built.run("plan", "--config", "studies=[tiny,quickstart]", "scale=smoke").stdout
    assert "tiny, scale smoke: one repeat\n" in text and "quickstart, scale smoke: 2 repeats" in text
    assert "0 fits have finished" in text and "Rates of" in text
