// The 3-D view: lights, camera, the bodies on stage, and the loop that redraws them on changes.
import { OrbitControls, THREE } from "nicegui-scene";
import { Arrows } from "./arrows.js";
import { Compass } from "./compass.js";
import { Ghosts } from "./ghosts.js";
import { Ground } from "./ground.js";
import { Hand } from "./hand.js";
import { Playback } from "./playback.js";
import { chooseQuality, lowQuality, Stopwatch } from "./quality.js";
import { dispose, makeBody, usePlainMaterials } from "./solids.js";

const HORIZON = 0xf3f5f8;
const ZENITH = 0xb9cfe6;
//: Props farther away than this have not been thrown yet and are hidden.
const SIGHT_M = 40;
const SHADOW_M = 3.2;
//: Depth of a hole that the arrow bridges, in body heights. The server does the same below the character.
const HOLE = 0.25;
//: A larger movement in one frame is a jump in time: the camera jumps too.
const SNAP_M = 2;
const HEADER = 9;
const COUNT_EVERY_MS = 1000;

function makeSky() {
  const geometry = new THREE.SphereGeometry(150, 32, 24);
  const [low, high, color] = [new THREE.Color(HORIZON), new THREE.Color(ZENITH), new THREE.Color()];
  const position = geometry.attributes.position;
  const colors = [];
  for (let i = 0; i < position.count; i++) {
    const height = Math.max(position.getZ(i) / 150, 0);
    color.lerpColors(low, high, Math.min(1, height * 1.6));
    colors.push(color.r, color.g, color.b);
  }
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colors, 3));
  const material = new THREE.MeshBasicMaterial({
    vertexColors: true, side: THREE.BackSide, fog: false, depthWrite: false, toneMapped: false,
  });
  return new THREE.Mesh(geometry, material);
}

export class Theatre {
  constructor(element, tell) {
    this.element = element;
    this.quality = chooseQuality();
    this.stopwatch = new Stopwatch();
    this.renderer = new THREE.WebGLRenderer({ antialias: this.quality.antialias });
    this.renderer.shadowMap.enabled = true;
    element.appendChild(this.renderer.domElement);

    this.scene = new THREE.Scene();
    this.scene.fog = new THREE.Fog(HORIZON, 12, 45);
    this.sky = makeSky();
    this.scene.add(this.sky);
    this.addLight();
    this.applyQuality();

    this.camera = new THREE.PerspectiveCamera(34, 1, 0.05, 400);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.497 * Math.PI;
    this.controls.minDistance = 0.8;
    this.controls.maxDistance = 30;
    this.controls.addEventListener("change", () => (this.dirty = true));

    this.bodies = [];
    this.holdable = [];
    this.playback = new Playback();
    this.arrows = new Arrows(this.scene);
    this.ghosts = new Ghosts(this.scene);
    this.tell = tell;
    this.compass = new Compass(this.scene, (command) => tell.steer(command));
    this.hand = new Hand(this.renderer.domElement, this.camera, () => this.holdable, this.compass, tell);
    this.focus = new THREE.Vector3(0, 0, 0.9);
    this.height = 1.6;
    this.received = this.staged = this.drawn = this.counted = this.countedAt = 0;
    this.resetCamera();

    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(element);
    this.resize();
    this.last = performance.now();
    this.renderer.setAnimationLoop((now) => this.frame(now));
  }

  addLight() {
    this.scene.add(new THREE.HemisphereLight(0xffffff, 0xcfc8be, 1.9));
    this.sun = new THREE.DirectionalLight(0xfff4e6, 2.1);
    this.sun.castShadow = true;
    this.sun.shadow.radius = 4;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.015;
    const box = this.sun.shadow.camera;
    [box.left, box.right, box.top, box.bottom, box.near, box.far] = [-SHADOW_M, SHADOW_M, SHADOW_M, -SHADOW_M, 1, 16];
    this.scene.add(this.sun, this.sun.target);
  }

