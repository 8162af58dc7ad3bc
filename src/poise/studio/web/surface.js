// Heights of the ground as it is drawn: a plane, blocks, and a height field.

//: Distance between the points at which a ray is traced.
const STEP_M = 0.05;

function rotate([w, x, y, z]) {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

class Block {
  constructor({ size, center, quat }) {
    this.center = center;
    this.rotation = rotate(quat);
    this.half = size.map((s) => s / 2);
    this.reach = [0, 1].map((k) => this.half.reduce((sum, h, j) => sum + Math.abs(this.rotation[k][j]) * h, 0));
  }

  // The highest z at a point, -Infinity outside.
  height(x, y) {
    const [dx, dy] = [x - this.center[0], y - this.center[1]];
    if (Math.abs(dx) > this.reach[0] || Math.abs(dy) > this.reach[1]) return -Infinity;
    // A vertical line through the point, in the block's own axes.
    let [low, high] = [-Infinity, Infinity];
    for (let k = 0; k < 3; k++) {
      const slope = this.rotation[2][k];
      const start = this.rotation[0][k] * dx + this.rotation[1][k] * dy - slope * this.center[2];
      if (Math.abs(slope) < 1e-12) {
        if (Math.abs(start) > this.half[k] + 1e-9) return -Infinity;
        continue;
      }
      const ends = [(-this.half[k] - start) / slope, (this.half[k] - start) / slope];
      [low, high] = [Math.max(low, Math.min(...ends)), Math.min(high, Math.max(...ends))];
    }
    return low <= high + 1e-9 ? high : -Infinity;
  }
}

// The cell of a sorted list that holds a value, and the part of it before the value.
function locate(list, value) {
  let [low, high] = [0, list.length - 1];
  if (value < list[low] || value > list[high]) return null;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle;
  }
  return [low, (value - list[low]) / (list[high] - list[low])];
}

function fieldHeight({ x: xs, y: ys, z }, x, y) {
  const [column, row] = [locate(xs, x), locate(ys, y)];
  if (!column || !row) return -Infinity;
  const [[c, u], [r, v]] = [column, row];
  const i = r * xs.length + c;
  const [near, right, left, far] = [z[i], z[i + 1], z[i + xs.length], z[i + xs.length + 1]];
  return u > v ? near + u * (right - near) + v * (far - right) : near + v * (left - near) + u * (far - left);
}

export class Surface {
  constructor({ plane, height, solids, field }) {
    this.plane = plane ? height : -Infinity;
    this.blocks = solids.map((solid) => new Block(solid));
    this.field = field;
    this.level = !solids.length && !field;
  }

  height(x, y) {
    let z = this.plane;
    for (const block of this.blocks) z = Math.max(z, block.height(x, y));
    return this.field ? Math.max(z, fieldHeight(this.field, x, y)) : z;
  }

  // Heights along a ray from a point on the surface, at increasing distances; holes deeper than `limit` are bridged.
  trace(x, y, z, angle, distances, limit) {
    if (this.level) return distances.map(() => z);
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    let [last, at] = [z, 0];
    return distances.map((distance) => {
      const steps = Math.ceil((distance - at) / STEP_M);
      for (let [from, k] = [at, 1]; k <= steps; k++) {
        at = from + ((distance - from) * k) / steps;
        const here = this.height(x + at * dx, y + at * dy);
        if (Math.abs(here - last) < limit) last = here;
      }
      return last;
    });
  }
}
