// The map: vis-network draws the edges where Python put them, has the nodes painted and does pan and zoom; areas are
// painted below, what is selected, and all names, above (labels.js). Selecting changes no data set: a veil fades the rest.

const box = document.getElementById("map");
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let colours = readColours();
let labelled = [];                 // the names that were painted last
let fitted = true;                 // the view shows everything: keep it so when the window changes

// What no paper names itself is hollow.
const lookOf = (thing) => ({ ...colours.types[thing.type], ...(thing.isKind && thing.type !== AREA ? { fill: colours.halo } : {}) });
const linkColour = (link) => link.role === "alike" ? colours.soft : colours.types[(link.to.type === PAPER ? link.from : link.to).type].edge;
const edgeLook = (link) => ({ id: link.id, hidden: !link.shown, color: { color: linkColour(link), opacity: links.length > 1500 ? 0.22 : 0.4 } });

const drawnThings = [...things.values()].filter((t) => !t.later);
const drawnLinks = links.filter((l) => !l.from.later && !l.to.later);
const drawn = (thing) => ({ ctx }) => ({ drawNode() { if (!still) paintThing(ctx, thing); }, nodeDimensions: { width: 2 * thing.size, height: 2 * thing.size } });
const nodeSet = new vis.DataSet(drawnThings.map((t) => ({ id: t.id, x: t.x, y: t.y, size: t.size, hidden: !t.shown, ctxRenderer: drawn(t) })));
const edgeSet = new vis.DataSet(drawnLinks.map((l) => ({ from: l.from.id, to: l.to.id, dashes: l.role === BROADER && [5, 4], ...edgeLook(l) })));
const network = new vis.Network(box, { nodes: nodeSet, edges: edgeSet }, data.network.options);

function refreshMap() {
  edgeSet.update(drawnLinks.map(edgeLook));
  network.redraw();
}

// Only what changed: a filter touches few things, and an update of thousands is slow.
const wasHidden = new Map([...things.values(), ...links].map((i) => [i, !i.shown]));
function refreshShown() {
  const changed = (items) => items.filter((i) => wasHidden.get(i) !== !i.shown).map((i) => wasHidden.set(i, !i.shown) && { id: i.id, hidden: !i.shown });
  nodeSet.update(changed(drawnThings));
  edgeSet.update(changed(drawnLinks));
  drawTies();
  rankNames();
  network.redraw();
}

// ---- where things are on the screen

const foot = () => document.querySelector(".legend").offsetHeight + 24;   // the legend's strip of the map
const size = () => ({ width: box.clientWidth, height: box.clientHeight });

function camera() {
  const { x, y } = network.getViewPosition();
  const scale = network.getScale();
  const { width, height } = size();
  return { scale, width, height, x: (thing) => (thing.x - x) * scale + width / 2, y: (thing) => (thing.y - y) * scale + height / 2 };
}

// The nearest visible thing to a point of the map, within reach of a finger or a mouse.
function thingAt({ x, y }, reach) {
  const at = camera();
  let best = null, least = Infinity;
  for (const thing of view.near.size ? [...view.near, ...things.values()] : things.values()) {
    if (!visible(thing)) continue;
    const far = Math.hypot(at.x(thing) - x, at.y(thing) - y) - thing.size * at.scale;
    const handicap = view.near.size && !view.near.has(thing) ? 6 : 0;
    if (far < reach && far + handicap < least) [best, least] = [thing, far + handicap];
  }
  return best || labelAt({ x, y });
}

// A name stands for its thing.
const labelAt = ({ x, y }) => labelled.find(({ thing, box: b }) => thing && x >= b.left && x <= b.right && y >= b.top && y <= b.bottom)?.thing || null;

function linkAt({ x, y }) {
  const at = camera();
  const candidates = view.nearLinks.size ? view.nearLinks : drawnLinks;
  for (const link of candidates) {
    if (!link.shown) continue;
    const [ax, ay, bx, by] = [at.x(link.from), at.y(link.from), at.x(link.to), at.y(link.to)];
    const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
    const t = Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length));
    if (Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y) < 4) return link;
  }
  return null;
}

