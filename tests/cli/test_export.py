"""``gramian export`` end to end."""

import numpy as np
import pytest

import gramian
from tests.cli.command import call, last
from tests.export.onnx.tables import answers
from tests.study.tables import mixed

onnx = pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="ONNX Runtime checks the answers")


def test_export_writes_the_model_with_its_preparation(finished, here, capsys):
    done = call(capsys, "export", str(finished / "run"), "--out", "model.onnx")
    assert (done.code, done.out) == (0, "model.onnx\n")
    assert "input 'town': categorical; '' if missing" in done.err
    assert "output 'probabilities'" in done.err
    model = gramian.load(finished / "run" / "model.gram")
    found = answers(onnx.load(last(done.out)), gramian.export.onnx_inputs(model, mixed()))
    np.testing.assert_array_equal(found["label"], model.predict(mixed()))
    np.testing.assert_allclose(found["probabilities"], model.predict_proba(mixed()), atol=1e-5)
    assert (
        call(capsys, "export", str(finished / "run"), "--out", "model.onnx").out == "model-2.onnx\n"
    )


def test_export_says_what_it_cannot_do(finished, here, capsys):
    done = call(capsys, "export", str(finished / "run"), "--out", "model.pmml")
    assert done.code == 2
    assert "--out must end in .onnx; got 'model.pmml'" in done.err
    X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    gramian.save(gramian.VotedPerceptron().fit(X, y), "other.gram")
    done = call(capsys, "export", "other.gram", "--out", "model.onnx")
    assert done.code == 2
    assert "step 'model': VotedPerceptron cannot be exported" in done.err
    assert not (here / "model.onnx").exists()


def test_the_default_is_a_file_beside_the_model(finished, here, capsys):
    copied = here / "model.gram"
    copied.write_bytes((finished / "run" / "model.gram").read_bytes())
    assert call(capsys, "export", "model.gram").out == "model.onnx\n"
    assert (here / "model.onnx").is_file()
