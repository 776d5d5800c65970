"""Pages of small studies, made once, and a browser to read them with."""

import shutil

import pytest

from tests.report import samples
from tests.report.samples import render


@pytest.fixture(scope="session")
def wine():
    return samples.wine()


@pytest.fixture(scope="session")
def tumours():
    return samples.tumours()


@pytest.fixture(scope="session")
def diabetes():
    return samples.diabetes()


@pytest.fixture(scope="session")
def flowers():
    return samples.flowers()


@pytest.fixture(scope="session")
def customers():
    return samples.customers()


@pytest.fixture(scope="session")
def digits():
    return samples.digits()


@pytest.fixture(scope="session")
def complaints():
    return samples.complaints()


@pytest.fixture(scope="session")
def nasty():
    return samples.nasty()


@pytest.fixture(scope="session")
def pages(
    tmp_path_factory, wine, tumours, diabetes, customers, flowers, digits, complaints, nasty
) -> dict[str, str]:
    """The address of the page of each study."""
    folder = tmp_path_factory.mktemp("pages")
    contents = {
        "wine": wine,
        "tumours": tumours,
        "diabetes": diabetes,
        "customers": customers,
        "flowers": flowers,
        "digits": digits,
        "complaints": complaints,
        "nasty": nasty,
        "many": samples.with_models(samples.widened(wine, 10_000), 14),
    }
    found = {}
    for name, data in contents.items():
        path = folder / f"{name}.html"
        path.write_text(render(data), encoding="utf-8")
        found[name] = path.as_uri()
    return found


@pytest.fixture(scope="session")
def browser():
    """Chromium without a window, logging its console and every request."""
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    # Containers often run as root, where Chromium starts only without its sandbox.
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield opened
    opened.quit()
