"""Writes the API page from the docstrings: ``python python/docs/api.py``. A test holds that the page is up to date."""

import ast
import inspect
import re
import textwrap
from pathlib import Path

import obelus

WIDTH = 100
PAGE = Path(__file__).with_name("api.md")

PARTS = {
    "Session": ["session", "configure", "jar", "progress"],
    "Tables": ["ObelusTable", "read"],
    "Merge": ["MergeBuilder"],
    "Pictures": ["Picture"],
    "Results": [
        "Snapshot", "Compaction", "BucketCompaction", "Expiry", "Rollback", "FastForward", "Tag",
        "OrphanFile", "Finding",
    ],
    "Errors": ["ObelusError", "InvalidRequestError", "CommitConflictError", "CorruptFileError", "UnknownVersionError"],
}  # fmt: skip

WORDS = {
    "Tables": [
        "A `Condition` is SQL text or a `Column`; a `Time` is a `datetime` or a text that SQL reads as a timestamp.",
        "",
    ]
}


def page() -> str:
    left_out = set(obelus.__all__) - {name for names in PARTS.values() for name in names}
    assert not left_out, f"python/docs/api.py has no place for {sorted(left_out)}"
    lines = ["# Python API", "", "<!-- Made from the docstrings by python/docs/api.py; change those. -->", ""]
    lines += [*prose(inspect.getdoc(obelus)), ""]
    for part, names in PARTS.items():
        lines += [f"## {part}", "", *WORDS.get(part, [])]
        for name in names:
            found = getattr(obelus, name)
            lines += class_(found) if inspect.isclass(found) else function(name, found)
    return "\n".join(lines).rstrip() + "\n"


def class_(found: type) -> "list[str]":
    bases = ", ".join(base.__name__ for base in found.__bases__ if not base.__name__.startswith("_"))
    lines = [f"### {found.__name__}", ""]
    lines += [*prose(inspect.getdoc(found)), ""]
    if issubclass(found, Exception):
        return [*lines, f"Is a {' and a '.join(f'`{base}`' for base in bases.split(', '))}.", ""]
    fields = getattr(found, "__dataclass_fields__", {})
    body = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0].body
    if fields:
        kinds = {node.target.id: ast.unparse(node.annotation) for node in body if isinstance(node, ast.AnnAssign)}
        lines += ["| Field | Type |", "|---|---|", *(f"| `{name}` | `{kinds[name]}` |" for name in fields), ""]
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            member = inspect.getattr_static(found, node.name)
            if isinstance(member, property):
                lines += [f"#### {found.__name__}.{node.name}", "", *prose(member.__doc__), ""]
            else:
                lines += function(f"{found.__name__}.{node.name}", getattr(found, node.name), "####")
    return lines


def function(name: str, found: object, heading: str = "###") -> "list[str]":
    node = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    return [f"{heading} {name}", "", *fenced(signature(name, node)), "", *prose(inspect.getdoc(found)), ""]


def signature(name: str, node: ast.FunctionDef) -> "list[str]":
    """As it is written, in one line if it fits."""
    given = node.args
    plain = [argument for argument in given.args if argument.arg not in ("self", "cls")]
    defaults = [None] * (len(plain) - len(given.defaults)) + given.defaults
    arguments = [argument_of(argument, default) for argument, default in zip(plain, defaults)]
    if given.kwonlyargs:
        arguments += ["*", *(argument_of(a, d) for a, d in zip(given.kwonlyargs, given.kw_defaults))]
    if given.kwarg:
        arguments.append("**" + argument_of(given.kwarg, None))
    returned = f" -> {kind_of(node.returns)}" if node.returns is not None else ""
    line = f"{name}({', '.join(arguments)}){returned}"
    return [line] if len(line) <= WIDTH else [f"{name}(", *(f"    {each}," for each in arguments), f"){returned}"]


def argument_of(argument: ast.arg, default: "ast.expr | None") -> str:
    kind = f": {kind_of(argument.annotation)}" if argument.annotation else ""
    return argument.arg + kind + (f" = {ast.unparse(default)}" if default is not None else "")


def kind_of(annotation: ast.expr) -> str:
    """A type, without the quotes and private modules that the code needs."""
    return re.sub(r"'|_\w+\.", "", ast.unparse(annotation))


def prose(text: "str | None") -> "list[str]":
    """A docstring as Markdown: arguments become a list, examples become code."""
    lines: "list[str]" = []
    for block in re.split(r"\n\n", inspect.cleandoc(text or "")):
        if block.startswith(">>>"):
            lines += ["", *fenced(block.split("\n"))]
            continue
        lines.append("")
        for line in block.split("\n"):
            named = re.match(r"(\w+): (.*)", line)
            lines.append(f"* `{named[1]}`: {ticks(named[2])}" if named else ticks(line))
    return lines[1:]


def fenced(lines: "list[str]") -> "list[str]":
    return ["```python", *(re.sub(r"  # doctest: .*", "", line) for line in lines), "```"]


def ticks(line: str) -> str:
    return line.replace("``", "`")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
