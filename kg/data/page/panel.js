// The panel: the selected paper or concept, or a path, each with the sentences that say it.

const panel = document.getElementById("panel");

const LONGEST_NAME = 160;
const short = (text, most = LONGEST_NAME) => (text.length > most ? `${Array.from(text).slice(0, most).join("")}…` : text);
const name = (thing) => make("bdi", {}, short(thing.label));
const address = (thing) => `#${encodeURIComponent(thing.key).replaceAll("%2F", "/")}`;
const thingLink = (thing) => make("a", { class: "thing", href: address(thing) }, icon(thing.type), make("span", {}, name(thing)));
const heading = (text, n) => make("h3", {}, text, n == null ? "" : [" ", make("span", { class: "count" }, String(n))]);
const sure = (confidence) => (confidence == null ? "" : make("span", { class: "sure", title: "How sure the reader was" }, percent(confidence)));

function drawPanel({ keepFocus = false } = {}) {
  const parts = view.path ? pathPanel(view.path) : view.selected ? (view.selected.type === PAPER ? paperPanel(view.selected) : conceptPanel(view.selected)) : overviewPanel();
  const at = panel.scrollTop;
  panel.replaceChildren(...parts.flat(Infinity).filter(Boolean));
  panel.scrollTop = keepFocus ? at : 0;
}

function sentence({ before, mention, after, paper }, type) {
  return make("p", { class: "sentence" }, make("bdi", {}, before, make("mark", { class: `mention ${type.toLowerCase()}` }, mention), after), paper && [" ", thingLink(paper)]);
}

// A line with a button that shows the sentences behind it.
function fact(head, link, type, open = false) {
  const said = evidence(link);
  if (!said.length) return make("div", { class: "fact" }, head, sure(link.confidence));
  const sentences = make("div", { hidden: !open }, said.map((s) => sentence(s, type)));
  const toggle = make("button", {
    type: "button", class: "say", "aria-expanded": String(open), "aria-label": count(said.length, ["sentence that says so", "sentences that say so"]),
    on: { click: () => {
      sentences.hidden = !sentences.hidden;
      toggle.setAttribute("aria-expanded", String(!sentences.hidden));
    } },
  });
  return [make("div", { class: "fact" }, head, sure(link.confidence), toggle), sentences];
}

// ---- a paper

// The text with each mention as a link. A mention inside another one stands inside it; one that reaches over the end of
// the one before begins there.
function marked(paper) {
  const units = Array.from(paper.text);
  const spans = paper.entities.flatMap((e) => e.at.map(([start, end, confidence]) => ({ start, end, confidence, e })));
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  let next = 0;
  const part = (from, to, plain) => {
    const made = [];
    while (next < spans.length && spans[next].start < to) {
      const span = spans[next];
      next += 1;
      const [start, end] = [Math.max(span.start, from), Math.min(span.end, to)];
      if (start >= end) continue;
      made.push(plain(units.slice(from, start).join("")), mention(span, start, end));
      from = end;
    }
    return [...made, plain(units.slice(from, to).join(""))];
  };
  const mention = (span, start, end) => {
    const inner = next < spans.length && spans[next].start < end;
    if (!inner) return mentionLink(span, units.slice(start, end).join(""), true);
    return make("span", mentionLook(span), part(start, end, (text) => text && mentionLink(span, text, false)));
  };
  return part(0, units.length, (text) => text);
}

function mentionLook({ e, confidence }) {
  const type = things.get(e.id)?.type || e.type;
  return { class: `mention ${type.toLowerCase()}`, title: `${type}: ${roleWords(e.role)}, ${percent(confidence)}`, "data-node": e.id };
}

function mentionLink(span, text, look) {
  const thing = things.get(span.e.id);
  return make(thing ? "a" : "span", { href: thing && address(thing), ...(look ? mentionLook(span) : {}) }, text);
}

function paperPanel(paper) {
  const links_ = [["doi", "DOI"], ["arxiv", "arXiv"], ["url", "Web page"]].filter(([k]) => paper[k]);
  return [
    kind(paper, [paper.venue, paper.year].filter(Boolean).join(" ")),
    title(paper),
    paper.area && make("p", { class: "soft" }, "In the area of ", thingLink(paper.area)),
    paper.authors?.length > 0 && make("p", { class: "soft" }, make("bdi", {}, short(paper.authors.join(", "), 400))),
    actions(paper),
    make("p", { class: "abstract", dir: "auto" }, marked(paper)),
    links_.length > 0 && make("p", { class: "soft" }, links_.map(([k, words]) => [make("a", { href: paper[k], rel: "noopener noreferrer", target: "_blank" }, words), " "])),
    factsByRole(paper),
    resultTable(paper.results.map((r) => ({ ...r, paper })), { subject: true }),
    relatedList(paper),
  ];
}