  applyQuality() {
    const { maxPixelRatio, shadowMap, softShadow } = this.quality;
    usePlainMaterials(this.quality.plainMaterials);
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, maxPixelRatio));
    this.renderer.shadowMap.type = softShadow ? THREE.PCFSoftShadowMap : THREE.PCFShadowMap;
    this.sun.shadow.mapSize.set(shadowMap, shadowMap);
    this.sun.shadow.map?.dispose();
    this.sun.shadow.map = null;
  }

  // With `keep`, another body replaces the one on stage and the camera stays where it is.
  showScene(scene, keep) {
    this.ground?.dispose();
    for (const body of this.bodies) dispose(body);
    this.ground = new Ground(scene.ground, this.quality.anisotropy);
    this.scene.add(this.ground.group);
    this.compass.layOn(this.ground.surface, HOLE * scene.height_m);
    this.bodies = scene.bodies.map(makeBody);
    this.holdable = [];
    scene.bodies.forEach((body, k) => {
      this.scene.add(this.bodies[k]);
      this.bodies[k].visible = false;
      if (body.kind !== "segment") return;
      for (const mesh of this.bodies[k].children) {
        mesh.userData.segment = k;
        this.holdable.push(mesh);
      }
    });
    this.kinds = scene.bodies.map((body) => body.kind);
    this.ghosts.build(scene.bodies);
    this.height = scene.height_m;
    this.steerable = scene.steerable;
    this.playback.clear();
    this.goal = null;
    this.freshScene = !keep;
    this.staged++;
  }

  // One flat array: time, rate, leap, centre of mass (3), height of the ground, step phase (-1 for none), number of
  // pushes, 6 numbers per push, 7 numbers per body.
  showPose(numbers) {
    const [time, rate, leap, x, y, z, floor, phase, pushes] = numbers;
    const end = HEADER + 6 * pushes;
    if (numbers.length - end !== 7 * this.bodies.length) return;
    const frame = {
      time, rate, leap, floor, phase, com: [x, y, z], pushes: numbers.slice(HEADER, end), pose: numbers.slice(end),
    };
    this.playback.add(frame, performance.now());
    this.arrows.show(frame.pushes);
    this.received++;
  }

  // The motion after the last edit of a script; null if there is nothing to compare.
  showTracks(tracks) {
    this.ghosts.show(tracks);
    this.dirty = true;
  }

  // View the whole body from the side and slightly ahead; from higher up if there is an arrow to drag.
  resetCamera() {
    const h = Math.max(this.height, 0.3);
    const view = this.steerable ? [-1.15 * h, -2.15 * h, 0.95 * h] : [0.95 * h, -2.35 * h, 0.38 * h];
    this.controls.target.copy(this.focus).setZ(this.focus.z - (this.steerable ? 0.14 : 0.06) * h);
    this.camera.position.copy(this.focus).add(new THREE.Vector3(...view));
    this.dirty = true;
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (!width || !height) return;
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.dirty = true;
  }

  frame(now) {
    // Do not drop a frame that comes slightly early.
    if (now - this.last < 1000 / this.quality.maxFps - 4) return;
    const passed_s = Math.min((now - this.last) / 1000, 0.2);
    this.last = now;
    if (this.quality !== lowQuality() && !this.quality.fixed && this.stopwatch.isTooSlow(passed_s)) {
      this.quality = lowQuality();
      this.applyQuality();
    }
    const pose = this.playback.sample(performance.now(), passed_s);
    if (pose) this.move(pose);
    if (this.ghosts.update(this.playback.time)) this.dirty = true;
    if (this.follow(passed_s)) this.dirty = true;
    const holding = this.hand.update(now);
    if (this.compass.changed) this.dirty = true;
    this.compass.changed = false;
    if (holding) this.arrows.pull(this.hand.from, this.hand.to);
    else this.arrows.pull(null);
    if (holding !== this.held) this.dirty = true;
    this.held = holding;
    if (this.arrows.update(passed_s)) this.dirty = true;
    this.controls.update();
    if (!this.dirty && !pose && !holding) return;
    this.dirty = false;
    this.sky.position.copy(this.camera.position);
    this.renderer.render(this.scene, this.camera);
    this.drawn++;
    this.count(now);
    this.element.dataset.time = this.playback.time ?? "";
    this.element.dataset.frames = this.drawn;
  }

  // Report the frame rate once a second.
  count(now) {
    const passed = now - this.countedAt;
    if (passed < COUNT_EVERY_MS) return;
    if (passed < 2 * COUNT_EVERY_MS) this.tell.rate(Math.round(((this.drawn - this.counted) * 1000) / passed));
    [this.counted, this.countedAt] = [this.drawn, now];
  }

  move({ com, pose, floor, phase }) {
    this.bodies.forEach((body, k) => {
      const i = 7 * k;
      body.position.set(pose[i], pose[i + 1], pose[i + 2]);
      body.quaternion.set(pose[i + 4], pose[i + 5], pose[i + 6], pose[i + 3]);
      body.visible = this.kinds[k] === "segment" || Math.hypot(pose[i] - com[0], pose[i + 1] - com[1]) < SIGHT_M;
    });
    this.goal = com;
    this.compass.follow(pose[0], pose[1], floor);
    window.dispatchEvent(new CustomEvent("poise-phase", { detail: phase < 0 ? null : phase }));
  }

  // Move the camera with the centre of mass, smoothed vertically, and keep the user's view angle. True while it moves.
  follow(passed_s) {
    if (!this.goal) return false;
    const shift = new THREE.Vector3(...this.goal).sub(this.focus);
    if (!this.freshScene && shift.length() < 1e-4) return false;
    if (!this.freshScene && Math.hypot(shift.x, shift.y) < SNAP_M) {
      const glide = 1 - Math.exp(-12 * passed_s);
      shift.multiply(new THREE.Vector3(glide, glide, 1 - Math.exp(-2.5 * passed_s)));
    }
    this.focus.add(shift);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    if (this.freshScene) this.resetCamera();
    this.freshScene = false;
    this.sun.target.position.copy(this.focus);
    this.sun.position.copy(this.focus).add(new THREE.Vector3(-1.9, -3.1, 5.2));
    this.ground?.follow(this.focus.x, this.focus.y);
    return true;
  }

  // Position of a body on the screen, in window pixels: for tests.
  locate(name) {
    const body = this.bodies.find((one) => one.name === name);
    const mesh = body.children[0];
    mesh.updateWorldMatrix(true, false);
    return this.toScreen(new THREE.Vector3().setFromMatrixPosition(mesh.matrixWorld));
  }

  // Position of the arrowhead on the screen, and of a ground point beside the character: for tests.
  locateArrow() {
    return this.toScreen(this.compass.grip.getWorldPosition(new THREE.Vector3()));
  }

  locateGround(dx, dy) {
    return this.toScreen(this.compass.group.position.clone().add(new THREE.Vector3(dx, dy, 0)));
  }

  toScreen(point) {
    const at = point.clone().project(this.camera);
    const box = this.element.getBoundingClientRect();
    return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height };
  }

  dispose() {
    this.renderer.setAnimationLoop(null);
    this.compass.dispose();
    this.observer.disconnect();
    this.arrows.dispose();
    this.ghosts.dispose();
    this.ground?.dispose();
    for (const body of this.bodies) dispose(body);
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.domElement.remove();
  }
}
