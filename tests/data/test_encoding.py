"""The encoding of a file is found from its bytes."""

import codecs

import pytest

from gramian.base.errors import DataError
from gramian.data.encoding import decode

TEXT = "city,people\nKöln,1087000\n"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (TEXT.encode(), "UTF-8"),
        (codecs.BOM_UTF8 + TEXT.encode(), "UTF-8"),
        (TEXT.encode("utf-16"), "UTF-16"),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("utf-16-le"), "UTF-16"),
        (TEXT.encode("utf-16-be"), "UTF-16"),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), "UTF-32"),
        (TEXT.encode("latin-1"), "Latin-1"),
    ],
)
def test_text_is_read_in_any_encoding(data, name):
    assert decode(data, "cities.csv") == (TEXT, name)


def test_what_windows_writes_as_latin_1_is_read_as_it_was_meant():
    assert decode("5 €, naïve\n".encode("cp1252"), "t") == ("5 €, naïve\n", "Windows-1252")
    assert decode(b"\xe9t\xe9 \x81", "t")[0] == "été \x81"  # a byte that cp1252 does not have


def test_bytes_that_are_no_text_are_refused():
    for data in (bytes(range(256)), b"\x89\x01\x02\x03\x04\xff" * 50):
        with pytest.raises(DataError, match=r"^t\.csv: neither text nor a known table format"):
            decode(data, "t.csv")


def test_a_mark_that_does_not_fit_its_text_is_named():
    with pytest.raises(DataError, match="says utf-8-sig, but byte 3 is invalid"):
        decode(codecs.BOM_UTF8 + b"abc\xff", "t.csv")
