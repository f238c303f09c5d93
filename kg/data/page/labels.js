// Names on the map: at a size that can be read whatever the zoom, the most important first, none over another.

const FACE = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif';
const FONTS = { area: `700 13px ${FACE}`, paper: `600 12px ${FACE}`, concept: `12px ${FACE}`, role: `11px ${FACE}` };
const LINE = 15;
const FAR = 0.5;                   // below this scale there is room for the names of areas only
const CLOSE = 1.45;                // above it, for what only one paper names
const measured = new Map();

function widthOf(ctx, text, font) {
  const key = font + text;
  if (!measured.has(key)) {
    ctx.font = font;
    measured.set(key, ctx.measureText(text).width);
  }
  return measured.get(key);
}

// Where to break: at the last space or hyphen that fits, else after the first word if it is not much too long.
function breakNear(ctx, rest, most, font, room) {
  for (let i = most; i > most / 3; i--) if (rest[i] === " " || (rest[i - 1] === "-" && i < rest.length)) return i;
  const space = rest.findIndex((c, i) => i > 0 && (c === " " || rest[i - 1] === "-"));
  const end = space < 0 ? rest.length : space;
  return widthOf(ctx, rest.slice(0, end).join(""), font) <= 1.4 * room ? end : most;
}

// At most `lines` lines of at most `room` pixels, the last one cut with an ellipsis; breaks at spaces, else anywhere.
const wrapped = new Map();
function wrap(ctx, text, font, room, lines) {
  const key = `${font}${room}${lines}${text}`;
  if (wrapped.has(key)) return wrapped.get(key);
  let rest = Array.from(text.slice(0, 200).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, " ").trim());
  const whole = rest.length;
  const made = [];
  while (rest.length && made.length < lines) {
    let fits = rest.length;
    if (widthOf(ctx, rest.join(""), font) > room) {
      let [low, high] = [1, rest.length];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (widthOf(ctx, rest.slice(0, middle).join(""), font) <= room) low = middle;
        else high = middle - 1;
      }
      fits = breakNear(ctx, rest, low, font, room);
    }
    made.push(rest.slice(0, fits).join("").trim());
    rest = rest.slice(fits);
    while (rest[0] === " ") rest.shift();
  }
  if (rest.length || whole < Array.from(text.trim()).length) {
    let last = Array.from(made[made.length - 1]);
    while (last.length > 1 && widthOf(ctx, `${last.join("")}…`, font) > room) last = last.slice(0, -1);
    made[made.length - 1] = `${last.join("").trim()}…`;
  }
  if (wrapped.size > 20000) wrapped.clear();
  wrapped.set(key, made);
  return made;
}

// What only one paper names has its label on the far side from there.
function anchor(thing, at) {
  const paper = thing.onlyPaper;
  const [x, y, r] = [at.x(thing), at.y(thing), thing.size * at.scale];
  if (paper) {
    const turn = Math.atan2(thing.y - paper.y, thing.x - paper.x);
    const side = Math.cos(turn);
    if (Math.abs(side) > 0.3) return { x: x + Math.sign(side) * (r + 5), y, align: side > 0 ? "left" : "right", from: "middle" };
    return { x, y: y + Math.sign(Math.sin(turn)) * (r + 4), align: "center", from: Math.sin(turn) > 0 ? "top" : "bottom" };
  }
  const reach = thing.type === PAPER && at.scale < 1.5 && !view.near.size ? thing.reach : thing.size;
  return { x, y: y + Math.max(reach, thing.size) * at.scale + 3, align: "center", from: "top" };
}

function box4({ x, y, align, from }, width, height) {
  const left = align === "left" ? x : align === "right" ? x - width : x - width / 2;
  const top = from === "top" ? y : from === "bottom" ? y - height : y - height / 2;
  return { left, top, right: left + width, bottom: top + height };
}

// What could be named when nothing is selected, the most important first: shared concepts, papers, the rest.
let ranked = [];
function rankNames() {
  const rank = (t) => (t.type === PAPER ? 2 : t.onlyPaper ? 3 : 1 + 1 / (1 + t.links.length));
  ranked = [...things.values()].filter((t) => t.shown && !t.later).map((thing) => ({ thing, rank: rank(thing) })).sort((a, b) => a.rank - b.rank);
}

