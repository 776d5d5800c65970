"""How to use the model."""

from gramian.study.contents.load import Load


def test_every_report_says_how_to_use_the_model(every):
    for contents in every:
        assert isinstance(contents.load, Load)
        assert contents.load.command.startswith("gramian predict")
        assert "gramian.load" in contents.load.python
