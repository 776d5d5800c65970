"""The page as Chromium shows it."""

import json

import pytest

PAGES = [
    "wine", "tumours", "diabetes", "customers", "flowers", "digits", "complaints", "nasty", "many",
]  # fmt: skip


def shown(browser, address, width=1280, *, dark=False, media=""):
    """Open a page in a window of a width; return it."""
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [feature]})
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(address)
    return browser


def run(browser, script, *values):
    return browser.execute_script(script, *values)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAGES)
def test_opens_without_an_error_and_without_a_request(browser, pages, name):
    shown(browser, pages[name])
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]
    assert [url for url in asked if not url.startswith("data:")] == [pages[name]]


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_never_scrolls_sideways(browser, pages, name, width):
    shown(browser, pages[name], width)
    assert run(browser, "return document.documentElement.scrollWidth") <= width


def test_lines_of_the_profile_stay_low_on_a_phone(browser, pages):
    shown(browser, pages["wine"], 390)
    heights = run(
        browser, "return [...columns.tBodies[0].rows].map(r => r.getBoundingClientRect().height)"
    )
    assert max(heights) < 60


def names(browser):
    return run(
        browser,
        "return [...document.querySelectorAll('#board tbody th')].map(t => t.textContent.trim())",
    )


def test_the_leaderboard_sorts_by_keyboard_and_says_so(browser, pages):
    shown(browser, pages["many"])
    before = names(browser)
    button = browser.find_element("css selector", "#board th button")
    button.send_keys("\n")
    after = names(browser)
    assert after == sorted(before, key=str.lower)
    assert after != before
    heading = browser.find_element("css selector", "#board th[aria-sort]")
    assert heading.get_attribute("aria-sort") == "ascending"
    button.send_keys("\n")
    assert names(browser) == after[::-1]


def test_another_metric_shows_its_column_and_sorts_the_best_first(browser, pages):
    shown(browser, pages["many"])
    run(
        browser,
        "metric.value = 'log_loss'; metric.dispatchEvent(new Event('change'))",
    )
    values = run(
        browser,
        "return [...board.tBodies[0].rows].map(r => [...r.cells].find("
        "c => c.dataset.metric === 'log_loss' && !c.hidden).dataset.value).map(Number)",
    )
    assert values == sorted(values)
    visible = run(
        browser,
        "return [...new Set([...board.querySelectorAll('[data-metric]:not([hidden])')]"
        ".map(c => c.dataset.metric))]",
    )
    assert visible == ["log_loss"]


def outputs(browser):
    return run(
        browser,
        "return Object.fromEntries([...document.querySelectorAll('[data-out]')]"
        ".map(o => [o.dataset.out, o.value]))",
    )


def slide(browser, name, value):
    run(
        browser,
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
        "s.dispatchEvent(new Event('input'))",
        name,
        value,
    )


def test_the_sliders_recompute_the_decisions_from_the_counts(browser, pages, tumours):
    shown(browser, pages["tumours"])
    winner = tumours["run"]["winner"]
    counts = tumours["models"][winner]["curves"][0]["thresholds"]
    for step in (80, 20):
        slide(browser, "threshold", step)
        values = {k: float(v.replace(",", "")) for k, v in outputs(browser).items()}
        tp, fp = counts["true_positives"][step], counts["false_positives"][step]
        fn, tn = counts["positives"] - tp, counts["negatives"] - fp
        assert (values["tp"], values["fp"], values["fn"], values["tn"]) == (tp, fp, fn, tn)
        # Deciding for class 1 where the truth is class 0 costs 5, the other error 1.
        assert values["cost"] == pytest.approx((5 * fp + fn) / (tp + fp + fn + tn), abs=5e-4)
        assert values["recall"] == pytest.approx(tp / (tp + fn), abs=5e-4)
        command = run(browser, "return document.getElementById('predict-command').textContent")
        assert command.startswith(f"gramian predict RUN DATA --threshold {step / 100:g} --positive")
    before = outputs(browser)["cost"]
    slide(browser, "alarm", 0)
    assert outputs(browser)["cost"] != before
    slide(browser, "miss", 0)
    assert float(outputs(browser)["cost"]) == 0


def test_the_cheapest_threshold_is_no_dearer_than_any_other(browser, pages):
    shown(browser, pages["tumours"])
    run(browser, "cheapest.click()")
    least = float(outputs(browser)["cost"])
    for step in range(0, 101, 10):
        slide(browser, "threshold", step)
        assert float(outputs(browser)["cost"]) >= least
    run(browser, "reset.click()")
    assert run(browser, "return threshold.value") == run(browser, "return threshold.defaultValue")


