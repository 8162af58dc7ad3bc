// The draggable arrow on the ground that shows and sets the commanded velocity.
//
// It starts on a ring around the feet. Its direction is that of the commanded velocity, its length the speed at 1 m per
// m/s; the wedge on the ring shows the heading.
import { THREE } from "nicegui-scene";
import { dispose } from "./solids.js";

const RING_M = 0.34;
const WIDE_M = 0.075;
const HEAD_M = 0.22;
const LIFT_M = 0.006;
const TELL_EVERY_MS = 50;
//: Ignore older values from the server for this long after a drag.
const HANDS_OFF_MS = 600;
const [COLOR, HOT] = [0x12a37f, 0x0b7d61];

function makeFlat(shape, color, opacity, order) {
  const material = new THREE.MeshBasicMaterial({
    color, transparent: true, opacity, depthWrite: false, side: THREE.DoubleSide, toneMapped: false,
  });
  const mesh = new THREE.Mesh(shape, material);
  mesh.renderOrder = order;
  return mesh;
}

function makeTriangle(length, width) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute([0, width, 0, 0, -width, 0, length, 0, 0], 3));
  return geometry;
}

export class Compass {
  // `tell` is called with { speed, side, heading } in m/s and degrees.
  constructor(scene, tell) {
    this.tell = tell;
    this.group = new THREE.Group();
    this.group.visible = false;
    this.ring = makeFlat(new THREE.RingGeometry(RING_M - 0.012, RING_M + 0.012, 64), COLOR, 0.75, 1);
    this.wedge = makeFlat(makeTriangle(0.13, 0.085), COLOR, 0.9, 2);
    this.shaft = makeFlat(new THREE.PlaneGeometry(1, WIDE_M).translate(0.5, 0, 0), COLOR, 0.85, 2);
    this.head = makeFlat(makeTriangle(HEAD_M, 0.16), COLOR, 0.95, 3);
    // The grip is larger than the visible arrowhead.
    this.grip = new THREE.Mesh(
      new THREE.CylinderGeometry(0.24, 0.24, 0.12, 16).rotateX(Math.PI / 2),
      new THREE.MeshBasicMaterial({ visible: false }),
    );
    this.grip.userData.compass = this;
    this.group.add(this.ring, this.wedge, this.shaft, this.head, this.grip);
    scene.add(this.group);
    this.command = null;
    this.held = null;
    this.told = this.touched = 0;
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
    this.group.position.set(x, y, floor + LIFT_M);
  }

  lay() {
    if (!this.command) return;
    const { speed, side, heading } = this.command;
    const facing = (heading * Math.PI) / 180;
    const length = Math.hypot(speed, side);
    const angle = length > 0.005 ? facing + Math.atan2(side, speed) : facing;
    this.wedge.position.set(RING_M * Math.cos(facing), RING_M * Math.sin(facing), 0);
    this.wedge.rotation.z = facing;
    const shaft = Math.max(length - HEAD_M, 0.001);
    const along = (r) => new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), 0);
    this.shaft.position.copy(along(RING_M));
    this.shaft.scale.x = shaft;
    this.shaft.visible = length > HEAD_M;
    this.head.position.copy(along(RING_M + Math.max(length - HEAD_M, 0)));
    this.head.scale.setScalar(Math.min(1, Math.max(length / HEAD_M, 0.55)));
    for (const mesh of [this.shaft, this.head]) mesh.rotation.z = angle;
    this.grip.position.copy(along(RING_M + Math.max(length - 0.5 * HEAD_M, 0.5 * HEAD_M)));
    this.changed = true;
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
    const plane = new THREE.Plane(new THREE.Vector3(0, 0, 1), -this.group.position.z);
    const at = ray.intersectPlane(plane, new THREE.Vector3());
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
