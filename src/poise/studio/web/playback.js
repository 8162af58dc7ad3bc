// Smooth motion from poses that arrive at irregular intervals.
//
// Poses carry their simulated time and its rate. They are shown with a short delay and interpolated, which hides the
// timing jitter of the network and the server.

const DELAY_S = 0.06;
const KEPT = 16;

export class Playback {
  constructor() {
    this.leap = NaN;
    this.clear();
  }

  clear() {
    this.frames = [];
    this.time = null;
    this.fresh = false;
  }

  // A frame is { time, rate, leap, com, pushes, pose }.
  add(frame, now) {
    if (frame.leap !== this.leap || frame.time < this.frames.at(-1)?.time || frame.pose.length !== this.frames.at(-1)?.pose.length) {
      this.clear();
      this.leap = frame.leap;
    }
    if (frame.time === this.frames.at(-1)?.time) this.frames.pop();
    this.frames.push(frame);
    if (this.frames.length > KEPT) this.frames.shift();
    this.arrived = now;
    this.fresh = true;
  }

  // The frame to show now, or null if nothing has changed since the last call.
  sample(now, passed_s) {
    const last = this.frames.at(-1);
    if (!last) return null;
    const ahead = (last.rate * (now - this.arrived)) / 1000;
    const goal = Math.min(last.time, last.time + ahead - DELAY_S * last.rate);
    const before = this.time;
    if (this.time === null) this.time = goal;
    this.time += last.rate * passed_s;
    this.time += (goal - this.time) * Math.min(1, 6 * passed_s);
    if (Math.abs(goal - this.time) < 2e-4 || Math.abs(goal - this.time) > 0.5) this.time = goal;
    this.time = Math.min(Math.max(this.time, this.frames[0].time), last.time);
    if (this.time === before && !this.fresh) return null;
    this.fresh = false;
    return this.blend();
  }

  blend() {
    let k = this.frames.length - 1;
    while (k > 0 && this.frames[k - 1].time >= this.time) k--;
    const b = this.frames[k];
    const a = this.frames[Math.max(k - 1, 0)];
    const span = b.time - a.time;
    const s = span > 0 ? Math.min(Math.max((this.time - a.time) / span, 0), 1) : 1;
    return { ...b, com: mix(a.com, b.com, s), pose: mixPoses(a.pose, b.pose, s) };
  }
}

function mix(a, b, s) {
  return a.map((value, i) => value + s * (b[i] - value));
}

function mixPoses(a, b, s) {
  const out = mix(a, b, s);
  for (let i = 3; i < out.length; i += 7) {
    // q and -q are the same rotation: take the nearer one.
    const dot = a[i] * b[i] + a[i + 1] * b[i + 1] + a[i + 2] * b[i + 2] + a[i + 3] * b[i + 3];
    const sign = dot < 0 ? -1 : 1;
    let norm = 0;
    for (let j = i; j < i + 4; j++) {
      out[j] = a[j] + s * (sign * b[j] - a[j]);
      norm += out[j] * out[j];
    }
    norm = Math.sqrt(norm);
    for (let j = i; j < i + 4; j++) out[j] /= norm;
  }
  return out;
}
