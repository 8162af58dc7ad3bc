// Five draggable points over a step, interpolated as in the walker.

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [308, 176, 40, 12, 12, 24];
const TELL_EVERY_MS = 50;
//: Ignore older values from the server for this long after a drag.
const HANDS_OFF_MS = 700;
//: Half of the vertical range in displayed units; the smallest that fits is used.
const SPANS = { "°": [15, 30, 60, 90, 120, 185], cm: [5, 10, 20, 40, 62] };
const SAMPLES = 64;

// Uniform Catmull-Rom spline with repeated end points, as in the law.
function evaluate(q, phase) {
  const last = q.length - 1;
  const x = Math.min(Math.max(phase, 0), 1) * last;
  const i = Math.min(Math.floor(x), last - 1);
  const [t, before, after] = [x - i, Math.max(i - 1, 0), Math.min(i + 2, last)];
  const [t2, t3] = [t * t, t * t * t];
  return (
    (2 * t3 - 3 * t2 + 1) * q[i] + (3 * t2 - 2 * t3) * q[i + 1] +
    0.5 * (t3 - 2 * t2 + t) * (q[i + 1] - q[before]) + 0.5 * (t3 - t2) * (q[after] - q[i])
  );
}

export default {
  template: `
    <svg class="poise-curve" :class="{ 'poise-curve-locked': locked }" viewBox="0 0 ${WIDTH} ${HEIGHT}"
         @pointermove="move" @pointerup="drop" @pointercancel="drop">
      <g class="poise-curve-grid">
        <line v-for="v in ticks" :key="v" :x1="x(0)" :x2="x(1)" :y1="y(v)" :y2="y(v)" :class="{ zero: v === 0 }" />
        <line v-for="k in 5" :key="'k' + k" :x1="x((k - 1) / 4)" :x2="x((k - 1) / 4)" :y1="y(span)" :y2="y(-span)" />
        <text v-for="v in ticks" :key="'t' + v" :x="${LEFT - 6}" :y="y(v) + 3.5" text-anchor="end">{{ v }}{{ unit === "°" ? "°" : "" }}</text>
        <text :x="x(0)" y="${HEIGHT - 7}" text-anchor="start">foot strike</text>
        <text :x="x(1)" y="${HEIGHT - 7}" text-anchor="end">next strike</text>
        <text v-if="unit !== '°'" x="4" y="${TOP}" text-anchor="start">{{ unit }}</text>
      </g>
      <path v-if="ghost" class="poise-curve-ghost" :d="path(ghost)" />
      <path class="poise-curve-line" :d="path(mine)" />
      <line v-show="phase !== null" class="poise-curve-phase" :x1="x(phase ?? 0)" :x2="x(phase ?? 0)" :y1="y(span)" :y2="y(-span)" />
      <circle v-if="phase !== null" class="poise-curve-now" :cx="x(phase)" :cy="y(at(phase))" r="3.5" />
      <g v-for="(value, k) in mine" :key="'p' + k" :data-point="k" class="poise-curve-point" :class="{ held: k === held }"
         @pointerdown="take($event, k)" @dblclick="set(k, 0, true)">
        <circle :cx="x(k / 4)" :cy="y(value * factor)" r="13" fill="transparent" />
        <circle :cx="x(k / 4)" :cy="y(value * factor)" r="5.5" class="dot" />
      </g>
      <text v-if="held !== null" class="poise-curve-value" :x="Math.min(Math.max(x(held / 4), ${LEFT + 18}), ${WIDTH - 30})"
            :y="Math.max(y(mine[held] * factor) - 12, 11)" text-anchor="middle">
        {{ (mine[held] * factor).toFixed(1) }}{{ unit === "°" ? "°" : " cm" }}
      </text>
    </svg>`,
  props: { points: Array, ghost: Array, unit: String, factor: Number, limit: Number, locked: Boolean },
  emits: ["edit"],
  data() {
    return { mine: [...this.points], held: null, span: 30, phase: null };
  },
  created() {
    this.told = this.touched = 0;
    this.choose();
    this.hear = (event) => (this.phase = event.detail);
    window.addEventListener("poise-phase", this.hear);
  },
  beforeUnmount() {
    window.removeEventListener("poise-phase", this.hear);
    clearTimeout(this.later);
  },
  watch: {
    points() {
      if (this.held === null && performance.now() - this.touched > HANDS_OFF_MS) this.adopt();
      else {
        clearTimeout(this.later);
        this.later = setTimeout(() => this.held === null && this.adopt(), HANDS_OFF_MS);
      }
    },
    unit() {
      this.adopt();
    },
  },
  computed: {
    ticks() {
      return [-this.span, -this.span / 2, 0, this.span / 2, this.span];
    },
  },
  methods: {
    adopt() {
      this.mine = [...this.points];
      this.choose();
    },
    // The vertical range does not change while a point is dragged.
    choose() {
      const most = Math.max(...this.mine.map((v) => Math.abs(v * this.factor)));
      const spans = SPANS[this.unit] ?? SPANS["°"];
      this.span = spans.find((span) => span >= 1.1 * most) ?? spans.at(-1);
    },
    x(phase) {
      return LEFT + phase * (WIDTH - LEFT - RIGHT);
    },
    y(value) {
      return TOP + ((this.span - value) / (2 * this.span)) * (HEIGHT - TOP - BOTTOM);
    },
    at(phase) {
      return evaluate(this.mine, phase) * this.factor;
    },
    path(points) {
      const steps = Array.from({ length: SAMPLES + 1 }, (_, k) => k / SAMPLES);
      return "M" + steps.map((s) => `${this.x(s).toFixed(1)},${this.y(evaluate(points, s) * this.factor).toFixed(1)}`).join("L");
    },
    take(event, k) {
      if (this.locked || event.button !== 0) return;
      event.preventDefault();
      this.$el.setPointerCapture(event.pointerId);
      this.held = k;
    },
    move(event) {
      if (this.held === null) return;
      const box = this.$el.getBoundingClientRect();
      const up = ((event.clientY - box.top) / box.height) * HEIGHT;
      const value = this.span - ((up - TOP) / (HEIGHT - TOP - BOTTOM)) * 2 * this.span;
      this.set(this.held, Math.min(Math.max(value, -this.span), this.span) / this.factor, false);
    },
    set(k, value, done) {
      if (this.locked) return;
      this.mine[k] = Math.min(Math.max(value, -this.limit), this.limit);
      this.touched = performance.now();
      if (done || this.touched - this.told > TELL_EVERY_MS) this.tell();
    },
    tell() {
      this.told = performance.now();
      this.$emit("edit", [...this.mine]);
    },
    drop() {
      if (this.held === null) return;
      this.held = null;
      this.tell();
      this.choose();
    },
  },
};