function candidates(at) {
  const first = [view.hovered, view.cursor].filter((t) => t && visible(t));
  if (view.near.size) {
    const rank = (t) => (t === view.selected ? 0 : t.type === PAPER ? 1 : 2 + 1 / (1 + t.links.length));
    return [...first, ...[...view.near].sort((a, b) => rank(a) - rank(b))];
  }
  const named = (t) => (t.type === PAPER ? at.scale * t.reach > 26 || at.scale > 0.8 : t.onlyPaper ? at.scale >= CLOSE : at.scale * t.size > 4);
  return [...first, ...ranked.map((r) => r.thing).filter(named)];
}

// Where an area's name may stand: over its middle, over its highest point, below its lowest; from afar, on its middle.
function areaSpots({ outline: points }, at) {
  const by = (better) => points.reduce((a, b) => (better(b, a) ? b : a));
  const [top, bottom] = [by((a, b) => a[1] < b[1]), by((a, b) => a[1] > b[1])];
  const middle = (by((a, b) => a[0] < b[0])[0] + by((a, b) => a[0] > b[0])[0]) / 2;
  const over = (x) => ({ x: at.x({ x }), y: at.y({ y: top[1] }) - 3, align: "center", from: "bottom" });
  if (at.scale < FAR) return [{ x: at.x({ x: middle }), y: at.y({ y: (top[1] + bottom[1]) / 2 }), align: "center", from: "middle" }, over(middle)];
  return [over(middle), over(top[0]), { x: at.x({ x: middle }), y: at.y({ y: bottom[1] }) + 3, align: "center", from: "top" }];
}

function placeLabels(ctx, at) {
  const placed = [];
  const cells = new Map();          // a coarse grid, so that a thousand labels need no million comparisons
  const cellsOf = (b) => {
    const keys = [];
    for (let i = Math.floor(b.left / 96); i <= Math.floor(b.right / 96); i++) {
      for (let j = Math.floor(b.top / 48); j <= Math.floor(b.bottom / 48); j++) keys.push(i * 10007 + j);
    }
    return keys;
  };
  const free = (b) => cellsOf(b).every((k) => (cells.get(k) || []).every((o) => b.right < o.left || b.left > o.right || b.bottom < o.top || b.top > o.bottom));
  const take = (label, b) => {
    for (const k of cellsOf(b)) cells.set(k, [...(cells.get(k) || []), b]);
    placed.push(label);
  };
  if (!view.near.size) {
    for (const area of filters.types.has(AREA) ? [] : areas) {
      if (!area.name) continue;
      const text = capital(area.name);
      const lines = at.scale < FAR ? text.split(" · ").flatMap((part) => wrap(ctx, part, FONTS.area, Math.max(110, 0.16 * at.width), 3)) : [text];
      const width = Math.max(...lines.map((line) => widthOf(ctx, line, FONTS.area))) + 8;
      const label = { lines, font: FONTS.area, colour: tint(area, "tintInk"), thing: area.thing };
      for (const spot of areaSpots(area, at)) {
        spot.x = Math.max(width / 2 + 4, Math.min(at.width - width / 2 - 4, spot.x));
        const b = box4(spot, width, LINE * lines.length);
        if (!free(b) || b.top < 0 || b.bottom > at.height) continue;
        take({ ...label, ...spot, box: b }, b);
        break;
      }
    }
  }
  for (const paper of papers) {
    if (!visible(paper) || (view.near.size && !view.near.has(paper))) continue;
    const r = paper.size * at.scale;
    const b = { left: at.x(paper) - r, right: at.x(paper) + r, top: at.y(paper) - r, bottom: at.y(paper) + r };
    for (const k of cellsOf(b)) cells.set(k, [...(cells.get(k) || []), b]);
  }
  const named = new Set();
  for (const thing of candidates(at)) {
    const [x, y] = [at.x(thing), at.y(thing)];
    const away = x < 0 || y < 0 || x > at.width || y > at.height - foot() + 8;
    const border = away ? atBorder(thing, at) : null;
    if (named.has(thing) || (away && !border && (x < -60 || y < -60 || x > at.width + 60 || y > at.height + 60))) continue;
    named.add(thing);
    const font = thing.type === PAPER ? FONTS.paper : FONTS.concept;
    const room = thing.type === PAPER ? Math.max(110, Math.min(180, 2.2 * thing.reach * at.scale)) : Math.min(170, 0.3 * at.width);
    const lines = wrap(ctx, thing.label, font, room, 2);
    const role = view.near.has(thing) && roleLine(thing);
    const width = Math.max(...lines.map((l) => widthOf(ctx, l, font)), role ? widthOf(ctx, role, FONTS.role) : 0);
    const spot = border || anchor(thing, at);
    const b = box4(spot, width, LINE * (lines.length + (role ? 1 : 0)));
    const always = thing === view.selected || thing === view.hovered || thing === view.cursor;
    if (always || free(b)) take({ thing, lines, role, font, colour: colours.ink, ...spot, box: b }, b);
  }
  return placed;
}

