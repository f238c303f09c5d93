// What the page holds: things (papers and concepts) and links between them, read from the JSON island.
//
// Offsets in the data count Unicode code points; JavaScript's strings count UTF-16 units. `slice` is the only place
// where the two meet.

const data = JSON.parse(document.getElementById("data").textContent);
const things = new Map();          // id → thing
const byKey = new Map();           // IRI without the base → thing
const links = [];                  // {id, from, to, role, confidence, entities}; broader: {sources, papers, said}
const PAPER = "Paper", AREA = "Area", BROADER = "broader";
const other = (link, thing) => (link.from === thing ? link.to : link.from);

for (const node of data.network.nodes) {
  const thing = { ...node, ...data.details[node.id], links: [], ties: [], shown: true };
  things.set(thing.id, thing);
  byKey.set(thing.key, thing);
}
for (const edge of data.network.edges) {
  const link = { ...edge, from: things.get(edge.from), to: things.get(edge.to), shown: true };
  link.from.links.push(link);
  link.to.links.push(link);
  links.push(link);
}
const papers = [...things.values()].filter((t) => t.type === PAPER);
for (const paper of papers) {
  for (const { id, ...reason } of paper.related || []) {
    const tie = { from: paper, to: things.get(id), role: "alike", ...reason };
    if (!tie.to || paper.ties.some((t) => other(t, paper) === tie.to)) continue;
    paper.ties.push(tie);
    tie.to.ties.push(tie);
  }
}
const concepts = [...things.values()].filter((t) => t.type !== PAPER);
const upFrom = (thing) => thing.links.filter((l) => l.role === BROADER && l.from === thing);
const downFrom = (thing) => thing.links.filter((l) => l.role === BROADER && l.to === thing);
const namingOf = (thing) => [...new Set(thing.links.filter((l) => l.role !== BROADER).map((l) => other(l, thing)))];
for (const concept of concepts) {
  const naming = namingOf(concept);
  concept.isKind = naming.length === 0 && downFrom(concept).length > 0;    // no paper names it: only what is narrower
  concept.onlyPaper = naming.length === 1 ? naming[0] : null;
}
for (const area of data.areas) {
  const members = area.papers.map((id) => things.get(id));
  area.thing = things.get(area.id) || null;
  if (!area.thing) continue;
  for (const paper of members) paper.area = area.thing;
  area.thing.members = members;
  for (const axis of ["x", "y"]) area.thing[axis] = members.reduce((sum, p) => sum + p[axis], 0) / members.length;
}

const ROLE_WORDS = {
  proposes: ["proposes", "proposed by"], evaluatesOn: ["evaluates on", "evaluated on by"],
  reports: ["reports", "reported by"], addresses: ["addresses", "addressed by"],
  comparesWith: ["compares with", "compared with by"], uses: ["uses", "used by"],
  studies: ["studies", "studied by"], mentions: ["mentions", "mentioned by"], alike: ["is like", "is like"],
  broader: ["is a kind of", "has the kind"],
};
const TYPE_WORDS = {
  Paper: ["paper", "papers"], Model: ["model", "models"], Dataset: ["data set", "data sets"],
  Method: ["method", "methods"], Metric: ["metric", "metrics"], Task: ["task", "tasks"], Area: ["area", "areas"],
  Other: ["thing", "things"],
};
const spaced = (name) => name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
const roleWords = (role) => (ROLE_WORDS[role] || [spaced(role), `${spaced(role)} of`])[0];
const roleWordsBack = (role) => (ROLE_WORDS[role] || [spaced(role), `${spaced(role)} of`])[1];
const digits = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");   // toLocaleString takes a tenth of a second to wake
const count = (n, [one, many]) => `${digits(n)} ${n === 1 ? one : many}`;
const iriOf = (thing) => thing.iri || (thing.type === "Other" ? "" : data.base + thing.key);
const percent = (confidence) => `${Math.round(confidence * 100)} %`;
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// The part of a text between two code points.
function slice(text, start, end) {
  if (!/[\ud800-\udbff]/.test(text)) return text.slice(start, end);
  return Array.from(text).slice(start, end).join("");
}

// The sentence around a mention, and where in it the mention is.
function sentenceOf(paper, [start, end]) {
  const [from, to] = paper.sentences.find(([a, b]) => a <= start && start < b) || [Math.max(0, start - 120), end + 120];
  const stop = Math.max(to, end);
  return {
    before: slice(paper.text, from, start), mention: slice(paper.text, start, end), after: slice(paper.text, end, stop),
  };
}

// The words of a paper that say that one thing is a kind of another, from the first of the two to the last.
const saying = ([id, ...at]) => ({ ...sentenceOf(things.get(id), at), paper: things.get(id) });

// The mentions that say a link: [{before, mention, after}], one a sentence.
function evidence(link) {
  if (link.role === BROADER) return (link.said || []).map(saying);
  const paper = link.from;
  const said = new Map();
  for (const index of link.entities || []) {
    const entity = paper.entities[index];
    for (const at of entity.at) {
      const sentence = sentenceOf(paper, at);
      const whole = sentence.before + sentence.mention + sentence.after;
      if (!said.has(whole)) said.set(whole, sentence);
    }
    for (const [start, end] of entity.title || []) {
      const title = paper.label;
      said.set(title, { before: slice(title, 0, start), mention: slice(title, start, end), after: slice(title, end) });
    }
  }
  return [...said.values()];
}

// For search: lower case, without accents, dashes and spaces alike.
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[\s\-‐-―_]+/g, " ").trim();
