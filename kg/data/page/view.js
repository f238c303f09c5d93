// What is seen: the state of the page, and which things and links the filters leave. No drawing here.

const view = {
  selected: null,            // thing
  path: null,                // {from, to, steps: [link]} or {from, to, steps: null} where there is none
  picking: null,             // thing: the next one chosen ends a path from here
  hovered: null,             // thing
  cursor: null,              // thing the keyboard is on
  near: new Set(),           // things that stay when the rest fades
  nearLinks: new Set(),
};
const filters = { types: new Set(), roles: new Set(), venue: "", area: "", from: "", to: "", sure: 0, shared: false, ties: true };

const years = [...new Set(papers.map((p) => p.year).filter(Boolean))].sort((a, b) => a - b);
const venues = [...new Set(papers.map((p) => p.venue).filter(Boolean))].sort();
const roles = data.roles.filter((role) => links.some((link) => link.role === role));

function paperPasses(paper) {
  return (!filters.venue || paper.venue === filters.venue) && (!filters.area || paper.area?.key === filters.area)
    && (!filters.from || paper.year >= filters.from) && (!filters.to || (paper.year && paper.year <= filters.to));
}

function linkPasses(link) {
  return [link.from, link.to].every((thing) => (thing.type === PAPER ? paperPasses(thing) : !filters.types.has(thing.type)))
    && !filters.roles.has(link.role) && (link.confidence ?? 1) >= filters.sure;
}

// Mark each thing and link as shown or not; a concept is shown while some link of it is, and what no paper names while
// something narrower is.
function applyFilters() {
  for (const link of links) link.shown = linkPasses(link);
  const reached = new Map();
  const namingNow = (concept) => {
    if (!reached.has(concept)) {
      const own = namingOf(concept).length ? concept.links.filter((l) => l.shown && l.role !== BROADER).map((l) => other(l, concept)) : [];
      const below = concept.isKind ? downFrom(concept).filter((l) => l.shown).flatMap((l) => [...namingNow(l.from)]) : [];
      const alone = !concept.isKind && !namingOf(concept).length && concept.links.some((l) => l.shown);
      reached.set(concept, new Set([...own, ...below, ...(alone ? [concept] : [])]));
    }
    return reached.get(concept);
  };
  for (const concept of concepts) concept.shown = !filters.types.has(concept.type) && namingNow(concept).size >= (filters.shared ? 2 : 1);
  for (const concept of concepts) if (!concept.shown) for (const link of concept.links) link.shown = false;
  for (const paper of papers) paper.shown = paperPasses(paper) && !filters.types.has(PAPER);
  for (const link of links) if (!link.from.shown || !link.to.shown) link.shown = false;
}

// How many filters differ from "show everything".
function filtersOn() {
  return filters.types.size + filters.roles.size + [filters.venue, filters.area, filters.from, filters.to, filters.sure, filters.shared].filter(Boolean).length;
}

const visible = (thing) => thing.shown && (!thing.later || view.near.has(thing));

// The selected thing and its neighbours, or the path, stay; without a selection nothing fades.
function updateNear() {
  view.near = new Set();
  view.nearLinks = new Set();
  if (view.path) {
    for (const thing of [view.path.from, view.path.to]) view.near.add(thing);
    for (const step of view.path.steps || []) {
      view.nearLinks.add(step);
      view.near.add(step.from).add(step.to);
    }
  } else if (view.selected?.type === AREA) {
    const members = (view.selected.members || []).filter((p) => p.shown);
    view.near = new Set(members);
    for (const link of members.flatMap((p) => p.links)) {
      if (!link.shown || link.to.later || namingOf(link.to).some((p) => p.area !== view.selected)) continue;
      view.nearLinks.add(link);
      view.near.add(link.to);
    }
    for (const kind of concepts.filter((c) => c.isKind && c.shown && !c.later)) {
      const down = downFrom(kind).filter((l) => l.shown);
      if (!down.length || !down.every((l) => view.near.has(l.from))) continue;
      view.near.add(kind);
      for (const link of down) view.nearLinks.add(link);
    }
    if (!view.near.size) view.near.add(view.selected);
  } else if (view.selected) {
    view.near.add(view.selected);
    for (const link of view.selected.links.filter((l) => l.shown && l.to.type !== AREA)) {
      view.nearLinks.add(link);
      view.near.add(other(link, view.selected));
    }
    if ((view.selected.within || 0) <= MOST_BELOW) addBelow(view.selected);
  }
}

// What is narrower, by any number of steps, with the papers that name it.
const MOST_BELOW = 40;
function addBelow(thing) {
  for (const down of downFrom(thing).filter((l) => l.shown)) {
    for (const link of [down, ...down.from.links.filter((l) => l.shown && l.role !== BROADER)]) {
      view.nearLinks.add(link);
      view.near.add(link.from).add(link.to);
    }
    addBelow(down.from);
  }
}

// The shortest path over what the filters show: the steps from one thing to another in order, or null. Where nothing
// shared leads there, papers that are alike are steps, too.
function shortestPath(from, to) {
  const over = (thing) => thing.links.filter((link) => link.shown && link.to.type !== AREA);
  return search(from, to, over) || search(from, to, (thing) => [...over(thing), ...(filters.ties ? thing.ties.filter((t) => t.from.shown && t.to.shown) : [])]);
}

function search(from, to, steps) {
  const cameBy = new Map([[from, null]]);
  const queue = [from];
  for (const thing of queue) {
    if (thing === to) break;
    for (const step of steps(thing)) {
      const next = other(step, thing);
      if (cameBy.has(next)) continue;
      cameBy.set(next, step);
      queue.push(next);
    }
  }
  if (!cameBy.has(to)) return null;
  const path = [];
  for (let thing = to; thing !== from; thing = other(path[0], thing)) path.unshift(cameBy.get(thing));
  return path;
}
