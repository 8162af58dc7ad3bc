// Dragging in the view: pulls a body while the pointer is down, or drags the arrow on the ground.
import { THREE } from "nicegui-scene";

const TELL_EVERY_MS = 50;
const LOOK_EVERY_MS = 60;

export class Hand {
  // `find()` returns the meshes that can be held; each has userData.segment. `tell` is { pull, release }.
  constructor(element, camera, find, compass, tell) {
    Object.assign(this, { element, camera, find, compass, tell });
    this.caster = new THREE.Raycaster();
    this.pointer = new THREE.Vector2();
    this.held = null;
    this.told = this.looked = 0;
    this.from = new THREE.Vector3();
    this.to = new THREE.Vector3();
    this.plane = new THREE.Plane();
    const listen = (type, handler) => element.addEventListener(type, handler.bind(this), { capture: true });
    listen("pointerdown", this.take);
    listen("pointermove", this.move);
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) listen(type, this.drop);
  }

  aim(event) {
    const box = this.element.getBoundingClientRect();
    this.pointer.set(
      ((event.clientX - box.left) / box.width) * 2 - 1,
      1 - ((event.clientY - box.top) / box.height) * 2,
    );
    this.caster.setFromCamera(this.pointer, this.camera);
  }

  take(event) {
    if (event.button !== 0 || this.held || this.compass.held) return;
    this.aim(event);
    if (this.compass.isUnder(this.caster, this.find())) {
      this.grab(event);
      this.compass.take();
      return;
    }
    const hit = this.caster.intersectObjects(this.find(), false)[0];
    if (!hit) return;
    this.grab(event);
    const body = hit.object.parent;
    this.held = { body, segment: hit.object.userData.segment, point: body.worldToLocal(hit.point.clone()) };
    this.told = 0;
  }

  // The camera controls must not see the events of a drag.
  grab(event) {
    event.stopImmediatePropagation();
    event.preventDefault();
    this.element.setPointerCapture(event.pointerId);
    this.element.style.cursor = "grabbing";
    this.shift = event.shiftKey;
  }

  move(event) {
    if (this.held || this.compass.held) {
      event.stopImmediatePropagation();
      this.shift = event.shiftKey;
      this.aim(event);
    } else if (event.buttons === 0 && event.timeStamp - this.looked > LOOK_EVERY_MS) {
      this.looked = event.timeStamp;
      this.aim(event);
      const over = this.compass.isUnder(this.caster, []) || this.caster.intersectObjects(this.find(), false).length > 0;
      this.element.style.cursor = over ? "grab" : "default";
    }
  }

  drop(event) {
    if (this.compass.held) {
      event?.stopImmediatePropagation();
      this.compass.drop();
      this.element.style.cursor = "default";
    }
    if (!this.held) return;
    event?.stopImmediatePropagation();
    this.held = null;
    this.element.style.cursor = "default";
    this.tell.release();
  }

  // Follow the held body in the plane that faces the camera; true while one is held.
  update(now) {
    if (this.compass.held) {
      // The camera follows the character: the point under the pointer changes even if the pointer does not move.
      this.caster.setFromCamera(this.pointer, this.camera);
      this.compass.drag(this.caster.ray, this.shift, now);
    }
    if (!this.held) return false;
    this.held.body.updateWorldMatrix(true, false);
    this.from.copy(this.held.point).applyMatrix4(this.held.body.matrixWorld);
    this.plane.setFromNormalAndCoplanarPoint(this.camera.getWorldDirection(new THREE.Vector3()), this.from);
    this.caster.setFromCamera(this.pointer, this.camera);
    if (!this.caster.ray.intersectPlane(this.plane, this.to)) this.to.copy(this.from);
    if (now - this.told > TELL_EVERY_MS) {
      this.told = now;
      this.tell.pull(this.held.segment, this.held.point.toArray(), this.to.toArray());
    }
    return true;
  }
}
