// Putting it together: the address, the pointer, the keyboard.

const said = document.getElementById("said");
const say = (text) => { said.textContent = text; };
const tip = document.getElementById("tip");

// ---- the address: #key?filters, so that a view can be linked and Back goes back

function addressNow() {
  const more = new URLSearchParams();
  if (view.path) more.set("to", view.path.to.key);
  if (filters.types.size) more.set("hide", [...filters.types].join(" "));
  if (filters.roles.size) more.set("without", [...filters.roles].join(" "));
  for (const [key, value] of [["venue", filters.venue], ["area", filters.area], ["from", filters.from], ["until", filters.to], ["sure", filters.sure], ["shared", filters.shared ? 1 : ""], ["alike", filters.ties ? "" : 0]]) {
    if (value !== "" && value !== 0 || key === "alike" && value === 0) more.set(key, value);
  }
  const thing = view.path ? view.path.from : view.selected;
  const query = more.toString();
  return (thing ? address(thing) : "#") + (query ? `?${query}` : "");
}

let written = null;
function writeAddress({ step = false } = {}) {
  written = addressNow();
  if (written === (location.hash || "#")) return;
  history[step ? "pushState" : "replaceState"](null, "", written);
}

function readAddress({ animate = true } = {}) {
  const [key, query = ""] = location.hash.slice(1).split("?");
  const more = new URLSearchParams(query);
  const set = (text, known) => new Set((text || "").split(" ").filter((t) => known.includes(t)));
  Object.assign(filters, {
    types: set(more.get("hide"), [PAPER, ...data.types]), roles: set(more.get("without"), roles),
    venue: venues.includes(more.get("venue")) ? more.get("venue") : "", area: byKey.get(more.get("area"))?.members ? more.get("area") : "", from: Number(more.get("from")) || "", to: Number(more.get("until")) || "",
    sure: Math.min(1, Math.max(0, Number(more.get("sure")) || 0)), shared: more.get("shared") === "1", ties: more.get("alike") !== "0",
  });
  let thing = null;
  try { thing = byKey.get(decodeURIComponent(key)) || null; } catch { /* not an address of this page */ }
  applyFilters();
  drawFiltered();
  const to = thing && byKey.get(more.get("to"));
  show(thing, to ? { from: thing, to, steps: shortestPath(thing, to) } : null, { animate });
}

// ---- selecting

const FIND = matchMedia("(hover: hover)").matches ? "Find…   press /" : "Find…";
find.placeholder = FIND;

// Show a thing, a path, or (null) the overview; no change of the address.
function show(thing, path = null, { animate = true } = {}) {
  Object.assign(view, { selected: thing, path, picking: null, cursor: thing, hovered: null });
  hideTip();
  updateNear();
  drawPanel();
  document.title = thing ? `${short(thing.label, 80)} · ${data.title}` : data.title;
  if (view.near.size) {
    fitted = false;
    const above = new Set(upFrom(thing).map((l) => l.to));
    fit(path || thing.type !== PAPER ? [...view.near].filter((t) => path || !above.has(t)) : [thing, ...[...view.near].filter((t) => t.onlyPaper === thing)], { animate, most: 2.8 });
  } else fitAll(animate);
  network.redraw();
}

// Select as the reader does: a step in the history, the panel's heading in focus.
function go(thing) {
  find.placeholder = FIND;
  if (thing && view.picking && thing !== view.picking) {
    const from = view.picking;
    show(from, { from, to: thing, steps: shortestPath(from, thing) });
  } else show(thing);
  writeAddress({ step: true });
  panel.querySelector("h2")?.focus({ preventScroll: true });
}

