// Elements and shapes. Text enters the page here, as text nodes: never as markup.

const SVG = "http://www.w3.org/2000/svg";

// An element: make("a", {href, class, on: {click}}, child, "text", [more]).
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "on") for (const [event, run] of Object.entries(value)) element.addEventListener(event, run);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat(Infinity).filter((c) => c != null && c !== false && c !== ""));
  return element;
}

function makeSvg(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// The outline of a type's shape around (x, y), as SVG path data.
const SHAPES = { Paper: "square", Model: "dot", Dataset: "diamond", Method: "triangle", Metric: "star", Task: "hexagon", Area: "octagon", Other: "triangleDown" };

function outline(type, x, y, r) {
  const corners = (points) => `M${points.map(([a, b]) => `${(x + a).toFixed(2)} ${(y + b).toFixed(2)}`).join("L")}Z`;
  const around = (n, radius, turn = 0) => Array.from({ length: n }, (_, i) => {
    const a = (2 * Math.PI * i) / n + turn;
    return [radius(i) * Math.sin(a), -radius(i) * Math.cos(a)];
  });
  switch (SHAPES[type]) {
    case "square": return corners([[-r, -r], [r, -r], [r, r], [-r, r]]);
    case "dot": return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
    case "diamond": return corners([[0, r], [r, 0], [0, -r], [-r, 0]]);
    case "triangle": case "triangleDown": {
      const s = 1.15 * r, up = SHAPES[type] === "triangle" ? 1 : -1;
      const height = Math.sqrt(3) * s, inner = s / Math.sqrt(3);
      return corners([[0, up * (0.275 * s - (height - inner))], [s, up * (0.275 * s + inner)], [-s, up * (0.275 * s + inner)]]);
    }
    case "star": return corners(around(10, (i) => 0.82 * r * (i % 2 ? 0.5 : 1.3)).map(([a, b]) => [a, b + 0.082 * r]));
    case "octagon": return corners(around(8, () => 1.1 * r, Math.PI / 8));
    default: return corners(around(6, () => r, Math.PI / 6));
  }
}

function icon(type) {
  const svg = makeSvg("svg", { class: "shape", viewBox: "-9 -9 18 18", "aria-hidden": "true" });
  const r = { Paper: 6, Dataset: 8, Metric: 7.5 }[type] || 6.7;
  svg.append(makeSvg("path", { class: `fill-${type.toLowerCase()}`, "stroke-width": "1.2", d: outline(type, 0, 0, r) }));
  return svg;
}

// The colours of the style sheet, as the canvas needs them.
function readColours() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const types = Object.fromEntries(Object.keys(SHAPES).map((type) => {
    const name = type.toLowerCase();
    return [type, { fill: colour(name), edge: colour(`${name}-edge`) }];
  }));
  const rest = ["ground", "ink", "soft", "line", "tint", "tint-line", "tint-ink", "veil", "halo", "accent"];
  return { types, ...Object.fromEntries(rest.map((name) => [name.replace(/-(.)/, (_, c) => c.toUpperCase()), colour(name)])) };
}
