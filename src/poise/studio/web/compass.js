// The draggable arrow on the ground that shows and sets the commanded velocity.
//
// It starts on a ring around the feet. Its direction is that of the commanded velocity, its length the speed at 1 m per
// m/s; the wedge on the ring shows the heading. All parts lie on the surface: they are strips bent over its edges.
import { THREE } from "nicegui-scene";
import { dispose } from "./solids.js";

const RING_M = 0.34;
const RING_WIDE_M = 0.012;
const RING_PARTS = 64;
const WEDGE_M = 0.13;
const WEDGE_WIDE_M = 0.085;
const WIDE_M = 0.075;
const HEAD_M = 0.22;
const HEAD_WIDE_M = 0.16;
//: Length of the pieces of a strip that can bend.
const PIECE_M = 0.05;
const MOST_PIECES = 80;
const LIFT_M = 0.006;
const TELL_EVERY_MS = 50;
//: Ignore older values from the server for this long after a drag.
const HANDS_OFF_MS = 600;
const [COLOR, HOT] = [0x12a37f, 0x0b7d61];

// A flat band of pairs of points, which `lay` places.
function makeStrip(pieces, color, opacity, order) {
  const material = new THREE.MeshBasicMaterial({
    color, transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide, toneMapped: false,
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(6 * (pieces + 1)), 3));
  const faces = [];
  for (let k = 0; k < pieces; k++) faces.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 2, 2 * k + 1, 2 * k + 3);
  geometry.setIndex(faces);
  const mesh = new THREE.Mesh(geometry, material);
  mesh.renderOrder = order;
  mesh.frustumCulled = false;
  return mesh;
}

function countPieces(length) {
  return Math.min(Math.max(Math.ceil(length / PIECE_M), 1), MOST_PIECES);
}

export class Compass {
  // `tell` is called with { speed, side, heading } in m/s and degrees.
  constructor(scene, tell) {
    this.tell = tell;
    this.group = new THREE.Group();
    this.group.visible = false;
    this.ring = makeStrip(RING_PARTS, COLOR, 0.75, 1);
    this.wedge = makeStrip(countPieces(WEDGE_M), COLOR, 0.9, 2);
    this.shaft = makeStrip(MOST_PIECES, COLOR, 0.85, 2);
    this.head = makeStrip(countPieces(HEAD_M), COLOR, 0.95, 3);
    // The grip is larger than the visible arrowhead.
    this.grip = new THREE.Mesh(
      new THREE.CylinderGeometry(0.24, 0.24, 0.12, 16).rotateX(Math.PI / 2),
      new THREE.MeshBasicMaterial({ visible: false }),
    );
    this.grip.userData.compass = this;
    this.group.add(this.ring, this.wedge, this.shaft, this.head, this.grip);
    scene.add(this.group);
    this.surface = null;
    this.limit = 0;
    this.command = null;
    this.held = null;
    this.told = this.touched = 0;
  }

  // The surface to lie on; holes deeper than `limit` are bridged.
  layOn(surface, limit) {
    [this.surface, this.limit] = [surface, limit];
    this.lay();
  }