// ---- moving

function fit(some, { animate = true, most = 2.2 } = {}) {
  const { width, height } = size();
  const margin = some.length > 60 ? 46 : 20;
  const [left, right] = [Math.min(...some.map((t) => t.x)) - margin, Math.max(...some.map((t) => t.x)) + margin];
  const [top, bottom] = [Math.min(...some.map((t) => t.y)) - margin, Math.max(...some.map((t) => t.y)) + margin];
  const side = some.length > 60 ? 12 : Math.min(130, 0.15 * width), below = foot() + (some.length > 60 ? 26 : 34), head = some.length > 60 ? 26 : 40;
  const scale = Math.min(most, (width - 2 * side) / (right - left || 1), (height - below - head) / (bottom - top || 1));
  const position = { x: (left + right) / 2, y: (top + bottom) / 2 + (below - head) / 2 / scale };
  moveTo(position, Math.max(scale, 0.02), animate);
}

function moveTo(position, scale, animate = true) {
  const animation = animate && !calm.matches ? { duration: 420, easingFunction: "easeInOutQuad" } : false;
  network.moveTo({ position, scale, animation });
}

function fitAll(animate = true) {
  const shown = drawnThings.filter((t) => t.shown);
  if (shown.length) fit(shown, { animate, most: 3 });
  fitted = true;
}

function zoomBy(factor) {
  fitted = false;
  moveTo(network.getViewPosition(), Math.min(12, Math.max(0.02, network.getScale() * factor)));
}

// A large map is drawn without its lines while it moves (vis-network's hideEdgesOnDrag and hideEdgesOnZoom), and its
// nodes as one picture (still.js).
const large = Boolean(data.network.options.interaction.hideEdgesOnDrag);
let moving = false;
let resting = 0;
function move(lasting) {
  fitted = false;
  moving = large;
  still = large ? stillAt(network.getScale()) : null;
  hideTip();
  clearTimeout(resting);
  if (!lasting) resting = setTimeout(() => { moving = false; still = null; network.redraw(); }, 250);
}

network.on("zoom", () => move(false));
network.on("dragStart", () => move(true));
network.on("dragEnd", () => move(false));
network.on("resize", () => { if (fitted) fitAll(false); });

// ---- painting

function outlineOfArea(area) {
  const points = area.papers.map((id) => things.get(id)).flatMap((paper) => {
    const own = paper.links.map((l) => l.to).filter((c) => !c.later && c.onlyPaper === paper);
    const reach = 28 + Math.max(16, ...own.map((c) => Math.hypot(c.x - paper.x, c.y - paper.y)));
    return Array.from({ length: 16 }, (_, i) => [paper.x + reach * Math.cos((i * Math.PI) / 8), paper.y + reach * Math.sin((i * Math.PI) / 8)]);
  });
  points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => list.reduce((hull, p) => {
    while (hull.length > 1) {
      const [[ax, ay], [bx, by]] = hull.slice(-2);
      if ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0) break;
      hull.pop();
    }
    return [...hull, p];
  }, []);
  return [...half(points).slice(0, -1), ...half(points.toReversed()).slice(0, -1)];
}
// An area's hue depends on its name, so that it is the same in each corpus; the name tells it, not the hue.
const hueOf = (text) => Array.from(text).reduce((sum, c) => (sum * 31 + c.codePointAt(0)) % 3600, 7) * 137.5 % 360;
const areas = data.areas.map((area) => ({ ...area, hue: hueOf(area.name), outline: outlineOfArea(area) })).filter((area) => area.outline.length);
const tint = (area, which) => `hsl(${area.hue} ${colours[which]})`;

function areaPath({ outline: points }) {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;
}

// Lines between papers that are alike, the more alike the wider: one path for each width, for a thousand strokes a
// frame are too many.
const TIE_WIDTHS = [[0.3, 3], [0.15, 1.8], [0, 1]];
const tiesOfPaper = papers.length > 200 ? 1 : 3;
const ties = papers.flatMap((paper) => paper.ties.filter((t) => t.from === paper).slice(0, tiesOfPaper));
let tiePaths = [];

