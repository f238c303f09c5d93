// While a large map moves, its nodes are one picture of themselves: to paint thousands of shapes takes longer than a
// frame lasts. It is taken anew where the zoom has changed by half; close up, few nodes are in view and are painted.

const MOST_VIEWS = 3;              // as wide or high as so many views at most
const MOST_DOTS = 16e6;            // a canvas beyond stays blank in some browsers
let still = null;                  // what the map shows while it moves, or nothing: then nodes are painted

function stillAt(scale) {
  if (still && scale < 1.5 * still.at && still.at < 1.5 * scale) return still;
  const shown = drawnThings.filter((t) => t.shown);
  const most = (of) => shown.reduce((far, t) => Math.max(far, of(t) + 2 * t.size), -Infinity);
  const [left, top, right, bottom] = [-most((t) => -t.x), -most((t) => -t.y), most((t) => t.x), most((t) => t.y)];
  const { width, height } = size();
  if (!shown.length || (right - left) * scale > MOST_VIEWS * width || (bottom - top) * scale > MOST_VIEWS * height) return null;
  const canvas = document.createElement("canvas"), ctx = canvas.getContext("2d");
  const dots = Math.min(scale * devicePixelRatio, Math.sqrt(MOST_DOTS / ((right - left) * (bottom - top))));
  canvas.width = Math.ceil((right - left) * dots);
  canvas.height = Math.ceil((bottom - top) * dots);
  ctx.setTransform(dots, 0, 0, dots, -left * dots, -top * dots);
  for (const thing of shown) paintThing(ctx, thing);
  return { at: scale, paint: (onto) => onto.drawImage(canvas, left, top, canvas.width / dots, canvas.height / dots) };
}
