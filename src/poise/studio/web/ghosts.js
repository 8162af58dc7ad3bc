// The effect of an edit: the motion before and after this moment as faint, still bodies, and the same moment of the
// previous version.
import { THREE } from "nicegui-scene";
import { dispose, makeGeometry } from "./solids.js";

const EVERY_S = 0.3;
const [PAST_S, FUTURE_S] = [1.6, 2.5];
//: No ghost is drawn this close to the present: it would overlap the body.
const NEAR_S = 0.12;
const COLORS = { past: 0x6f8196, future: 0x12a37f, before: 0x8d7f8f };
const MOST = 16;

function makeBodies(bodies, material, count) {
  const meshes = [];
  bodies.forEach(({ kind, shapes }, body) => {
    if (kind !== "segment") return;
    for (const shape of shapes) {
      const mesh = new THREE.InstancedMesh(makeGeometry(shape), material, count);
      const [w, x, y, z] = shape.quat;
      mesh.userData = { body, local: new THREE.Matrix4().compose(new THREE.Vector3(...shape.center), new THREE.Quaternion(x, y, z, w), new THREE.Vector3(1, 1, 1)) };
      mesh.count = 0;
      mesh.frustumCulled = false;
      meshes.push(mesh);
    }
  });
  return meshes;
}

function makeMaterial(opacity) {
  return new THREE.MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
}

function makeLine(color, dashed) {
  const material = dashed
    ? new THREE.LineDashedMaterial({ color, dashSize: 0.05, gapSize: 0.035, transparent: true, opacity: 0.8 })
    : new THREE.LineBasicMaterial({ color });
  const line = new THREE.Line(new THREE.BufferGeometry(), material);
  line.frustumCulled = false;
  return line;
}

export class Ghosts {
  constructor(scene) {
    this.scene = scene;
    this.lines = { past: makeLine(COLORS.past), future: makeLine(COLORS.future), before: makeLine(COLORS.before, true) };
    this.group = new THREE.Group();
    this.group.add(...Object.values(this.lines));
    scene.add(this.group);
    this.meshes = [];
    this.clear();
  }

  // Build the ghosts from the bodies of a stage.
  build(bodies) {
    for (const mesh of this.meshes) dispose(mesh);
    this.segments = bodies.filter(({ kind }) => kind === "segment").length;
    this.mine = makeBodies(bodies, makeMaterial(0.16), MOST);
    this.old = makeBodies(bodies, makeMaterial(0.3), 1);
    this.meshes = [...this.mine, ...this.old];
    if (this.meshes.length) this.group.add(...this.meshes);
    this.clear();
  }

  clear() {
    this.tracks = null;
    this.shown = null;
    this.group.visible = false;
    this.count = 0;
  }

  // `mine` and `before` are { times, poses, coms }, flat; null shows nothing.
  show(tracks) {
    if (!tracks) return this.clear();
    this.tracks = tracks;
    this.shown = null;
    this.group.visible = true;
  }

  // Draw the ghosts for a time; true if anything changed.
  update(time) {
    if (!this.tracks || time === null || time === this.shown) return false;
    this.shown = time;
    const { mine, before } = this.tracks;
    const at = [];
    const first = Math.ceil((time - PAST_S) / EVERY_S);
    for (let k = first; k * EVERY_S < time + FUTURE_S && at.length < MOST; k++) if (Math.abs(k * EVERY_S - time) > NEAR_S) at.push(k * EVERY_S);
    this.count = this.place(this.mine, mine, at, time);
    this.place(this.old, before, [time], time, COLORS.before);
    this.draw("past", mine, time - PAST_S, time);
    this.draw("future", mine, time, time + FUTURE_S);
    this.draw("before", before, time - PAST_S, time + FUTURE_S);
    return true;
  }

  place(meshes, track, times, now, only) {
    const inside = times.filter((time) => time >= track.times[0] - 1e-6 && time <= track.times.at(-1) + 1e-6);
    const color = new THREE.Color();
    const [matrix, turn, here, one] = [new THREE.Matrix4(), new THREE.Quaternion(), new THREE.Vector3(), new THREE.Vector3(1, 1, 1)];
    for (const mesh of meshes) {
      inside.forEach((time, k) => {
        const i = 7 * (nearest(track.times, time) * this.segments + mesh.userData.body);
        const pose = track.poses;
        here.set(pose[i], pose[i + 1], pose[i + 2]);
        turn.set(pose[i + 4], pose[i + 5], pose[i + 6], pose[i + 3]);
        mesh.setMatrixAt(k, matrix.compose(here, turn, one).multiply(mesh.userData.local));
        mesh.setColorAt(k, color.set(only ?? (time < now ? COLORS.past : COLORS.future)));
      });
      mesh.count = inside.length;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    return inside.length;
  }

  draw(name, { times, coms }, from, to) {
    const points = [];
    times.forEach((time, k) => {
      if (time >= from - 0.03 && time <= to + 0.03) points.push(new THREE.Vector3(coms[3 * k], coms[3 * k + 1], coms[3 * k + 2]));
    });
    const line = this.lines[name];
    line.visible = points.length > 1;
    line.geometry.dispose();
    line.geometry = new THREE.BufferGeometry().setFromPoints(points);
    if (name === "before") line.computeLineDistances();
  }

  dispose() {
    dispose(this.group);
  }
}

function nearest(times, time) {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low > 0 && time - times[low - 1] < times[low] - time ? low - 1 : low;
}