def test_a_slider_moves_by_keyboard(browser, pages):
    shown(browser, pages["tumours"])
    slider = browser.find_element("id", "threshold")
    before = outputs(browser), slider.get_attribute("value")
    slider.send_keys("\ue014" * 10)  # arrow right
    assert int(slider.get_attribute("value")) == int(before[1]) + 10
    assert outputs(browser) != before[0]


def test_one_model_and_one_class_are_shown_at_a_time(browser, pages):
    shown(browser, pages["wine"])
    for place in (0, 2):
        run(
            browser,
            "model.selectedIndex = 1; model.dispatchEvent(new Event('change'));"
            "const c = document.getElementById('class'); c.selectedIndex = arguments[0];"
            "c.dispatchEvent(new Event('change'))",
            place,
        )
        panels, curves = run(
            browser,
            "const seen = s => [...document.querySelectorAll(s)]"
            ".filter(e => e.checkVisibility()).length;"
            "return [seen('[data-panel]'), seen('[data-curve]')]",
        )
        assert (panels, curves) == (1, 1)


def test_ten_classes_fit_into_the_page(browser, pages):
    shown(browser, pages["digits"])
    for table in ("confusion-m0", "confusion-test", "coefficients"):
        inside, there = run(
            browser,
            "const box = document.getElementById(arguments[0]).parentElement;"
            "return [box.scrollWidth, box.clientWidth]",
            table,
        )
        assert inside <= there, table


def test_coefficients_and_effects_are_shown_for_one_class(browser, pages):
    shown(browser, pages["digits"])
    visible = (
        "return [...document.querySelectorAll('#' + arguments[0] + ' [data-class]')]"
        ".filter(e => e.checkVisibility()).map(e => e.dataset.class)"
    )
    choose = (
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
        "s.dispatchEvent(new Event('change'))"
    )
    assert set(run(browser, visible, "coefficients")) == {"0"}
    run(browser, choose, "coefficient-class", "9")
    assert set(run(browser, visible, "coefficients")) == {"9"}
    assert len(set(run(browser, visible, "effects"))) == 8
    run(browser, choose, "effect-class", "3")
    assert set(run(browser, visible, "effects")) == {"3"}


def test_columns_are_found_by_name_and_unfolded(browser, pages):
    shown(browser, pages["many"])
    visible = "return [...columns.tBodies[0].rows].filter(r => !r.hidden).length"
    assert run(browser, visible) == 25
    field = browser.find_element("id", "column-filter")
    field.send_keys("number 17 of")
    assert run(browser, visible) == 1
    field.clear()
    run(browser, "document.querySelector('[data-filter]').dispatchEvent(new Event('input'))")
    assert run(browser, visible) == 25
    run(browser, "document.querySelector('[data-show]').click()")
    assert run(browser, visible) == 200


LUMINANCE = """
const part = v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4 };
const light = c => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
  return .2126 * part(r) + .7152 * part(g) + .0722 * part(b) };
const behind = e => { for (; e; e = e.parentElement) {
  const c = getComputedStyle(e).backgroundColor;
  if (/^rgb\\(/.test(c)) return c } return 'rgb(255, 255, 255)' };
return ['body', '.help', '.soft', 'nav a', '.tag', 'thead th', 'h1 .target', 'a'].map(s => {
  const e = document.querySelector(s), a = light(getComputedStyle(e).color), b = light(behind(e));
  return [s, (Math.max(a, b) + .05) / (Math.min(a, b) + .05)] })
"""


@pytest.mark.parametrize("dark", [False, True])
def test_text_can_be_read_in_light_and_dark(browser, pages, dark):
    shown(browser, pages["many"], dark=dark)
    paper = run(browser, "return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, paper[4:-1].split(","))) < 200) is dark
    for place, contrast in run(browser, LUMINANCE):
        assert contrast >= 4.5, place


def test_paper_shows_no_controls_and_whole_tables(browser, pages):
    shown(browser, pages["wine"], dark=True, media="print")
    seen = run(
        browser,
        "return ['nav', '.control', '[data-csv]', '[data-copy]'].map(s =>"
        "[...document.querySelectorAll(s)].some(e => e.checkVisibility()))",
    )
    assert seen == [False] * 4
    assert run(browser, "return getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)"
    )
    assert run(browser, "return getComputedStyle(document.querySelector('.scroll')).overflowX") == (
        "visible"
    )
    assert browser.execute_cdp_cmd("Page.printToPDF", {})["data"].startswith("JVBER")  # %PDF


def test_a_hostile_table_runs_nothing(browser, pages):
    shown(browser, pages["nasty"])
    assert (
        run(browser, "return document.querySelectorAll('main b b, h1 b, td b, th b').length") == 0
    )
    assert "</script><b>" in browser.find_element("css selector", "h1").text
