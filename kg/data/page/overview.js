// The panel when nothing is selected: how much there is, what is biggest, which areas.

function overviewPanel() {
  const shownPapers = papers.filter((p) => p.shown);
  const number = (n, words) => make("li", {}, make("b", {}, digits(n)), words[n === 1 ? 0 : 1]);
  return [
    make("h2", { tabindex: "-1" }, "Overview"),
    make("ul", { class: "numbers" }, number(data.totals.papers, TYPE_WORDS.Paper),
      data.types.filter((t) => data.totals[t] && t !== AREA).map((t) => number(data.totals[t], TYPE_WORDS[t]))),
    data.leftOut.map((text) => make("p", { class: "note" }, text)),
    filtersOn() > 0 && make("p", { class: "note" }, `Filtered: ${count(shownPapers.length, TYPE_WORDS.Paper)} and ${count(concepts.filter((c) => c.shown).length, TYPE_WORDS.Other)} are shown. `,
      make("button", { type: "button", on: { click: clearFilters } }, "Show everything")),
    sharedMost(),
    data.types.map(biggest),
    areaList(),
  ];
}

// How many papers name a concept: all of them, or, with filters, those that are shown.
const papersOf = (concept) => !filtersOn() ? concept.papers : new Set(concept.links.filter((l) => l.shown && l.from.type === PAPER).map((l) => l.from)).size;

function bars(list, most) {
  return make("dl", { class: "bars" }, list.map(([thing, n]) => {
    const bar = make("i", { class: `bar-${thing.type.toLowerCase()}` });
    bar.style.width = `${Math.round((66 * n) / most)}%`;
    return [make("dt", {}, thingLink(thing)), make("dd", {}, bar, digits(n))];
  }));
}

function sharedMost() {
  const list = concepts.filter((c) => c.shown).map((c) => [c, papersOf(c)]).filter(([, n]) => n > 1).sort(byNumber).slice(0, 10);
  if (!list.length) return null;
  return [heading("Shared by most papers"), bars(list, list[0][1])];
}

const byNumber = ([a, n], [b, m]) => m - n || (a.label < b.label ? -1 : 1);
const saidIn = (concept) => concept.links.filter((l) => l.shown && l.from.type === PAPER)
  .reduce((n, l) => n + (l.entities || []).reduce((m, i) => m + l.from.entities[i].at.length, 0), 0);

// The biggest of a type: by papers, and where none is in two, by how often it is said.
function biggest(type) {
  const all = concepts.filter((c) => c.shown && c.type === type);
  const shared = all.map((c) => [c, papersOf(c)]).filter(([, n]) => n > 1);
  const enough = shared.length >= 3;
  const list = (enough ? shared : all.map((c) => [c, saidIn(c)])).sort(byNumber).slice(0, 6);
  if (!list.length || !list[0][1]) return null;
  return [heading(`Biggest ${TYPE_WORDS[type][1]}`, enough ? "by papers" : "by mentions"), bars(list, list[0][1])];
}

// All papers, by area; those in areas without a name come together at the end.
function areaList() {
  const list = (ids) => make("ul", { class: "plain" }, ids.map((id) => make("li", {}, thingLink(things.get(id)))));
  const fold_ = (words, ids, thing) => make("details", { class: "area" }, make("summary", {}, make("bdi", {}, words), " ", make("span", { class: "sure" }, count(ids.length, TYPE_WORDS.Paper))),
    thing && make("p", {}, make("a", { href: address(thing) }, "Show the area")), list(ids));
  const named = data.areas.filter((a) => a.name);
  const rest = data.areas.filter((a) => !a.name).flatMap((a) => a.papers);
  if (!named.length) return rest.length > 0 && [heading("Papers", rest.length), list(rest)];
  return [heading("Papers by area", papers.length), named.map((a) => fold_(capital(a.name), a.papers, a.thing)), rest.length > 0 && fold_("Others", rest)];
}
