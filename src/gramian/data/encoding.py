"""Detection of the encoding of a file."""

import codecs
import re

from gramian.base.errors import DataError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WINDOWS = re.compile(rb"[\x80-\x9f]")  # characters that Latin-1 does not have
_SAMPLE_BYTES = 65_536  # bytes used to guess an encoding without a byte order mark


def decode(data: bytes, name: str) -> tuple[str, str]:
    """Return the text and the name of its encoding.

    A byte order mark determines the encoding. Without one it is UTF-8 if all bytes are valid,
    UTF-16 if almost every second byte is zero, else Windows-1252 or Latin-1.

    Examples
    --------
    >>> decode("Köln".encode("latin-1"), "cities.csv")
    ('Köln', 'Latin-1')
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return _decoded(data, codec, name), codec.removesuffix("-sig").upper()
    start = data[:_SAMPLE_BYTES]
    if b"\0" in start:
        even, odd = start[::2], start[1::2]
        for codec, high, low in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
            if high.count(0) > 0.5 * len(high) and 0 not in low:
                return _decoded(data, codec, name), "UTF-16"
        raise _binary(name)
    try:
        return data.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        pass
    control = sum(byte < 32 and byte not in b"\t\n\r\f\v\x1a" for byte in start)
    if control > 0.01 * len(start):
        raise _binary(name)
    try:
        return data.decode("cp1252"), "Windows-1252" if _WINDOWS.search(data) else "Latin-1"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "Latin-1"


def _decoded(data: bytes, codec: str, name: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{name}: its byte order mark says {codec}, but byte {error.start} is invalid; "
            "save it again as UTF-8."
        ) from None


def _binary(name: str) -> DataError:
    return DataError(
        f"{name}: neither text nor a known table format; use CSV, TSV, Parquet, ARFF or XLSX, "
        "plain or gzipped."
    )
