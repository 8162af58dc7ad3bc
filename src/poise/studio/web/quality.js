// Rendering quality: full on a graphics card; with software rendering, low enough to run smoothly and to leave the
// processor to the physics. `?quality=high` or `low` in the address overrides the choice.

const LEVELS = {
  high: {
    antialias: true, maxPixelRatio: 2, shadowMap: 1024, softShadow: true, maxFps: 120, anisotropy: 16, plainMaterials: false,
  },
  low: {
    antialias: false, maxPixelRatio: 0.7, shadowMap: 512, softShadow: false, maxFps: 20, anisotropy: 1, plainMaterials: true,
  },
};
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;
//: Drawing is too slow if the average frame takes longer than SLOW_S for PATIENCE_S.
const SLOW_S = 0.08;
const PATIENCE_S = 2.5;

function drawsInSoftware() {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return false;
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = context.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : context.RENDERER);
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return SOFTWARE.test(name);
}

export function chooseQuality() {
  const wanted = new URLSearchParams(window.location.search).get("quality");
  return LEVELS[wanted] ? { ...LEVELS[wanted], fixed: true } : drawsInSoftware() ? LEVELS.low : LEVELS.high;
}

export function lowQuality() {
  return LEVELS.low;
}

// Detects when drawing has been too slow for too long.
export class Stopwatch {
  constructor() {
    this.average_s = 0;
    this.slow_s = 0;
  }

  isTooSlow(passed_s) {
    this.average_s += 0.1 * (passed_s - this.average_s);
    this.slow_s = this.average_s > SLOW_S ? this.slow_s + passed_s : 0;
    return this.slow_s > PATIENCE_S;
  }
}
