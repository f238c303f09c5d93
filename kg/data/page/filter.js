// The legend (each type is a switch) and the form of the other filters.

const legend = document.getElementById("legend");
const form = document.getElementById("filter");

function drawLegend() {
  const types = ["Paper", ...data.types.filter((t) => concepts.some((c) => c.type === t))];
  legend.replaceChildren(...types.map((type) => {
    const all = type === PAPER ? papers : type === AREA ? areas.filter((a) => a.thing).map((a) => a.thing) : concepts.filter((t) => t.type === type && !t.isKind);
    const shown = all.filter((t) => t.shown).length;
    const words = capital(TYPE_WORDS[type][1]);
    const number = shown === all.length ? digits(shown) : `${digits(shown)} of ${digits(all.length)}`;
    return make("button", {
      type: "button", "aria-pressed": String(!filters.types.has(type)), "data-type": type,
      title: filters.types.has(type) ? `Show ${words.toLowerCase()}` : `Hide ${words.toLowerCase()}`,
      on: { click: () => toggle(filters.types, type) },
    }, icon(type), `${words} `, make("b", {}, number));
  }));
}

function toggle(set, item) {
  if (!set.delete(item)) set.add(item);
  filtersChanged();
  legend.querySelector(`[data-type="${CSS.escape(item)}"]`)?.focus();
}

function check(label, number, checked, change) {
  return make("label", {}, make("input", { type: "checkbox", checked, on: { change: (e) => { change(e.target.checked); filtersChanged(); } } }),
    label, number == null ? "" : make("b", {}, String(number)));
}

function select(label, values, value, change, all, words = String) {
  return make("label", {}, label, make("select", { on: { change: (e) => { change(e.target.value); filtersChanged(); } } },
    make("option", { value: "" }, all), values.map((v) => make("option", { value: v, selected: String(v) === String(value) }, words(v)))));
}

function drawFilters() {
  const least = Math.floor(100 * Math.min(1, ...links.map((l) => l.confidence ?? 1)));
  const sure = make("input", { type: "range", min: String(least), max: "100", step: "1", value: String(Math.max(least, filters.sure * 100)), "aria-label": "Least confidence" });
  const sureSaid = make("b", {}, filters.sure ? `${Math.round(filters.sure * 100)} %` : "all");
  sure.addEventListener("input", () => {
    filters.sure = Number(sure.value) <= least ? 0 : sure.value / 100;
    sureSaid.textContent = filters.sure ? `${sure.value} %` : "all";
    filtersChanged({ redrawForm: false });
  });
  form.replaceChildren(...[
    make("fieldset", {}, make("legend", {}, "What a paper does with it"), roles.map((role) => check(
      capital(roleWords(role)), links.filter((l) => l.role === role).length, !filters.roles.has(role),
      (on) => (on ? filters.roles.delete(role) : filters.roles.add(role))))),
    make("fieldset", {}, make("legend", {}, "Show"),
      check("Only what two or more papers share", null, filters.shared, (on) => { filters.shared = on; }),
      check("Lines between papers that are alike", null, filters.ties, (on) => { filters.ties = on; })),
    least < 100 && make("fieldset", {}, make("label", {}, make("span", { class: "name" }, "At least this sure"), sureSaid), sure),
    (venues.length > 1 || years.length > 1 || areas.some((a) => a.thing)) && make("fieldset", {}, make("legend", {}, "Papers"),
      areas.some((a) => a.thing) && select("Area", areas.filter((a) => a.thing).map((a) => a.thing.key), filters.area, (v) => { filters.area = v; }, "any", (key) => capital(byKey.get(key).label)),
      venues.length > 1 && select("Venue", venues, filters.venue, (v) => { filters.venue = v; }, "any"),
      years.length > 1 && make("div", { class: "years" },
        select("From", years, filters.from, (v) => { filters.from = Number(v) || ""; }, "first"),
        select("to", years, filters.to, (v) => { filters.to = Number(v) || ""; }, "last"))),
    make("button", { type: "button", on: { click: clearFilters } }, "Show everything"),
  ].filter(Boolean));
}

function clearFilters() {
  Object.assign(filters, { venue: "", area: "", from: "", to: "", sure: 0, shared: false });
  filters.types.clear();
  filters.roles.clear();
  filtersChanged();
}

form.addEventListener("submit", (event) => event.preventDefault());

// Apply and draw; the form only while it is open.
function drawFiltered({ redrawForm = true } = {}) {
  const menu = document.getElementById("filters");
  const held = redrawForm && form.contains(document.activeElement) ? [...form.elements].indexOf(document.activeElement) : -1;
  refreshShown();
  drawLegend();
  if (redrawForm && menu.open) drawFilters();
  if (held >= 0) form.elements[held]?.focus();
  document.getElementById("filters-on").textContent = filtersOn() ? ` (${filtersOn()})` : "";
}

function filtersChanged({ redrawForm = true } = {}) {
  applyFilters();
  if (view.path) view.path.steps = shortestPath(view.path.from, view.path.to);
  updateNear();
  drawFiltered({ redrawForm });
  drawPanel({ keepFocus: true });
  writeAddress();
}

document.getElementById("filters").addEventListener("toggle", (event) => { if (event.target.open) drawFilters(); });
