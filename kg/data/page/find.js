// Find as you type: a combobox (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/) over names, other names and, last,
// the words of abstracts.

const find = document.getElementById("find");
const found = document.getElementById("found");
const index = [...things.values()].map((thing) => ({
  thing, names: [thing.label, ...(thing.names || [])].map((n) => fold(n.slice(0, 300))), text: thing.text ? fold(thing.text) : "",
}));
let chosen = -1;
let waiting = 0;

// How well a thing answers; 0: not at all.
function worth({ names, text }, asked) {
  let best = 0;
  for (const name of names) {
    const at = name.indexOf(asked);
    if (at < 0) continue;
    best = Math.max(best, name === asked ? 5 : at === 0 ? 4 : name[at - 1] === " " ? 3 : 2);
  }
  return best || (asked.length > 2 && text.includes(asked) ? 1 : 0);
}

function answers(asked) {
  return index.map((entry) => ({ thing: entry.thing, worth: worth(entry, asked) })).filter((hit) => hit.worth)
    .sort((a, b) => b.worth - a.worth || b.thing.links.length - a.thing.links.length || a.thing.label.length - b.thing.label.length || (a.thing.key < b.thing.key ? -1 : 1));
}

function option(key, thing, why, chosen_) {
  return make("li", {
    role: "option", "aria-selected": "false", "data-key": key,
    on: { pointerdown: (event) => { event.preventDefault(); chosen_(); } },
  }, icon(thing.type), make("span", { class: "name" }, name(thing)), make("span", { class: "why" }, why));
}

const remark = (text) => make("li", { class: "nothing", role: "option", "aria-disabled": "true" }, text);
const kindOf = (thing) => (thing.type === PAPER ? "paper" : `${TYPE_WORDS[thing.type][0]}, ${count(thing.papers || thing.within || 0, TYPE_WORDS.Paper)}`);

function showFound() {
  waiting = 0;
  const asked = fold(find.value);
  const hits = asked ? answers(asked) : [];
  found.replaceChildren(...hits.slice(0, 30).map(({ thing, worth: how }) => option(thing.key, thing, how === 1 ? "in the abstract" : kindOf(thing), () => choose(thing))));
  if (asked && !hits.length) found.append(remark("Nothing on this page has that name."));
  if (hits.length > 30) found.append(remark(`and ${digits(hits.length - 30)} more: type on`));
  openFound(Boolean(asked));
  mark(hits.length ? 0 : -1);
  say(asked ? count(hits.length, ["answer", "answers"]) : "");
  if (asked && data.remote) askServer(find.value);
}

// Where the page is served (`kg serve`), the server knows what the page leaves out.
async function askServer(asked) {
  const answer = await fetch(data.remote.search + encodeURIComponent(asked)).then((r) => (r.ok ? r.json() : []), () => []);
  if (find.value !== asked || found.hidden) return;
  const known = new Set([...things.values()].map(iriOf));
  const more = answer.filter((one) => !known.has(one.iri)).slice(0, 20);
  if (more.length) found.append(remark("In the rest of the graph:"));
  for (const one of more) {
    const thing = { ...one, type: TYPE_WORDS[one.type] ? one.type : "Other" };
    found.append(option(one.iri, thing, kindOf(thing), () => leaveFor(one.iri)));
  }
  if (more.length) mark(Math.max(chosen, 0));
}

const leaveFor = (iri) => { location.href = data.remote.page + encodeURIComponent(iri); };

function openFound(open) {
  found.hidden = !open;
  find.setAttribute("aria-expanded", String(open));
  if (!open) find.removeAttribute("aria-activedescendant");
}

function mark(i) {
  const options = [...found.querySelectorAll("[data-key]")];
  chosen = options.length ? (i + options.length) % options.length : -1;
  options.forEach((one, j) => {
    one.id = `found-${j}`;
    one.setAttribute("aria-selected", String(j === chosen));
  });
  if (chosen < 0) return find.removeAttribute("aria-activedescendant");
  find.setAttribute("aria-activedescendant", options[chosen].id);
  options[chosen].scrollIntoView({ block: "nearest" });
}

function choose(thing) {
  find.value = "";
  openFound(false);
  go(thing);
}

find.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(showFound, 70);
});
find.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    if (found.hidden && find.value) showFound();
    else mark(chosen + (event.key === "ArrowDown" ? 1 : -1));
  } else if (event.key === "Enter") {
    clearTimeout(waiting);
    if (found.hidden || waiting) showFound();
    const key = found.querySelector('[aria-selected="true"]')?.dataset.key;
    if (byKey.has(key)) choose(byKey.get(key));
    else if (key) leaveFor(key);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    if (found.hidden) find.blur();
    find.value = "";
    openFound(false);
  }
});
find.addEventListener("blur", () => openFound(false));