// Under a neighbour of the selected thing: the role that ties them.
function roleLine(thing) {
  if (!view.selected || view.path || thing === view.selected) return "";
  const said = thing.links.filter((l) => view.nearLinks.has(l) && other(l, thing) === view.selected);
  return [...new Set(said.map((l) => (l.role === BROADER ? (l.from === thing ? "a kind of it" : "what it is a kind of")
    : l.from === view.selected || l.from.type === PAPER ? roleWords(l.role) : roleWordsBack(l.role))))].join(", ");
}

// A neighbour that is out of sight is named where its line leaves the map.
function atBorder(thing, at) {
  const from = view.path ? null : view.selected;
  if (!from || thing === from || !view.near.has(thing)) return null;
  const [x0, y0, x1, y1] = [at.x(from), at.y(from), at.x(thing), at.y(thing)];
  const [left, top, right, bottom] = [8, 16, at.width - 8, at.height - foot()];
  if (x0 < left || x0 > right || y0 < top || y0 > bottom) return null;
  const reach = [[x1 < left, (left - x0) / (x1 - x0)], [x1 > right, (right - x0) / (x1 - x0)], [y1 < top, (top - y0) / (y1 - y0)], [y1 > bottom, (bottom - y0) / (y1 - y0)]];
  const t = Math.min(...reach.filter(([over]) => over).map(([, t_]) => t_));
  if (!Number.isFinite(t)) return null;
  const [x, y] = [x0 + t * (x1 - x0), y0 + t * (y1 - y0)];
  return { x, y, align: x > at.width * 0.8 ? "right" : x < at.width * 0.2 ? "left" : "center", from: y < at.height / 2 ? "top" : "bottom" };
}

const rightToLeft = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u;

// A name is painted once and then copied: stroking text anew for every frame is most of what a frame costs.
const sprites = new Map();
const SPRITE_EDGE = 4;

function spriteOf(label, ratio) {
  const key = [ratio, label.font, label.colour, label.align, label.role || "", ...label.lines].join("\n");
  if (sprites.has(key)) return sprites.get(key);
  if (sprites.size > 1500) sprites.clear();
  const { left, top, right, bottom } = label.box;
  const canvas = document.createElement("canvas");
  canvas.width = Math.ceil((right - left + 2 * SPRITE_EDGE) * ratio);
  canvas.height = Math.ceil((bottom - top + 2 * SPRITE_EDGE) * ratio);
  const ctx = canvas.getContext("2d");
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  writeLabel(ctx, label, { left: 0, center: (right - left) / 2, right: right - left }[label.align] + SPRITE_EDGE, SPRITE_EDGE);
  sprites.set(key, canvas);
  return canvas;
}

function paintLabel(ctx, label, ratio) {
  const sprite = spriteOf(label, ratio);
  const whole = (n) => Math.round(n * ratio) / ratio;
  ctx.drawImage(sprite, whole(label.box.left - SPRITE_EDGE), whole(label.box.top - SPRITE_EDGE), sprite.width / ratio, sprite.height / ratio);
}

function writeLabel(ctx, { lines, role, font, colour, align }, x, top) {
  ctx.textAlign = align;
  ctx.textBaseline = "top";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3.5;
  ctx.strokeStyle = colours.halo;
  [...lines, ...(role ? [role] : [])].forEach((line, i) => {
    const isRole = i === lines.length;
    ctx.font = isRole ? FONTS.role : font;
    ctx.fillStyle = isRole ? colours.soft : colour;
    ctx.direction = rightToLeft.test(line) ? "rtl" : "ltr";
    ctx.strokeText(line, x, top + 2 + i * LINE);
    ctx.fillText(line, x, top + 2 + i * LINE);
  });
}
