// The ground: an endless checkered floor with distance marks, blocks, and height fields.
import { THREE } from "nicegui-scene";
import { dispose, makeBlock, makeField, makeMaterial } from "./solids.js";
import { Surface } from "./surface.js";

//: Period of the pattern: one light and one dark tile.
const PERIOD_M = 2.0;
const FLOOR_M = 240;
const MARK_EVERY_M = 5;
const MARKS = 11;

function makeChecker(anisotropy) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 256;
  const draw = canvas.getContext("2d");
  draw.fillStyle = "#eceff3";
  draw.fillRect(0, 0, 256, 256);
  draw.fillStyle = "#dde2e9";
  draw.fillRect(0, 0, 128, 128);
  draw.fillRect(128, 128, 128, 128);
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = anisotropy;
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

function makeMark() {
  const canvas = document.createElement("canvas");
  canvas.width = 256;
  canvas.height = 128;
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 8;
  const material = new THREE.MeshBasicMaterial({ map: texture, transparent: true, depthWrite: false });
  const mesh = new THREE.Mesh(new THREE.PlaneGeometry(0.8, 0.4), material);
  mesh.userData.write = (text) => {
    if (mesh.userData.text === text) return;
    mesh.userData.text = text;
    const draw = canvas.getContext("2d");
    draw.clearRect(0, 0, 256, 128);
    draw.font = "500 76px Roboto, sans-serif";
    draw.textAlign = "center";
    draw.textBaseline = "middle";
    draw.fillStyle = "rgba(70, 84, 102, 0.75)";
    draw.fillText(text, 128, 68);
    texture.needsUpdate = true;
  };
  return mesh;
}

export class Ground {
  constructor(ground, anisotropy) {
    this.surface = new Surface(ground);
    this.checker = makeChecker(anisotropy);
    this.group = new THREE.Group();
    this.marks = [];
    if (ground.plane) this.addFloor(ground.height, ground.solids.length || ground.field);
    for (const solid of ground.solids) this.group.add(makeBlock(solid, this.checker, PERIOD_M));
    if (ground.field) this.group.add(makeField(ground.field, this.checker, PERIOD_M));
  }

  addFloor(height, crowded) {
    const material = makeMaterial(0xffffff, 0.95);
    material.map = this.checker.clone();
    material.map.repeat.set(FLOOR_M / PERIOD_M, FLOOR_M / PERIOD_M);
    this.floor = new THREE.Mesh(new THREE.PlaneGeometry(FLOOR_M, FLOOR_M), material);
    this.floor.position.z = height;
    this.floor.receiveShadow = true;
    this.group.add(this.floor);
    if (crowded) return;
    const line = new THREE.MeshBasicMaterial({ color: 0x8d99a8, transparent: true, opacity: 0.8, depthWrite: false });
    for (let k = 0; k < MARKS; k++) {
      const mark = makeMark();
      const tick = new THREE.Mesh(new THREE.PlaneGeometry(0.025, 1.3), line);
      tick.position.y = -0.95;
      mark.add(tick);
      mark.position.set(0, 0.95, height + 0.002);
      this.marks.push(mark);
      this.group.add(mark);
    }
  }

  // Move the floor and its marks with the character, in whole periods: they appear to stay in place.
  follow(x, y) {
    this.floor?.position.setX(Math.round(x / PERIOD_M) * PERIOD_M);
    this.floor?.position.setY(Math.round(y / PERIOD_M) * PERIOD_M);
    const first = Math.round(x / MARK_EVERY_M) - (MARKS - 1) / 2;
    this.marks.forEach((mark, k) => {
      const at = (first + k) * MARK_EVERY_M;
      mark.position.x = at;
      mark.userData.write(`${at} m`);
    });
  }

  dispose() {
    dispose(this.group);
  }
}
