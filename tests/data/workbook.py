"""A tiny XLSX writer, so that the reader can be tested without another package."""

import io
import zipfile
from typing import Any
from xml.sax.saxutils import escape

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" '
    'Target="{target}"/></Relationships>'
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook(rows: list[list[Any]]) -> bytes:
    """The bytes of an XLSX file with one sheet of strings and numbers."""
    cells = []
    for r, row in enumerate(rows, 1):
        made = []
        for c, value in enumerate(row):
            place = f"{chr(65 + c)}{r}"
            if isinstance(value, str):
                text = f"<is><t>{escape(value)}</t></is>"
                made.append(f'<c r="{place}" t="inlineStr">{text}</c>')
            else:
                made.append(f'<c r="{place}"><v>{value}</v></c>')
        cells.append(f'<row r="{r}">{"".join(made)}</row>')
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r='
        '"http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        '<sheets><sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>'
    )
    parts = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _RELATIONS.format(kind="officeDocument", target="xl/workbook.xml"),
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": _RELATIONS.format(
            kind="worksheet", target="worksheets/sheet1.xml"
        ),
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(cells)}</sheetData></worksheet>'
        ),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return file.getvalue()
