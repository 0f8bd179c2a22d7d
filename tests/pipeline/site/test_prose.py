from ironbark.pipeline.site.prose import html


def test_paragraphs_formulas_and_code():
    text = "First line\nof two, ``x < 1`` and `lam`.\n\nThen::\n\n    a = b\n      + c\n\nEnd."
    assert html(text) == (
        "<p>First line of two, <code>x &lt; 1</code> and <code>lam</code>.</p>\n<p>Then:</p>\n"
        '<pre class="formula" tabindex="0">a = b\n  + c</pre>\n<p>End.</p>'
    )


def test_markup_of_the_text_is_no_markup():
    assert html("<script>1</script>") == "<p>&lt;script&gt;1&lt;/script&gt;</p>"


def test_numbered_references_stand_apart():
    assert html(".. [1] A, 1999.\n.. [2] B,\n   2000.") == "<p>A, 1999.</p>\n<p>B, 2000.</p>"
