// Meshes of the solids that make up characters, props and ground.
import { THREE } from "nicegui-scene";

export const COLORS = {
  left: 0xe4704a,
  right: 0x3d7cc0,
  middle: 0xa3adba,
  joint: 0x2c333d,
  prop: 0xf0b429,
  solid: 0xd5dae1,
};

let plain = false;

// Plain materials are several times cheaper without a graphics card.
export function usePlainMaterials(yes) {
  plain = yes;
}

export function makeMaterial(color, roughness = 0.62) {
  if (plain) return new THREE.MeshLambertMaterial({ color });
  return new THREE.MeshStandardMaterial({ color, roughness, metalness: 0.02 });
}

// A box with rounded edges that catch the light.
function makeRoundedBox([x, y, z], radius) {
  const r = Math.min(radius, 0.49 * Math.min(x, y, z));
  const geometry = new THREE.BoxGeometry(x, y, z, 8, 8, 8);
  const position = geometry.attributes.position;
  const normal = geometry.attributes.normal;
  const inner = new THREE.Vector3(x / 2 - r, y / 2 - r, z / 2 - r);
  const p = new THREE.Vector3();
  const core = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) {
    p.fromBufferAttribute(position, i);
    // The outermost grid cells become the rounding: map them to it for any box size.
    for (const [axis, half] of [["x", x / 2], ["y", y / 2], ["z", z / 2]]) {
      const s = (p[axis] / half) * 4;
      const cells = Math.abs(s);
      p[axis] = Math.sign(s) * (cells <= 1 ? cells * (half - r) : half - r + (r * (cells - 1)) / 3);
    }
    core.copy(p).clamp(inner.clone().negate(), inner);
    p.sub(core);
    if (p.lengthSq() > 1e-12) {
      p.normalize();
      normal.setXYZ(i, p.x, p.y, p.z);
    }
    p.multiplyScalar(r).add(core);
    position.setXYZ(i, p.x, p.y, p.z);
  }
  return geometry;
}

export function makeGeometry({ kind, size }) {
  switch (kind) {
    case "box":
      return makeRoundedBox(size, 0.018);
    case "sphere":
      return new THREE.SphereGeometry(size[0], 32, 20);
    case "ellipsoid":
      return new THREE.SphereGeometry(1, 32, 20).scale(...size);
    case "capsule":
      return new THREE.CapsuleGeometry(size[0], size[1], 8, 24).rotateX(Math.PI / 2);
    case "cylinder":
      return new THREE.CylinderGeometry(size[0], size[0], size[1], 32).rotateX(Math.PI / 2);
    default:
      throw new Error(`unknown solid ${kind}`);
  }
}

function place(object, center, [w, x, y, z]) {
  object.position.set(...center);
  object.quaternion.set(x, y, z, w);
  return object;
}

export function makeSolid(shape, material) {
  const mesh = place(new THREE.Mesh(makeGeometry(shape), material), shape.center, shape.quat);
  mesh.castShadow = mesh.receiveShadow = true;
  return mesh;
}

function makeGroundMaterial(rgba, map) {
  const material = makeMaterial(rgba ? new THREE.Color(...rgba.slice(0, 3)) : COLORS.solid, 0.95);
  material.map = map;
  return material;
}

// Map a pattern onto a geometry by its horizontal position, vertical faces by height; it repeats every `tile` metres.
function wrapPattern(geometry, [cx, cy, cz], tile) {
  const { position, normal } = geometry.attributes;
  const uv = [];
  for (let i = 0; i < position.count; i++) {
    const [x, y, z] = [position.getX(i) + cx, position.getY(i) + cy, position.getZ(i) + cz];
    const [nx, ny] = [Math.abs(normal.getX(i)), Math.abs(normal.getY(i))];
    uv.push((nx > 0.7 ? y : x) / tile, (nx > 0.7 || ny > 0.7 ? z : y) / tile);
  }
  geometry.setAttribute("uv", new THREE.Float32BufferAttribute(uv, 2));
}

// A block of the terrain, checkered like the floor, with its edges drawn.
export function makeBlock(solid, map, tile) {
  const geometry = new THREE.BoxGeometry(...solid.size);
  wrapPattern(geometry, solid.center, tile);
  const material = makeGroundMaterial(solid.rgba, map);
  const mesh = place(new THREE.Mesh(geometry, material), solid.center, solid.quat);
  mesh.castShadow = mesh.receiveShadow = true;
  const edges = new THREE.LineBasicMaterial({ color: 0x7c8896 });
  mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry), edges));
  return mesh;
}

export function makeField({ x, y, z }, map, tile) {
  const geometry = new THREE.BufferGeometry();
  const points = [];
  const faces = [];
  for (let r = 0; r < y.length; r++)
    for (let c = 0; c < x.length; c++) points.push(x[c], y[r], z[r * x.length + c]);
  for (let r = 0; r + 1 < y.length; r++)
    for (let c = 0; c + 1 < x.length; c++) {
      const i = r * x.length + c;
      faces.push(i, i + 1, i + x.length + 1, i, i + x.length + 1, i + x.length);
    }
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setIndex(faces);
  geometry.computeVertexNormals();
  wrapPattern(geometry, [0, 0, 0], tile);
  const mesh = new THREE.Mesh(geometry, makeGroundMaterial(null, map));
  mesh.receiveShadow = true;
  return mesh;
}

export function makeBody(body) {
  const group = new THREE.Group();
  group.name = body.name;
  const material = makeMaterial(body.kind === "prop" ? COLORS.prop : COLORS[body.side]);
  for (const shape of body.shapes) group.add(makeSolid(shape, material));
  if (body.jointed) group.add(makeJoint(body.shapes));
  return group;
}

// A ball at the joint, slightly thinner than the limb.
function makeJoint(shapes) {
  const radii = shapes.map(({ kind, size }) => (kind === "box" ? 0.5 * Math.min(...size.slice(1)) : size[0]));
  const radius = Math.min(Math.max(0.85 * Math.min(...radii, 0.06), 0.015), 0.05);
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 24, 16), makeMaterial(COLORS.joint, 0.4));
  mesh.castShadow = true;
  return mesh;
}

export function dispose(object) {
  object.traverse((child) => {
    child.geometry?.dispose();
    for (const material of [child.material].flat()) {
      material?.map?.dispose();
      material?.dispose();
    }
  });
  object.removeFromParent();
}
