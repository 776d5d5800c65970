"""The labels of a multi-label table, named by an XML file in Mulan's format.

The file lists the labels of an ARFF table by name; labels of a hierarchy are nested::

    <labels xmlns="http://mulan.sourceforge.net/labels">
      <label name="calm"></label>
      <label name="sad"><label name="lonely"></label></label>
    </labels>

Tsoumakas, Spyromitros-Xioufis, Vilcek and Vlahavas, JMLR 12, 2011.
"""

import os
import re
from collections import Counter
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from xml.etree import ElementTree

from gramian.base.errors import DataError

_ALL_NAMED = " Each label must be a column of the table; correct the labels or the table."


def read_label_names(source: str | os.PathLike[str]) -> list[str]:
    """Return the names of the labels in the order of an XML file.

    Parameters
    ----------
    source
        Path of the file.

    Returns
    -------
    names : list of str

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "songs.xml")
    ...     _ = path.write_text('<labels><label name="calm"/><label name="sad"/></labels>')
    ...     read_label_names(path)
    ['calm', 'sad']
    """
    path = Path(source)
    try:
        text = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error}).") from None
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:  # entities could expand without limit
        raise DataError(f"{path}: a file of labels must not declare a DOCTYPE; remove it.")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise DataError(f"{path}: not an XML file of labels ({error}); correct the file.") from None
    labels = [element for element in root.iter() if element.tag.rpartition("}")[2] == "label"]
    names = [element.get("name", "") for element in labels]
    if not names or "" in names:
        raise DataError(
            f'{path}: no labels, or a label without a name; list them as <label name="..."/>.'
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise DataError(f"{path}: the label {twice[0]!r} is listed twice; correct the file.")
    return names


def match_labels(source: str, labels: list[str], columns: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the labels; names may have backslashes that ARFF drops."""
    known = set(columns)
    found = []
    for label in labels:
        plain = re.sub(r"\\(.)", r"\1", label)
        name = label if label in known else plain
        if name not in known:
            near = get_close_matches(label, columns, n=1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise DataError(
                f"{source}: the table has no column for the label {label!r}.{hint or _ALL_NAMED}"
            )
        found.append(name)
    if not found:
        raise DataError(f"{source}: labels must name at least one column; got none.")
    twice = [name for name, count in Counter(found).items() if count > 1]
    if twice:
        raise DataError(f"{source}: labels names the column {twice[0]!r} twice; name it once.")
    return tuple(found)
