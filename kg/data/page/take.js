// Take away: the picture and the drawing of what the map shows; the table and the triples of what is selected, else of
// all that the filters leave.

// The address of what was taken last stays good until the next one: a busy browser may fetch it long after the click.
let taken = "";
function download(content, type, ending) {
  URL.revokeObjectURL(taken);
  const url = taken = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const base = (view.selected ? view.selected.key.split("/").pop() : "graph").replace(/[^\w.-]+/g, "-").slice(0, 60) || "graph";
  const link = make("a", { href: url, download: `${base}.${ending}`, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
}

// Likeness is no statement of a paper: it is not taken away.
const takenLinks = () => (view.near.size ? [...view.nearLinks].filter((l) => l.role !== "alike") : links.filter((l) => l.shown));

// ---- table

// A cell that a spreadsheet would run as a formula gets an apostrophe in front.
const cell = (value) => {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

function table() {
  const rows = [["paper", "paper_label", "role", "concept", "concept_label", "type", "confidence", "year", "sentence"]];
  for (const l of takenLinks().filter((l) => l.role !== BROADER)) {
    const said = evidence(l)[0];
    rows.push([l.from.key, l.from.label, l.role, l.to.key, l.to.label, l.to.type, l.confidence, l.from.year, said ? said.before + said.mention + said.after : ""]);
  }
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

// ---- triples

const literal = (text) => `"${text.replace(/[\\"\n\r\t]/g, (c) => ({ "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" }[c])).replace(/[\u0000-\u001f\u007f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

function turtle() {
  const iri = (thing) => `<${iriOf(thing)}>`;
  const taken = takenLinks();
  const subjects = new Set(view.selected ? [view.selected] : []);
  for (const l of taken) subjects.add(l.from).add(l.to);
  const lines = [`@prefix kg: <${data.ontology}> .`, "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .", "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .", ""];
  for (const thing of [...subjects].sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const facts = [];
    if (thing.type === PAPER) facts.push("a <http://purl.org/spar/fabio/ResearchPaper>", `rdfs:label ${literal(thing.label)}`);
    else if (thing.type === AREA) facts.push("a skos:Concept", `skos:prefLabel ${literal(thing.label)}@en`);
    else if (thing.type !== "Other") facts.push(`a kg:${thing.type}`, `skos:prefLabel ${literal(thing.label)}@en`, ...(thing.names || []).filter((n) => n !== thing.label).map((n) => `skos:altLabel ${literal(n)}@en`));
    else facts.push(`rdfs:label ${literal(thing.label)}`);
    const out = taken.filter((l) => l.from === thing);
    facts.push(...new Set(out.map((l) => `${l.property ? `<${l.property}>` : `kg:${l.role}`} ${iri(l.to)}`)));
    lines.push(`${iri(thing)} ${facts.join(" ;\n    ")} .`, "");
  }
  return lines.join("\n");
}

// ---- picture and drawing

const titleOfPicture = () => (view.path ? `${view.path.from.label} → ${view.path.to.label}` : view.selected ? view.selected.label : data.title);
const legendTypes = () => ["Paper", ...data.types].filter((t) => [...things.values()].some((x) => x.type === t && visible(x)));

function picture() {
  const source = box.querySelector("canvas");
  const ratio = source.width / box.clientWidth;
  const foot = Math.round(40 * ratio);
  const canvas = make("canvas", { width: source.width, height: source.height + foot });
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = colours.ground;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(source, 0, 0);
  ctx.setTransform(ratio, 0, 0, ratio, 0, source.height);
  ctx.font = `13px ${FACE}`;
  ctx.textBaseline = "middle";
  let x = 16;
  for (const type of legendTypes()) {
    const path = new Path2D(outline(type, x, 20, 6.5));
    ctx.fillStyle = colours.types[type].fill;
    ctx.strokeStyle = colours.types[type].edge;
    ctx.fill(path);
    ctx.stroke(path);
    ctx.fillStyle = colours.ink;
    ctx.fillText(capital(TYPE_WORDS[type][1]), x + 13, 20);
    x += 34 + ctx.measureText(capital(TYPE_WORDS[type][1])).width;
  }
  canvas.toBlob((blob) => download(blob, "image/png", "png"), "image/png");
}

const xmlSafe = (text) => text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");

function drawing() {
  const at = camera();
  const dot = (n) => n.toFixed(1);
  const place = (x, y) => `translate(${dot(x)} ${dot(y)}) scale(${at.scale.toFixed(4)})`;
  const svg = makeSvg("svg", { xmlns: SVG, viewBox: `0 0 ${at.width} ${at.height + 40}`, width: at.width, height: at.height + 40, "font-family": FACE });
  svg.append(makeSvg("title", {}, xmlSafe(titleOfPicture())), makeSvg("rect", { width: at.width, height: at.height + 40, fill: colours.ground }));
  const focused = view.near.size > 0;
  const origin = place(at.x({ x: 0 }), at.y({ y: 0 }));
  const world = makeSvg("g", { transform: origin });
  for (const area of areas) if (area.name) world.append(makeSvg("path", { d: areaPath(area), fill: tint(area, "tint"), stroke: tint(area, "tintLine"), "stroke-width": 1.5 }));
  const line = (l, width, opacity) => makeSvg("line", { x1: l.from.x, y1: l.from.y, x2: l.to.x, y2: l.to.y, stroke: linkColour(l), "stroke-width": width, "stroke-opacity": opacity, ...(l.role === BROADER ? { "stroke-dasharray": "5 4" } : {}) });
  for (const l of drawnLinks) if (l.shown) world.append(line(l, 1, focused ? 0.08 : 0.5));
  if (focused) for (const l of view.nearLinks) world.append(line(l, 2, 0.9));
  const seen = (t) => visible(t) && at.x(t) > -20 && at.y(t) > -20 && at.x(t) < at.width + 20 && at.y(t) < at.height + 20;
  for (const t of [...things.values()].filter(seen)) {
    const { fill, edge } = lookOf(t);
    world.append(makeSvg("path", { d: outline(t.type, t.x, t.y, t.size), fill, stroke: edge, opacity: focused && !view.near.has(t) ? 0.14 : 1 }, makeSvg("title", {}, xmlSafe(short(t.label)))));
  }
  svg.append(world);
  for (const label of placeLabels(box.querySelector("canvas").getContext("2d"), at)) svg.append(...svgLabel(label));
  let x = 16;
  for (const type of legendTypes()) {
    const words = capital(TYPE_WORDS[type][1]);
    svg.append(makeSvg("path", { d: outline(type, x, at.height + 20, 6.5), fill: colours.types[type].fill, stroke: colours.types[type].edge }),
      makeSvg("text", { x: x + 13, y: at.height + 24, "font-size": 13, fill: colours.ink }, words));
    x += 40 + words.length * 7.4;
  }
  return new XMLSerializer().serializeToString(svg);
}

function svgLabel({ lines, role, font, colour, x, align, box: { top } }) {
  const anchorOf = { left: "start", right: "end", center: "middle" }[align];
  return [...lines, ...(role ? [role] : [])].map((text, i) => makeSvg("text", {
    x: x.toFixed(1), y: (top + 12 + i * LINE).toFixed(1), "text-anchor": anchorOf, "font-size": i === lines.length ? 11 : 12,
    "font-weight": font.startsWith("600") && i < lines.length ? 600 : 400, fill: i === lines.length ? colours.soft : colour,
    stroke: colours.halo, "stroke-width": 3, "paint-order": "stroke", "stroke-linejoin": "round",
  }, xmlSafe(text)));
}

const TAKE = {
  png: picture,
  svg: () => download(drawing(), "image/svg+xml", "svg"),
  csv: () => download(`\ufeff${table()}`, "text/csv;charset=utf-8", "csv"),
  ttl: () => download(turtle(), "text/turtle;charset=utf-8", "ttl"),
};
document.getElementById("take").addEventListener("click", (event) => {
  const what = event.target.dataset?.take;
  if (!what) return;
  TAKE[what]();
  event.currentTarget.open = false;
});
