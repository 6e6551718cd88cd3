"""Changes single keys of a YAML file, and leaves every other line, comment and blank line as it is.

The text of the value is replaced where it stands, as the marks of the parsed nodes say. The result is parsed again and
must differ in the changed keys only; otherwise nothing is written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import yaml

from .. import nodes
from ..errors import Place, fault

Path = tuple[str, ...]
_BLOCK_STYLES = ("|", ">")


def edited(text: str, changes: Mapping[Path, str | None], file_name: str) -> str:
    """The text with other values, which are given as YAML on one line by the path of their keys; None removes a key.
    Raises InputError for a value that cannot be changed without touching others."""
    for path, value in changes.items():
        before = _plain(text, file_name)
        changed = _changed(text, path, value)
        wanted = _with(before, path, None if value is None else _plain(f"value: {value}\n", file_name)["value"])
        if changed is None or _plain(changed, file_name) != wanted:
            hint = f"change “{'.'.join(path)}” in an editor"
            raise fault("this file is written in a way that cannot be changed here", Place(file_name), hint)
        text = changed
    return text


def _plain(text: str, file_name: str) -> Any:
    if next(nodes.documents(text, file_name), None) is None:  # blank, or only comments
        return {}
    return _unfrozen(nodes.document(text, file_name))


def _unfrozen(node: nodes.Node) -> Any:
    """A node as plain data with texts only."""
    if isinstance(node, nodes.Mapping):
        return {key.text: _unfrozen(value) for key, value in node.pairs}
    return list(map(_unfrozen, node.entries)) if isinstance(node, nodes.Listing) else node.text


def _with(data: Any, path: Path, value: Any) -> Any:
    """Plain data with another value; empty mappings that a removed key leaves behind stay."""
    inner = dict(data) if isinstance(data, dict) else {}
    key, *rest = path
    if rest:
        if value is not None or key in inner:
            inner[key] = _with(inner.get(key), tuple(rest), value)
    elif value is None:
        inner.pop(key, None)
    else:
        inner[key] = value
    return inner


def _changed(text: str, path: Path, value: str | None) -> str | None:
    """The changed text; None if the place of the change is not clear."""
    root = yaml.compose(text, yaml.SafeLoader)
    if root is None:
        return (
            text
            if value is None
            else f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{_line(path, value)}\n"
        )
    node, depth = root, 0
    pair = None
    while isinstance(node, yaml.MappingNode) and depth < len(path):
        pair = next(((key, inner) for key, inner in node.value if key.value == path[depth]), None)
        if pair is None:
            return text if value is None else _added(text, node, _line(path[depth:], value))
        node, depth, parent = pair[1], depth + 1, node
    assert pair
    if value is None and depth == len(path):
        return _removed(text, parent, pair)
    if value is None or not _is_simple(node):
        return text if value is None else None
    if depth < len(path):  # a blank value becomes a mapping
        if not isinstance(node, yaml.ScalarNode) or node.value:
            return None
        value = f"{{{_line(path[depth:], value)}}}"
    start, end = node.start_mark.index, node.end_mark.index
    return text[:start] + (" " * (text[start - 1] == ":") if start == end else "") + value + text[end:]


def _line(path: Sequence[str], value: str) -> str:
    """`a: {b: value}` for the path a, b."""
    for key in reversed(path[1:]):
        value = f"{{{key_text(key)}: {value}}}"
    return f"{key_text(path[0])}: {value}"


def key_text(key: str) -> str:
    """A key as it can be written anywhere."""
    return (
        key
        if re.fullmatch(r"[^\W\d][\w-]*", key)
        else yaml.dump(key, default_style='"', allow_unicode=True, width=10**6).strip()
    )


def _is_simple(node: yaml.Node) -> bool:
    """Whether a value is one piece of text that can be replaced."""
    if isinstance(node, yaml.ScalarNode):
        return node.style not in _BLOCK_STYLES
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def _added(text: str, mapping: yaml.MappingNode, line: str) -> str:
    """The text with another entry at the end of a mapping."""
    if mapping.flow_style:
        end = mapping.end_mark.index - 1
        before = text[:end].rstrip()
        comma = "" if before.endswith(("{", ",")) else ","
        return f"{before}{comma}{'' if before.endswith('{') else ' '}{line}{text[len(before) :]}"
    indent = " " * mapping.value[0][0].start_mark.column
    end = _last(mapping)
    end = end if text[end - 1 : end] == "\n" else text.find("\n", end) + 1 or len(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{text[:end]}{'' if text[end - 1 : end] == chr(10) else newline}{indent}{line}{newline}{text[end:]}"


def _last(node: yaml.Node) -> int:
    """Where the last piece of text in a node ends, without the comments below it."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return max(map(_last, last)) if isinstance(last, tuple) else _last(last)


def _removed(text: str, parent: yaml.MappingNode, pair: tuple[yaml.Node, yaml.Node]) -> str:
    """The text without an entry. A comment behind it stays."""
    start, end = pair[0].start_mark.index, _last(pair[1])
    end = max(end, pair[0].end_mark.index)
    if parent.flow_style:
        rest = re.match(r"\s*,\s*", text[end:])
        if rest:
            return text[:start] + text[end + rest.end() :]
        return re.sub(r",\s*$", "", text[:start]) + text[end:]
    rest = re.match(r":?[ \t]*(#[^\n]*)?\r?\n?", text[end:])
    assert rest
    if rest[1]:
        return text[:start] + text[end + rest.start(1) :]
    return text[: start - pair[0].start_mark.column] + text[end + rest.end() :]
