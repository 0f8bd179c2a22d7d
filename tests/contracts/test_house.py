"""The rules of the house that no linter knows."""

import ast
import io
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src/ironbark").rglob("*.py"))
SCRIPTS = sorted((ROOT / "workflow").rglob("*.py"))
RULES = [ROOT / "Snakefile", *sorted((ROOT / "workflow").rglob("*.smk"))]
MOST_FILE, MOST_FUNCTION, MOST_SCRIPT, MOST_SNAKEFILE = 300, 60, 50, 60

#: Loops over the nodes that are kept whole for the compiler.
LONG_KERNELS = {"list_growth.py", "gather_growth.py", "list_search.py", "gather_search.py", "scan.py", "nodes.py"}


def name(path):
    return str(path.relative_to(ROOT))


@pytest.fixture(params=SOURCES, ids=name)
def source(request):
    return request.param


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def test_files_were_found():
    assert len(SOURCES) > 60 and len(SCRIPTS) >= 8 and len(RULES) >= 5


def test_length_of_files(source):
    assert len(source.read_text(encoding="utf-8").splitlines()) <= MOST_FILE, "split it: one noun a file"


def own_lines(function):
    """Lines of a function without its docstring and without those of functions within it."""
    lines = set(range(function.lineno, function.end_lineno + 1))
    if ast.get_docstring(function):
        lines -= set(range(function.body[0].lineno, function.body[0].end_lineno + 1))
    return len(lines)


def test_length_of_functions(source):
    if source.name in LONG_KERNELS:
        pytest.skip("kernels")
    long = {
        node.name: own_lines(node)
        for node in ast.walk(tree_of(source))
        if isinstance(node, ast.FunctionDef) and own_lines(node) > MOST_FUNCTION
    }
    assert not long


def test_no_print(source):
    if name(source) == "src/ironbark/jobs/__init__.py":
        pytest.skip("the one place that writes to logs")
    calls = [n.lineno for n in ast.walk(tree_of(source)) if isinstance(n, ast.Call) and _called(n.func) == "print"]
    assert not calls


def _called(node):
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def test_kernels_go_through_jit(source):
    if source.name == "jit.py":
        pytest.skip("itself")
    banned = {"njit", "jit", "vectorize", "guvectorize", "generated_jit", "stencil", "jitclass", "cfunc"}
    found = []
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("numba"):
            found += [alias.name for alias in node.names if alias.name in banned]
        if isinstance(node, ast.Attribute) and node.attr in banned and _called(node.value) == "numba":
            found.append(node.attr)
    assert not found, "use ironbark.jit.kernel or compiled"


def test_no_relative_or_star_imports(source):
    """The fingerprint follows absolute imports only."""
    for node in ast.walk(tree_of(source)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            assert all(alias.name != "*" for alias in node.names), f"line {node.lineno}: star import"


def test_modules_and_public_functions_have_docstrings(source):
    tree = tree_of(source)
    assert ast.get_docstring(tree), "no module docstring"
    bare = [
        node.name
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
        and not any("overload" in ast.dump(decorator) for decorator in node.decorator_list)
    ]
    assert not bare


def test_no_global_random_state(source):
    allowed = {"Generator", "PCG64", "SeedSequence", "default_rng", "RandomState", "BitGenerator"}
    found = [
        (node.lineno, node.attr)
        for node in ast.walk(tree_of(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "random"
        and _called(node.value.value) in ("np", "numpy")
        and node.attr not in allowed
    ]
    assert not found


def test_no_drawers(source):
    assert source.stem not in ("utils", "helpers", "common", "misc", "core", "tools")


@pytest.mark.parametrize("path", SCRIPTS, ids=name)
def test_scripts_are_thin(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_SCRIPT
    assert ast.get_docstring(tree_of(path))
    assert not [node for node in ast.walk(tree_of(path)) if isinstance(node, (ast.FunctionDef, ast.For, ast.If))]


@pytest.mark.parametrize("path", RULES, ids=name)
def test_rules_have_no_run_block_and_are_short(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= (MOST_SNAKEFILE if path.name == "Snakefile" else 120)
    assert "    run:" not in text


def test_only_the_workflow_knows_snakemake():
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            modules = [a.name for a in node.names] if isinstance(node, ast.Import) else [getattr(node, "module", None)]
            assert not [m for m in modules if isinstance(m, str) and m.split(".")[0] == "snakemake"], path


TRACKED = ["README.md", "Snakefile", "pyproject.toml", "src", "workflow", "config", "tests", "docs", "envs", "slurm"]
TEXTS = {".py", ".smk", ".yaml", ".toml", ".md", ".rst", ".in", ".lock", ".cff", ""}


def test_no_machine_path():
    for place in TRACKED:
        for path in [ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*"):
            if path.is_file() and path.suffix in TEXTS and "__pycache__" not in path.parts:
                text = path.read_text(encoding="utf-8")
                for part in ("/wo" + "rk/", "/tm" + "p/", "/ho" + "me/"):
                    assert part not in text, f"{path.relative_to(ROOT)} names the folder {part}"


def test_no_comment_is_code(source):
    """Commented-out code: a comment that parses as an assignment, call or import."""
    found = []
    for token in tokenize.generate_tokens(io.StringIO(source.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(("#:", "# noqa", "#!")):
            text = token.string.lstrip("# ")
            try:
                body = ast.parse(text).body
            except SyntaxError:
                continue
            found += [text for n in body if isinstance(n, (ast.Assign, ast.Import, ast.ImportFrom, ast.Return))]
    assert not found
