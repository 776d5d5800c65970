"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // --- tables: sort by a heading, filter by a word, save as CSV --------------------------------

  const valueOf = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    const number = Number(text);
    return text === "" ? null : Number.isNaN(number) ? text.toLowerCase() : number;
  };

  const compare = (a, b) => {
    if (a === null || b === null) return (a === null) - (b === null);
    if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
    return typeof a === "number" ? -1 : 1;
  };

  const sort = (table, heading, descending) => {
    const column = heading.cellIndex;
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [valueOf(row, column), row]);
    rows.sort(([a], [b]) => (a === null || b === null || !descending ? compare(a, b) : compare(b, a)));
    body.append(...rows.map(([, row]) => row));
    all("th[aria-sort]", table).forEach((th) => th.removeAttribute("aria-sort"));
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
  };

  all("[data-sort]").forEach((button) => {
    const heading = button.closest("th");
    button.addEventListener("click", () => {
      const before = heading.getAttribute("aria-sort");
      const first = heading.classList.contains("number") ? "descending" : "ascending";
      const descending = before ? before === "ascending" : first === "descending";
      one(`[data-show="${heading.closest("table").id}"]`)?.click(); // the first of all lines, not of those shown
      sort(heading.closest("table"), heading, descending);
    });
  });

  all("[data-show]").forEach((button) =>
    button.addEventListener("click", () => {
      all("[data-more]", document.getElementById(button.dataset.show)).forEach((row) => (row.hidden = false));
      button.closest("p").hidden = true;
    }),
  );

  all("[data-filter]").forEach((input) =>
    input.addEventListener("input", () => {
      const word = input.value.trim().toLowerCase();
      const button = one(`[data-show="${input.dataset.filter}"]`);
      const folded = button && !button.closest("p").hidden && word === "";
      [...document.getElementById(input.dataset.filter).tBodies[0].rows].forEach((row) => {
        row.hidden = word ? !row.cells[0].textContent.toLowerCase().includes(word) : folded && "more" in row.dataset;
      });
    }),
  );

  all("[data-pairs]").forEach((box) =>
    box.addEventListener("change", () =>
      all("[data-other]", document.getElementById(box.dataset.pairs)).forEach((row) => (row.hidden = !box.checked)),
    ),
  );

  const quoted = (text) => `"${text.trim().replace(/\s+/g, " ").replaceAll('"', '""')}"`;

  all("[data-csv]").forEach((button) =>
    button.addEventListener("click", () => {
      const rows = [...document.getElementById(button.dataset.csv).rows];
      const lines = rows.map((row) => [...row.cells].map((cell) => cell.dataset.value ?? quoted(cell.textContent)).join(","));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" }));
      link.download = `${button.dataset.csv}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    }),
  );

  all("[data-copy]").forEach((button) =>
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        button.textContent = "Selected";
      }
    }),
  );

  // --- the leaderboard's metric ----------------------------------------------------------------

  all("[data-metrics]").forEach((select) =>
    select.addEventListener("change", () => {
      const board = document.getElementById(select.dataset.metrics);
      all("[data-metric]", board).forEach((cell) => (cell.hidden = cell.dataset.metric !== select.value));
      const greater = select.selectedOptions[0].dataset.greater === "1";
      sort(board, one("th[data-metric]:not([hidden])", board), greater);
    }),
  );

  all("[data-only]").forEach((select) =>
    select.addEventListener("change", () =>
      all("[data-class]", document.getElementById(select.dataset.only)).forEach((part) =>
        part.toggleAttribute("hidden", select.value !== "" && part.dataset.class !== select.value),
      ),
    ),
  );

  // --- models, classes, thresholds and costs ---------------------------------------------------

  const counts = JSON.parse(document.getElementById("counts").textContent).thresholds;
  const model = document.getElementById("model");
  const kind = document.getElementById("class");
  const tuner = document.getElementById("tuner");
  const slider = (name) => document.getElementById(name);
  const curveKey = () => `${model.value}c${kind ? kind.value : Object.keys(counts)[0].split("c")[1]}`;

  const frame = (svg) => {
    const [left, right, bottom, top] = svg.dataset.frame.split(" ").map(Number);
    return { x: (share) => left + share * (right - left), y: (share) => bottom + share * (top - bottom), top, bottom };
  };

  const place = (mark, x, y) => {
    const inside = frame(mark.ownerSVGElement);
    const known = Number.isFinite(x) && Number.isFinite(y);
    mark.setAttribute("cx", known ? inside.x(x) : -99);
    mark.setAttribute("cy", known ? inside.y(y) : -99);
  };

  const costAt = (found, step) => {
    const misses = found.positives - found.hits[step];
    const paid = slider("alarm").value * found.alarms[step] + slider("miss").value * misses;
    return paid / (found.positives + found.negatives);
  };

  const share = (part, whole) => (whole ? part / whole : NaN);
  const shown = (value) => (Number.isFinite(value) ? value.toFixed(3) : "–");

  const decide = () => {
    const key = curveKey();
    const found = counts[key];
    tuner.hidden = !found;
    if (!found) return;
    const step = Number(slider("threshold").value);
    const tp = found.hits[step];
    const fp = found.alarms[step];
    const fn = found.positives - tp;
    const tn = found.negatives - fp;
    const values = {
      tp: tp.toLocaleString("en"), fp: fp.toLocaleString("en"), fn: fn.toLocaleString("en"), tn: tn.toLocaleString("en"),
      cost: shown(costAt(found, step)),
      accuracy: shown(share(tp + tn, tp + fp + fn + tn)),
      precision: shown(share(tp, tp + fp)),
      recall: shown(share(tp, tp + fn)),
      specificity: shown(share(tn, tn + fp)),
      f1: shown(share(2 * tp, 2 * tp + fp + fn)),
    };
    all("[data-out]", tuner).forEach((output) => (output.value = values[output.dataset.out]));
    slider("threshold-text").value = (step / 100).toFixed(2);
    const use = one("[data-command]", tuner);
    if (use) {
      use.hidden = use.dataset.of !== model.value;
      one("pre", use).textContent = use.dataset.command.replace("THRESHOLD", step / 100);
    }
    slider("alarm-text").value = String(Number(Number(slider("alarm").value).toPrecision(4)));
    slider("miss-text").value = String(Number(Number(slider("miss").value).toPrecision(4)));

    const curves = one(`[data-curve="${key}"]`);
    place(one('[data-mark="roc"]', curves), share(fp, found.negatives), share(tp, found.positives));
    place(one('[data-mark="pr"]', curves), share(tp, found.positives), share(tp, tp + fp));
    const costs = found.hits.map((_, i) => costAt(found, i));
    const most = Math.max(...costs) || 1;
    const mark = one('[data-mark="cost"]', tuner);
    const inside = frame(mark.ownerSVGElement);
    const points = costs.map((cost, i) => `${inside.x(i / 100).toFixed(1)} ${inside.y(cost / most).toFixed(1)}`);
    one("[data-cost-line]", tuner).setAttribute("d", `M${points.join("L")}`);
    one("[data-cost-at]", tuner).setAttribute("d", `M${inside.x(step / 100)} ${inside.bottom}V${inside.top}`);
    place(mark, step / 100, costs[step] / most);
    one("[data-cost-top]", tuner).textContent = Number(most.toPrecision(3));
  };

  const show = () => {
    all("[data-panel]").forEach((panel) => (panel.hidden = panel.dataset.panel !== model.value));
    if (!tuner) return;
    all("[data-curve]").forEach((curve) => (curve.hidden = curve.dataset.curve !== curveKey()));
    const positive = kind ? kind.selectedOptions[0].textContent : tuner.dataset.positive;
    all("[data-positive]", tuner).forEach((place) => (place.textContent = positive));
    decide();
  };

  if (model) {
    [model, kind].forEach((select) => select?.addEventListener("change", show));
    if (tuner) {
      const names = ["threshold", "alarm", "miss"];
      names.forEach((name) => slider(name).addEventListener("input", decide));
      slider("cheapest").addEventListener("click", () => {
        const found = counts[curveKey()];
        const costs = found.hits.map((_, step) => costAt(found, step));
        slider("threshold").value = costs.indexOf(Math.min(...costs));
        decide();
      });
      slider("reset").addEventListener("click", () => {
        names.forEach((name) => (slider(name).value = slider(name).defaultValue));
        decide();
      });
    }
    show();
  }

  // --- where the reader is, and what paper must show -------------------------------------------

  const links = new Map(all("nav a").map((link) => [link.hash.slice(1), link]));
  const watcher = new IntersectionObserver(
    (entries) => entries.forEach((entry) => links.get(entry.target.id)?.classList.toggle("here", entry.isIntersecting)),
    { rootMargin: "-20% 0px -70% 0px" },
  );
  all("main > section").forEach((section) => watcher.observe(section));
})();
