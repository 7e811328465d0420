// Lines of arrows: their paths, and what lies between two of them.

const SAMPLES = 16;

/** The points of a line as `[x, y]` pairs. */
function pairs(flat) {
  const points = [];
  for (let i = 0; i + 1 < flat.length; i += 2) points.push([flat[i], flat[i + 1]]);
  return points;
}

const n = (value) => Math.round(value * 10) / 10;
const between = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Where a line ends, and in which direction. */
function ending(points) {
  const end = points.at(-1);
  const from = points.findLast((point) => distance(point, end) > 0.5) ?? end;
  return { end, angle: Math.atan2(end[1] - from[1], end[0] - from[0]) };
}

/** The path of a line without its last pixels, and the path of its head. Corners are rounded, but for lines that are
 *  all corners. */
export function paths(line, isRound = true) {
  const points = pairs(line.points);
  if (points.length < 2) return { line: "", head: "", end: points[0] ?? [0, 0] };
  const { end, angle } = ending(points);
  const wing = (turn) => [end[0] - 9 * Math.cos(angle + turn), end[1] - 9 * Math.sin(angle + turn)];
  const [a, b] = [wing(0.42), wing(-0.42)];
  points[points.length - 1] = [end[0] - 6 * Math.cos(angle), end[1] - 6 * Math.sin(angle)];
  return {
    line: line.curved ? cubic(points) : isRound ? rounded(points) : straight(points),
    head: `M${n(end[0])} ${n(end[1])}L${n(a[0])} ${n(a[1])}L${n(b[0])} ${n(b[1])}z`,
    end,
  };
}

function cubic([a, b, c, d]) {
  const text = (p) => `${n(p[0])} ${n(p[1])}`;
  return `M${text(a)}C${text(b)} ${text(c)} ${text(d)}`;
}

function straight(points) {
  return `M${points.map(([x, y]) => `${n(x)} ${n(y)}`).join("L")}`;
}

/** Straight pieces with rounded corners. */
function rounded(points) {
  return points
    .map((point, i) => {
      const [before, after] = [points[i - 1], points[i + 1]];
      if (!before) return `M${n(point[0])} ${n(point[1])}`;
      if (!after) return `L${n(point[0])} ${n(point[1])}`;
      const radius = Math.min(9, distance(point, before) / 2, distance(point, after) / 2);
      const near = (other) => between(point, other, radius / Math.max(distance(point, other), 0.1));
      const [a, b] = [near(before), near(after)];
      return `L${n(a[0])} ${n(a[1])}Q${n(point[0])} ${n(point[1])} ${n(b[0])} ${n(b[1])}`;
    })
    .join("");
}

/** As many points along a line as along every other, from its start to its end. */
function sample(line) {
  const corners = pairs(line.points);
  const points = line.curved ? flat(corners) : corners;
  const lengths = points.map((point, i) => (i ? distance(point, points[i - 1]) : 0));
  const total = lengths.reduce((sum, length) => sum + length, 0) || 1;
  const samples = [];
  let [piece, passed] = [1, 0];
  for (let i = 0; i < SAMPLES; i++) {
    const wanted = (total * i) / (SAMPLES - 1);
    while (piece < points.length - 1 && passed + lengths[piece] < wanted) passed += lengths[piece++];
    const part = lengths[piece] ? (wanted - passed) / lengths[piece] : 0;
    samples.push(...between(points[piece - 1] ?? points[0], points[piece] ?? points[0], Math.min(1, part)));
  }
  return samples;
}

function flat([a, b, c, d]) {
  return Array.from({ length: 17 }, (_, i) => {
    const t = i / 16;
    const [p, q, r] = [between(a, b, t), between(b, c, t), between(c, d, t)];
    return between(between(p, q, t), between(q, r, t), t);
  });
}

/** The line a part of the way from one line to another. Lines of the same kind are blended corner by corner, others
 *  point by point along them. */
export function blend(from, to) {
  const isAlike = from.curved === to.curved && from.points.length === to.points.length;
  const [a, b] = isAlike ? [from.points, to.points] : [sample(from), sample(to)];
  const curved = isAlike && to.curved;
  return (part) => paths({ points: a.map((value, i) => value + (b[i] - value) * part), curved }, isAlike);
}