function pickPath(thing) {
  view.picking = view.picking === thing ? null : thing;
  drawPanel({ keepFocus: true });
  if (view.picking) {
    say("Choose where the path ends: find it, or click it on the map");
    find.focus();
    find.placeholder = "Path to…";
  } else find.placeholder = FIND;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[href^="#"]');
  if (link && link.id !== "skip") {
    event.preventDefault();
    go(link.id === "home" ? null : byKey.get(decodeURIComponent(link.getAttribute("href").slice(1))) || null);
  } else if (link) {
    event.preventDefault();
    panel.focus();
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
window.addEventListener("popstate", () => readAddress());
window.addEventListener("hashchange", () => { if ((location.hash || "#") !== written) readAddress(); });

// ---- the pointer

function hideTip() {
  tip.hidden = true;
}

function showTip(point, head, lines) {
  tip.replaceChildren(make("b", {}, head), ...lines.map((line) => make("div", {}, line)));
  tip.hidden = false;
  const { width, height } = size();
  tip.style.left = `${Math.max(4, Math.min(point.x + 14, width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${point.y + 18 + tip.offsetHeight > height ? point.y - tip.offsetHeight - 12 : point.y + 18}px`;
}

// What a thing is and who does what with it, in a line or two.
function describe(thing) {
  if (thing.type === PAPER) return [[count(new Set(thing.links.map((l) => other(l, thing))).size, TYPE_WORDS.Other), thing.venue, thing.year].filter(Boolean).join(" · ")];
  const by = Map.groupBy(thing.links.filter((l) => l.shown && l.role !== BROADER), (l) => l.role);
  const up = upFrom(thing).map((l) => l.to.label), down = downFrom(thing).length;
  return [[capital(TYPE_WORDS[thing.type][0]), up.length > 0 && `a kind of ${short(up.join(", "), 70)}`, down > 0 && namedBy(thing)].filter(Boolean).join(" · "), ...[...by].slice(0, 5).map(([role, list]) =>
    [`${roleWordsBack(role)} `, list.length > 1 ? count(list.length, TYPE_WORDS.Paper) : make("bdi", {}, short(other(list[0], thing).label, 70))])];
}

const pointOf = (event) => {
  const { left, top } = box.getBoundingClientRect();
  return { x: event.clientX - left, y: event.clientY - top };
};

function hover(point) {
  const thing = thingAt(point, 7);
  const link = thing ? null : linkAt(point);
  if (thing !== view.hovered) {
    view.hovered = thing;
    for (const mention of panel.querySelectorAll("[data-node]")) mention.classList.toggle("now", thing !== null && mention.dataset.node === thing.id);
    network.redraw();
  }
  box.style.cursor = thing ? "pointer" : "";
  if (thing) showTip(point, name(thing), describe(thing));
  else if (link) showTip(point, [name(link.from), ` ${roleWords(link.role)} `, name(link.to)], evidence(link).slice(0, 1).map((s) => make("bdi", {}, short(s.before + s.mention + s.after, 240))));
  else hideTip();
}

// A mention under the pointer shows its node, and a node its mentions.
panel.addEventListener("pointerover", (event) => {
  const thing = things.get(event.target.closest?.("[data-node]")?.dataset.node) || null;
  if (thing === view.hovered) return;
  view.hovered = thing;
  network.redraw();
});

box.addEventListener("pointermove", (event) => { if (event.pointerType !== "touch" && !event.buttons) hover(pointOf(event)); });
box.addEventListener("pointerleave", () => {
  view.hovered = null;
  hideTip();
  network.redraw();
});
network.on("click", ({ pointer, event }) => {
  const touch = (event.srcEvent?.pointerType || event.pointerType) === "touch";
  const thing = thingAt(pointer.DOM, touch ? 18 : 8);
  if (thing) go(thing);
  else if (view.selected || view.path) go(null);
});

// ---- the keyboard

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The nearest visible thing in a direction: near ahead, not far aside.
function nextThing(from, [dx, dy]) {
  let best = null, least = Infinity;
  for (const thing of things.values()) {
    if (thing === from || !visible(thing) || (view.near.size && !view.near.has(thing))) continue;
    const [x, y] = [thing.x - from.x, thing.y - from.y];
    const ahead = x * dx + y * dy, aside = Math.abs(x * dy - y * dx);
    if (ahead <= 0 || aside > 2 * ahead) continue;
    if (ahead + 2 * aside < least) [best, least] = [thing, ahead + 2 * aside];
  }
  return best;
}

function moveCursor(way) {
  const centre = network.getViewPosition();
  const from = view.cursor && visible(view.cursor) ? view.cursor : null;
  const next = from ? nextThing(from, way) : [...things.values()].filter(visible).sort((a, b) => Math.hypot(a.x - centre.x, a.y - centre.y) - Math.hypot(b.x - centre.x, b.y - centre.y))[0];
  if (!next) return;
  view.cursor = next;
  const at = camera();
  if (at.x(next) < 40 || at.y(next) < 40 || at.x(next) > at.width - 40 || at.y(next) > at.height - 80) moveTo({ x: next.x, y: next.y }, at.scale);
  network.redraw();
  say(`${short(next.label)}, ${TYPE_WORDS[next.type][0]}, ${count(next.links.length, ["link", "links"])}`);
}

box.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (ARROWS[event.key]) moveCursor(ARROWS[event.key]);
  else if (event.key === "Enter" && view.cursor) go(view.cursor);
  else if (event.key === "+" || event.key === "=") zoomBy(1.35);
  else if (event.key === "-") zoomBy(1 / 1.35);
  else if (event.key === "0") fitAll();
  else return;
  event.preventDefault();
});
box.addEventListener("blur", () => {
  view.cursor = null;
  network.redraw();
});

const help = document.getElementById("help");
const keysOn = document.getElementById("keys-on");
document.addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input:not([type=checkbox], [type=range]), select, dialog");
  if (event.key === "Escape" && !help.open) {
    const menu = document.querySelector("details.menu[open]");
    if (menu) menu.open = false, menu.querySelector("summary").focus();
    else if (view.picking) pickPath(view.picking);
    else if (view.selected || view.path) go(null);
  } else if (!typing && keysOn.checked && !event.ctrlKey && !event.metaKey && !event.altKey) {
    if (event.key === "/") event.preventDefault(), find.focus(), find.select();
    else if (event.key === "?") help.showModal();
  }
});
document.getElementById("help-open").addEventListener("click", () => help.showModal());
document.getElementById("zoom-in").addEventListener("click", () => zoomBy(1.35));
document.getElementById("zoom-out").addEventListener("click", () => zoomBy(1 / 1.35));
document.getElementById("zoom-fit").addEventListener("click", () => fitAll());

// ---- start

document.getElementById("home").append(data.title, make("span", {}, data.subtitle));
document.getElementById("made").append(data.made);
for (const paper of papers) {
  const own = paper.links.map((l) => l.to).filter((c) => !c.later && c.onlyPaper === paper);
  paper.reach = Math.max(paper.size, ...own.map((c) => Math.hypot(c.x - paper.x, c.y - paper.y) + c.size));
}
if (!location.hash && data.focus && things.has(data.focus)) history.replaceState(null, "", address(things.get(data.focus)));
readAddress({ animate: false });
document.documentElement.dataset.ready = Math.round(performance.now());

// For scripts and tests: where a thing is on the screen, and selecting it.
window.paperkg = {
  go: (key) => go(byKey.get(key) || null),
  where: (key) => {
    const { left, top } = box.getBoundingClientRect();
    const at = camera();
    const thing = byKey.get(key);
    return { x: left + at.x(thing), y: top + at.y(thing), shown: visible(thing) };
  },
  view, filters, network,
};