function drawTies() {
  const kept = filters.ties ? ties.filter((t) => t.from.shown && t.to.shown) : [];
  tiePaths = TIE_WIDTHS.map(([least, width], i) => {
    const path = new Path2D();
    for (const { from, to, score } of kept) {
      if (score < least || (i && score >= TIE_WIDTHS[i - 1][0])) continue;
      path.moveTo(from.x, from.y);
      path.lineTo(to.x, to.y);
    }
    return { path, width };
  });
}

network.on("beforeDrawing", (ctx) => {
  for (const area of filters.types.has(AREA) ? [] : areas) {
    if (!area.name) continue;
    area.path ||= new Path2D(areaPath(area));
    ctx.fillStyle = tint(area, "tint");
    ctx.strokeStyle = tint(area, "tintLine");
    ctx.lineWidth = 1.5;
    ctx.fill(area.path);
    ctx.stroke(area.path);
  }
  still?.paint(ctx);
  if (moving) return;
  ctx.globalAlpha = 0.12;
  ctx.strokeStyle = colours.soft;
  for (const { path, width } of tiePaths) {
    ctx.lineWidth = width;
    ctx.stroke(path);
  }
  ctx.globalAlpha = 1;
});

function stroke(ctx, { from, to, role }, colour, width, alpha) {
  ctx.globalAlpha = alpha;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.moveTo(from.x, from.y);
  ctx.lineTo(to.x, to.y);
  ctx.setLineDash(role === BROADER ? [3 * width, 2.5 * width] : []);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

function paintThing(ctx, thing, grow = 1) {
  const { fill, edge } = lookOf(thing);
  thing.path ||= new Path2D(outline(thing.type, thing.x, thing.y, thing.size));
  const path = grow === 1 ? thing.path : new Path2D(outline(thing.type, thing.x, thing.y, thing.size * grow));
  ctx.fillStyle = fill;
  ctx.strokeStyle = edge;
  ctx.lineWidth = 1.2;
  ctx.fill(path);
  ctx.stroke(path);
}

function paintRing(ctx, thing, scale) {
  ctx.strokeStyle = colours.accent;
  ctx.lineWidth = 2.5 / scale;
  ctx.lineJoin = "round";
  ctx.stroke(new Path2D(outline(thing.type, thing.x, thing.y, thing.size + 6 / Math.max(scale, 0.5))));
}

network.on("afterDrawing", (ctx) => {
  const at = camera();
  ctx.save();
  if (view.near.size) {
    const [a, b] = [network.DOMtoCanvas({ x: 0, y: 0 }), network.DOMtoCanvas({ x: at.width, y: at.height })];
    ctx.globalAlpha = 0.86;
    ctx.fillStyle = colours.veil;
    ctx.fillRect(a.x, a.y, b.x - a.x, b.y - a.y);
    ctx.globalAlpha = 1;
    for (const link of view.nearLinks) stroke(ctx, link, linkColour(link), (view.path ? 4 : 2.2) / Math.max(1, at.scale), 0.9);
    for (const thing of view.near) paintThing(ctx, thing);
  }
  const hovered = view.hovered || view.cursor;
  if (hovered && visible(hovered)) {
    for (const link of hovered.links) if (link.shown && visible(link.from) && visible(link.to)) stroke(ctx, link, linkColour(link), 2, 1);
    for (const link of hovered.links) if (link.shown && visible(other(link, hovered))) paintThing(ctx, other(link, hovered));
    paintThing(ctx, hovered, 1.2);
  }
  for (const thing of [view.selected, view.cursor]) if (thing && visible(thing)) paintRing(ctx, thing, at.scale);
  const ratio = ctx.canvas.width / at.width;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  labelled = placeLabels(ctx, at);
  for (const label of labelled) paintLabel(ctx, label, ratio);
  ctx.restore();
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  colours = readColours();
  sprites.clear();
  refreshMap();
});
