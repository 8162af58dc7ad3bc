// Syntax highlighting of the controller language.
import { StreamLanguage } from "nicegui-codemirror";

const FRAME = new Set([
  "SCRIPTS", "SET", "ENVIRONMENT", "BEGINSCRIPT", "ENDSCRIPT", "PHASE", "ENDPHASE", "ACTIONS", "ENVACTIONS", "ENDACTIONS",
  "TRANSITION", "SAVE", "LOAD",
]);
const ACTIONS = new Set([
  "POSE", "LIPOSE", "POSEFB", "MATCH", "HOLD", "VPD", "COMFB2", "VF", "VFFB", "VFSFB", "IK", "GC", "EF",
]);
const CONDITIONS = new Set([
  "time", "contact", "nocontact", "stable", "fallen", "anglerange", "iterations", "complete", "press", "release", "pass",
  "random", "linterp", "void",
]);

function read(stream) {
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  if (stream.match(/^-?(\d*\.\d+|\d+\.?)(?![\w])/)) return "number";
  if (stream.match(/^\.[A-Za-z]\w*/)) return "propertyName";
  const word = stream.match(/^[A-Za-z_][\w./-]*/);
  if (word) {
    if (FRAME.has(word[0])) return "keyword";
    if (ACTIONS.has(word[0])) return "typeName";
    return CONDITIONS.has(word[0]) ? "atom" : "variableName";
  }
  stream.next();
  return null;
}

export const language = StreamLanguage.define({
  name: "controller script",
  token: read,
  languageData: { commentTokens: { line: "#" } },
});