function factsByRole(paper) {
  const by = Map.groupBy(paper.links, (l) => l.role);
  const order = [...data.roles.filter((r) => by.has(r)), ...[...by.keys()].filter((r) => !data.roles.includes(r))];
  return order.map((role) => {
    const list = by.get(role).toSorted((a, b) => data.types.indexOf(other(a, paper).type) - data.types.indexOf(other(b, paper).type));
    return [heading(capital(roleWords(role)), list.length), make("ul", { class: "plain" }, list.map((link) => {
      const thing = other(link, paper);
      return make("li", {}, fact([thingLink(thing), thing.papers > 1 && make("span", { class: "sure" }, `${thing.papers} papers`)], link, thing.type));
    }))];
  });
}

function relatedList(paper) {
  const list = (paper.related || []).filter((r) => things.has(r.id));
  if (!list.length) return null;
  return [heading("Related papers", list.length), make("ul", { class: "plain" }, list.map((r) => make("li", {}, thingLink(things.get(r.id)), make("p", { class: "sentence soft" }, reason(r)))))];
}

function reason({ concepts: shared, kinds = [], words }) {
  const named = (ids) => ids.map((id, i) => [i ? ", " : "", thingLink(things.get(id))]);
  return [
    shared.length > 0 && ["both name ", named(shared)],
    kinds.length > 0 && ["both name kinds of ", kinds.map(([kind, ...two], i) => [i ? ", " : "", thingLink(things.get(kind)), " (", named(two.filter((id) => id !== kind)), ")"])],
    words.length > 0 && ["both speak of ", words.join(", ")],
  ].filter(Boolean).map((part, i) => [i ? "; " : "", part]);
}

// ---- results, of papers and of concepts

const nameOr = (side) => (side && things.has(side.id) ? thingLink(things.get(side.id)) : make("bdi", {}, side ? side.name : ""));

function resultTable(results, { subject, paper } = {}) {
  if (!results.length) return null;
  const head = [paper && "Paper", subject && "What", "Measure", "Value", "Against"].filter(Boolean);
  return [heading("Results", results.length), make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Results" }, make("table", {}, make("thead", {}, make("tr", {}, head.map((h) => make("th", { scope: "col" }, h)))),
    make("tbody", {}, results.map((r) => make("tr", { title: sentenceText(r) },
      paper && make("td", {}, thingLink(r.paper)),
      subject && make("td", {}, nameOr(r.subject)),
      make("td", {}, nameOr(r.metric), r.condition && [" (", make("bdi", {}, r.condition), ")"], r.dataset && [" on ", nameOr(r.dataset)]),
      make("td", { class: "number" }, make("bdi", {}, r.value), r.kinds && make("span", { class: "soft" }, ` ${r.kinds.join(", ")}`)),
      make("td", {}, nameOr(r.baseline), r.baselineValue && ` ${r.baselineValue}`))))))];
}

function sentenceText(r) {
  const { before, mention, after } = sentenceOf(r.paper, r.at);
  return before + mention + after;
}

// ---- a concept

function conceptPanel(concept) {
  const names = (concept.names || []).filter((n) => n !== concept.label);
  const by = Map.groupBy(concept.links.filter((l) => l.from.type === PAPER), (l) => l.role);
  const rest = concept.links.filter((l) => l.from.type !== PAPER && l.role !== BROADER);
  const away = concept.papers - new Set(concept.links.map((l) => l.from).filter((t) => t.type === PAPER)).size;
  const rivals = comparedWith(concept);
  const results = papers.flatMap((paper) => paper.results.filter((r) => [r.subject, r.metric, r.dataset, r.baseline].some((s) => s?.id === concept.id)).map((r) => ({ ...r, paper })));
  return [
    kind(concept, namedBy(concept)),
    title(concept),
    names.length > 0 && make("p", { class: "soft" }, "Also written"),
    names.length > 0 && make("ul", { class: "tags" }, names.slice(0, 40).map((n) => make("li", {}, make("bdi", {}, short(n))))),
    actions(concept),
    broaderList(concept),
    concept.members && [heading("Papers", concept.members.length), folded(concept.members.map((p) => make("li", {}, thingLink(p))))],
    concept.type === AREA && narrowerList(concept),
    data.roles.filter((r) => by.has(r)).map((role) => [heading(capital(roleWordsBack(role)), by.get(role).length), make("ul", { class: "plain" },
      by.get(role).map((link) => make("li", {}, fact(thingLink(link.from), link, concept.type, by.get(role).length < 12))))]),
    concept.type !== AREA && narrowerList(concept),
    away > 0 && make("p", { class: "note" }, `${count(away, ["more paper names", "more papers name"])} it, left out of this page.`),
    rivals.length > 0 && [heading("Who compares with it", rivals.length), make("ul", { class: "plain" }, rivals.map(([paper, made]) => make("li", {},
      made.length ? made.map((m, i) => [i ? ", " : "", thingLink(m)]) : thingLink(paper), made.length > 0 && make("span", { class: "soft" }, " in ", thingLink(paper)))))],
    resultTable(results, { paper: true, subject: concept.type !== "Model" && concept.type !== "Method" }),
    rest.length > 0 && [heading("Other links", rest.length), make("ul", { class: "plain" }, rest.map((l) => make("li", {}, l.from === concept ? `${roleWords(l.role)} ` : `${roleWordsBack(l.role)} `, thingLink(other(l, concept)))))],
  ];
}

