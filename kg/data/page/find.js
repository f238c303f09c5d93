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

function showFound() {
  const asked = fold(find.value);
  const hits = asked ? answers(asked) : [];
  found.replaceChildren(...hits.slice(0, 30).map(({ thing, worth: how }, i) => make("li", {
    id: `found-${i}`, role: "option", "aria-selected": "false", "data-key": thing.key,
    on: { pointerdown: (event) => { event.preventDefault(); choose(thing); } },
  }, icon(thing.type), make("span", { class: "name" }, name(thing)),
  make("span", { class: "why" }, how === 1 ? "in the abstract" : thing.type === PAPER ? "paper" : `${TYPE_WORDS[thing.type][0]}, ${count(thing.papers, TYPE_WORDS.Paper)}`))));
  if (asked && !hits.length) found.append(make("li", { class: "nothing", role: "option", "aria-disabled": "true" }, "Nothing on this page has that name."));
  if (hits.length > 30) found.append(make("li", { class: "nothing", role: "option", "aria-disabled": "true" }, `and ${hits.length - 30} more: type on`));
  openFound(Boolean(asked));
  mark(hits.length ? 0 : -1);
  say(asked ? count(hits.length, ["answer", "answers"]) : "");
}

function openFound(open) {
  found.hidden = !open;
  find.setAttribute("aria-expanded", String(open));
  if (!open) find.removeAttribute("aria-activedescendant");
}

function mark(i) {
  const options = [...found.querySelectorAll("[data-key]")];
  chosen = options.length ? (i + options.length) % options.length : -1;
  options.forEach((option, j) => option.setAttribute("aria-selected", String(j === chosen)));
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
    const option = found.querySelector('[aria-selected="true"]');
    if (option) choose(byKey.get(option.dataset.key));
  } else if (event.key === "Escape") {
    event.stopPropagation();
    if (found.hidden) find.blur();
    find.value = "";
    openFound(false);
  }
});
find.addEventListener("blur", () => openFound(false));
