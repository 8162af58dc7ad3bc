// Arrows for external forces: pushes and the pull of the mouse.
import { THREE } from "nicegui-scene";
import { dispose, makeMaterial } from "./solids.js";

const FADE_S = 0.5;
//: Length of the arrow for a push equal to the character's weight.
const METRES_PER_WEIGHT = 1.1;

function makeArrow(color) {
  const group = new THREE.Group();
  const material = makeMaterial(color, 0.45);
  material.transparent = true;
  const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.022, 0.022, 1, 16).translate(0, 0.5, 0), material);
  const head = new THREE.Mesh(new THREE.ConeGeometry(0.06, 0.15, 24).translate(0, -0.075, 0), material);
  shaft.castShadow = head.castShadow = true;
  group.add(shaft, head);
  group.visible = false;
  group.userData = { shaft, head, material };
  return group;
}

function aim(arrow, from, to) {
  const along = new THREE.Vector3().subVectors(to, from);
  const length = along.length();
  arrow.visible = length > 0.02;
  if (!arrow.visible) return;
  arrow.position.copy(from);
  arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.divideScalar(length));
  const { shaft, head } = arrow.userData;
  shaft.scale.y = Math.max(length - 0.14, 0.01);
  head.position.y = length;
}

export class Arrows {
  constructor(scene) {
    this.pushes = [0, 1, 2, 3].map(() => makeArrow(0xd6336c));
    this.hand = makeArrow(0x12a37f);
    scene.add(this.hand, ...this.pushes);
    this.left_s = 0;
  }

  // Flat array of [x, y, z, fx, fy, fz] per push, with the force / the weight.
  show(pushes) {
    const count = Math.min(pushes.length / 6, this.pushes.length);
    this.acting = count > 0;
    if (this.acting) this.left_s = FADE_S;
    for (let k = 0; k < count; k++) {
      const to = new THREE.Vector3(...pushes.slice(6 * k, 6 * k + 3));
      const force = new THREE.Vector3(...pushes.slice(6 * k + 3, 6 * k + 6));
      const length = Math.min(Math.max(force.length() * METRES_PER_WEIGHT, 0.25), 1.6);
      const gap = force.setLength(0.14);
      to.sub(gap);
      aim(this.pushes[k], to.clone().sub(gap.clone().setLength(length)), to);
      this.pushes[k].userData.material.opacity = 1;
    }
  }

  pull(from, to) {
    if (from) aim(this.hand, from, to);
    else this.hand.visible = false;
  }

  // Fade out pushes that have ended; true while a redraw is needed.
  update(passed_s) {
    if (this.acting || this.left_s <= 0) return false;
    this.left_s -= passed_s;
    for (const arrow of this.pushes) {
      arrow.userData.material.opacity = Math.min(1, Math.max(0, this.left_s / FADE_S) * 1.5);
      if (this.left_s <= 0) arrow.visible = false;
    }
    return true;
  }

  dispose() {
    for (const arrow of [this.hand, ...this.pushes]) dispose(arrow);
  }
}