// How many papers name a thing, itself or by something narrower.
function namedBy({ papers: n, within, members }) {
  if (members) return `${count(members.length, TYPE_WORDS.Paper)}, ${digits(within)} name something of it`;
  const all = within > n ? `${count(within, TYPE_WORDS.Paper)} with its kinds` : "";
  return [n ? count(n, TYPE_WORDS.Paper) : "", all].filter(Boolean).join(", ");
}

// Where it is known from that one thing is a kind of another.
const KNOWN = { name: ["name", "Its name says so"], "field map": ["map", "The map of the field says so"], text: ["papers", "Papers say so"] };
function known({ sources = [], papers: n }) {
  const words = sources.map((s) => (s === "text" && n ? count(n, TYPE_WORDS.Paper) : KNOWN[s]?.[0] || s));
  return make("span", { class: "sure", title: sources.map((s) => KNOWN[s]?.[1] || s).join("; ") }, words.length ? `by ${words.join(", ")}` : "");
}

// What a thing is a kind of, up to the area.
function broaderList(concept) {
  const steps = (thing, far) => {
    const up = upFrom(thing);
    return up.length > 0 && make("ul", { class: far ? "plain chain" : "plain" }, up.map((link) => make("li", {},
      fact([thingLink(link.to), known(link)], link, thing.type, !far), far < 8 && steps(link.to, far + 1))));
  };
  const list = steps(concept, 0);
  return list && [heading("Broader"), list];
}

const weight = (thing) => thing.within || thing.papers || 0;

function narrowerList(concept) {
  const down = downFrom(concept).sort((a, b) => weight(b.from) - weight(a.from) || (a.from.label < b.from.label ? -1 : 1));
  return down.length > 0 && [heading(concept.type === AREA ? "In it" : "Narrower", down.length), folded(down.map((link) => make("li", {},
    fact([thingLink(link.from), make("span", { class: "sure" }, weight(link.from) > 1 ? count(weight(link.from), TYPE_WORDS.Paper) : ""), known(link)], link, link.from.type, down.length < 12))))];
}

// A list whose tail is folded away.
const HEAD = 15;
function folded(items) {
  const list = (some) => make("ul", { class: "plain" }, some);
  if (items.length <= HEAD + 3) return list(items);
  return [list(items.slice(0, HEAD)), make("details", { class: "area" }, make("summary", {}, `${digits(items.length - HEAD)} more`), list(items.slice(HEAD)))];
}

// Papers that compare with a concept, each with what it proposes of the same kind.
function comparedWith(concept) {
  return concept.links.filter((l) => l.role === "comparesWith" && l.from.type === PAPER)
    .map(({ from }) => [from, from.links.filter((l) => l.role === "proposes" && l.to !== concept && ["Model", "Method"].includes(l.to.type)).map((l) => l.to)]);
}

// ---- a path

function pathPanel({ from, to, steps }) {
  const head = [make("p", { class: "kind" }, "Shortest path"), make("h2", { tabindex: "-1" }, name(from), " → ", name(to)),
    make("p", { class: "act" }, make("button", { type: "button", on: { click: () => go(from) } }, "Leave the path"))];
  if (!steps) return [...head, make("p", { class: "note" }, filtersOn() ? "No path leads there with these filters." : "No path leads there: they share nothing, not even by way of others.")];
  let thing = from;
  const rows = [make("li", {}, thingLink(thing))];
  for (const link of steps) {
    const next = other(link, thing);
    const words = link.from === thing ? roleWords(link.role) : roleWordsBack(link.role);
    const why = link.role === "alike" ? [": ", reason(link)] : evidence(link).slice(0, 1).map((s) => sentence(s, link.to.type));
    rows.push(make("li", { class: "step" }, words, why), make("li", {}, thingLink(next)));
    thing = next;
  }
  return [...head, make("p", { class: "soft" }, count(steps.length, ["step", "steps"])), make("ol", { class: "path" }, rows)];
}

// ---- heads

const kind = (thing, more) => make("p", { class: "kind" }, icon(thing.type), capital(TYPE_WORDS[thing.type][0]), more && ` · ${more}`);
const title = (thing) => make("h2", { tabindex: "-1" }, make("bdi", {}, short(thing.type === AREA ? capital(thing.label) : thing.label, 300)));

function actions(thing) {
  return make("div", { class: "act" },
    make("button", { type: "button", on: { click: () => pickPath(thing) } }, view.picking === thing ? "Choose where to… (Esc: no)" : "Path to…"),
    iriOf(thing) && make("button", { type: "button", title: iriOf(thing), on: { click: (e) => copy(iriOf(thing), e.target) } }, "Copy IRI"),
    make("button", { type: "button", on: { click: () => go(null) } }, "Overview"));
}

function copy(text, button) {
  const done = () => { button.textContent = "Copied"; say("Copied"); };
  const failed = () => { button.textContent = text; };     // to be copied by hand
  (navigator.clipboard?.writeText(text) || Promise.reject()).then(done, failed);
}