  // The current commands { speed, side, heading, low, high, reach }, or null if the controller cannot be steered.
  show(command) {
    if (command && this.command && (this.held || performance.now() - this.touched < HANDS_OFF_MS)) {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.show(command), HANDS_OFF_MS);
      return;
    }
    this.command = command;
    this.group.visible = command !== null;
    this.lay();
  }

  follow(x, y, floor) {
    const { position } = this.group;
    if (position.x === x && position.y === y && position.z === floor + LIFT_M) return;
    position.set(x, y, floor + LIFT_M);
    if (this.surface && !this.surface.level) this.lay();
  }

  // Heights above the middle of the ring along a ray.
  trace(angle, distances) {
    const { x, y, z } = this.group.position;
    if (!this.surface) return distances.map(() => 0);
    return this.surface.trace(x, y, z - LIFT_M, angle, distances, this.limit).map((height) => height - (z - LIFT_M));
  }

  lay() {
    if (!this.command) return;
    const { speed, side, heading } = this.command;
    const facing = (heading * Math.PI) / 180;
    const length = Math.hypot(speed, side);
    this.angle = length > 0.005 ? facing + Math.atan2(side, speed) : facing;
    this.layRing();
    this.layBand(this.wedge, facing, RING_M, WEDGE_M, (part) => WEDGE_WIDE_M * (1 - part));
    const neck = Math.max(length - HEAD_M, 0);
    this.shaft.visible = neck > 0;
    this.layBand(this.shaft, this.angle, RING_M, Math.max(neck, 0.001), () => WIDE_M / 2);
    const scale = Math.min(1, Math.max(length / HEAD_M, 0.55));
    this.layBand(this.head, this.angle, RING_M + neck, HEAD_M * scale, (part) => HEAD_WIDE_M * scale * (1 - part));
    const reach = RING_M + Math.max(length - 0.5 * HEAD_M, 0.5 * HEAD_M);
    const [height] = this.trace(this.angle, [reach]);
    this.grip.position.set(reach * Math.cos(this.angle), reach * Math.sin(this.angle), height);
    this.changed = true;
  }

  layRing() {
    const { position } = this.ring.geometry.attributes;
    for (let k = 0; k <= RING_PARTS; k++) {
      const angle = (2 * Math.PI * k) / RING_PARTS;
      const [height] = this.trace(angle, [RING_M]);
      [RING_M - RING_WIDE_M, RING_M + RING_WIDE_M].forEach((radius, j) => {
        position.setXYZ(2 * k + j, radius * Math.cos(angle), radius * Math.sin(angle), height);
      });
    }
    position.needsUpdate = true;
  }

  // A band along a ray; `width` is half its width at each part of its length.
  layBand(mesh, angle, start, length, width) {
    const { position } = mesh.geometry.attributes;
    const pieces = position.count / 2 - 1;
    const distances = Array.from({ length: pieces + 1 }, (_, k) => start + (length * k) / pieces);
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    this.trace(angle, distances).forEach((height, k) => {
      const wide = width(k / pieces);
      position.setXYZ(2 * k, distances[k] * dx - wide * dy, distances[k] * dy + wide * dx, height);
      position.setXYZ(2 * k + 1, distances[k] * dx + wide * dy, distances[k] * dy - wide * dx, height);
    });
    position.needsUpdate = true;
  }

  // Whether the pointer is over the arrowhead with nothing in front of it.
  isUnder(caster, others) {
    if (!this.group.visible) return false;
    const mine = caster.intersectObject(this.grip, false)[0];
    const theirs = caster.intersectObjects(others, false)[0];
    return Boolean(mine && !(theirs && theirs.distance < mine.distance));
  }

  take() {
    this.held = true;
    this.told = 0;
    this.paint(HOT);
  }

  // Point the arrow at the pointer. With `slide`, the heading stays and only the velocity changes.
  drag(ray, slide, now) {
    const at = this.hit(ray);
    if (!at) return;
    const [dx, dy] = [at.x - this.group.position.x, at.y - this.group.position.y];
    const distance = Math.hypot(dx, dy);
    const length = Math.max(distance - RING_M, 0);
    const { low, high, reach, heading } = this.command;
    const angle = Math.atan2(dy, dx);
    if (slide) {
      const turn = angle - (heading * Math.PI) / 180;
      this.command.speed = clamp(length * Math.cos(turn), low, high);
      this.command.side = clamp(length * Math.sin(turn), -reach, reach);
    } else {
      this.command.speed = clamp(length, 0, high);
      this.command.side = 0;
      if (distance > 0.08) this.command.heading = (angle * 180) / Math.PI;
    }
    this.touched = performance.now();
    this.lay();
    if (now - this.told > TELL_EVERY_MS) {
      this.told = now;
      this.send();
    }
  }

  // Where a ray meets the surface: on the level of the ring first, then on the level found there.
  hit(ray) {
    let [height, at] = [0, null];
    for (let k = 0; k < 3; k++) {
      const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1), -this.group.position.z - height);
      const next = ray.intersectPlane(plane, new THREE.Vector3());
      if (!next) return at;
      at = next;
      const [dx, dy] = [at.x - this.group.position.x, at.y - this.group.position.y];
      [height] = this.trace(Math.atan2(dy, dx), [Math.hypot(dx, dy)]);
    }
    return at;
  }

  send() {
    const { speed, side, heading } = this.command;
    this.tell({ speed, side, heading });
  }

  drop() {
    this.held = null;
    this.touched = performance.now();
    this.paint(COLOR);
    this.send();
  }

  paint(color) {
    for (const mesh of [this.ring, this.wedge, this.shaft, this.head]) mesh.material.color.set(color);
    this.changed = true;
  }

  dispose() {
    clearTimeout(this.later);
    dispose(this.group);
  }
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}
