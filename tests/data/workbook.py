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
)
_SHEET_TYPE = (
    '<Override PartName="/xl/worksheets/sheet{i}.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
)
_RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
_RELATION = (
    '<Relationship Id="r{i}" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" '
    'Target="{target}"/>'
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def _letters(column: int) -> str:
    return ("" if column < 26 else chr(64 + column // 26)) + chr(65 + column % 26)


def _sheet(rows: list[list[Any]]) -> str:
    cells = []
    for r, row in enumerate(rows, 1):
        made = []
        for c, value in enumerate(row):
            place = f"{_letters(c)}{r}"
            if value == "":
                continue
            if isinstance(value, str):
                text = f"<is><t>{escape(value)}</t></is>"
                made.append(f'<c r="{place}" t="inlineStr">{text}</c>')
            else:
                made.append(f'<c r="{place}"><v>{value}</v></c>')
        cells.append(f'<row r="{r}">{"".join(made)}</row>')
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{"".join(cells)}</sheetData></worksheet>'


def workbook(rows: list[list[Any]], **others: list[list[Any]]) -> bytes:
    """The bytes of an XLSX file with a sheet of strings and numbers, ``one``, and others."""
    sheets = {"one": rows, **others}
    listed = "".join(
        f'<sheet name="{name}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, 1)
    )
    book = (
        f'<workbook xmlns="{_MAIN}" xmlns:r='
        '"http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
        f"<sheets>{listed}</sheets></workbook>"
    )
    relations = "".join(
        _RELATION.format(i=i, kind="worksheet", target=f"worksheets/sheet{i}.xml")
        for i in range(1, len(sheets) + 1)
    )
    main = _RELATION.format(i=1, kind="officeDocument", target="xl/workbook.xml")
    types = "".join(_SHEET_TYPE.format(i=i) for i in range(1, len(sheets) + 1))
    parts = {
        "[Content_Types].xml": f"{_TYPES}{types}</Types>",
        "_rels/.rels": f"{_RELATIONS}{main}</Relationships>",
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": f"{_RELATIONS}{relations}</Relationships>",
        **{
            f"xl/worksheets/sheet{i}.xml": _sheet(cells)
            for i, cells in enumerate(sheets.values(), 1)
        },
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, f'<?xml version="1.0" encoding="UTF-8"?>{text}')
    return file.getvalue()
