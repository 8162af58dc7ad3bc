// The script editor: CodeMirror, which ships with NiceGUI, with remarks under the lines and running phases marked.
// Every file has its own state: undo history, selection, and typed text that has not been sent yet.
import * as CM from "nicegui-codemirror";
import { language } from "poise-script";

//: Typed text is sent after a pause this long.
const PAUSE_MS = 350;
//: Prefix of the names under which the browser keeps unsaved texts.
const STORE = "poise-draft ";

class RemarkWidget extends CM.WidgetType {
  constructor(remark, lead) {
    super();
    [this.remark, this.lead] = [remark, lead];
  }
  eq(other) {
    return this.lead === other.lead && JSON.stringify(this.remark) === JSON.stringify(other.remark);
  }
  toDOM() {
    const { severity, text, line } = this.remark;
    const box = document.createElement("div");
    box.className = `poise-remark poise-remark-${severity}`;
    box.dataset.testid = `remark-${line}`;
    const caret = document.createElement("div");
    caret.className = "poise-caret";
    caret.textContent = `${this.lead}^`;
    const words = document.createElement("div");
    words.className = "poise-remark-text";
    words.textContent = `${severity}: ${text}`;
    box.append(caret, words);
    return box;
  }
  ignoreEvent() {
    return true;
  }
}

const setRemarks = CM.StateEffect.define();
const setPhases = CM.StateEffect.define();
const setMarks = CM.StateEffect.define();

// CodeMirror requires block widgets to come from a field. They move with the text until the next ones arrive.
const remarkField = CM.StateField.define({
  create: () => CM.Decoration.none,
  update(set, transaction) {
    set = set.map(transaction.changes);
    for (const effect of transaction.effects) if (effect.is(setRemarks)) set = drawRemarks(transaction.state.doc, effect.value);
    return set;
  },
  provide: (field) => CM.EditorView.decorations.from(field),
});

function drawRemarks(doc, remarks) {
  const ranges = [];
  for (const remark of remarks) {
    const line = doc.line(Math.min(Math.max(remark.line, 1), doc.lines));
    // Tabs are kept: the caret stays under its column for any tab width.
    const lead = line.text.slice(0, remark.column - 1).replace(/[^\t]/g, " ");
    ranges.push(CM.Decoration.line({ class: `cm-poise-${remark.severity}` }).range(line.from));
    ranges.push(CM.Decoration.widget({ widget: new RemarkWidget(remark, lead), block: true, side: 1 }).range(line.to));
  }
  return CM.Decoration.set(ranges, true);
}

// Ranges of the phases of the running version; they move with the text while it is edited.
const phaseField = CM.StateField.define({
  create: () => [],
  update(phases, transaction) {
    if (transaction.docChanged)
      phases = phases.map(([from, to]) => [transaction.changes.mapPos(from, -1), transaction.changes.mapPos(to, 1)]);
    for (const effect of transaction.effects) if (effect.is(setPhases)) phases = placePhases(transaction.state.doc, effect.value);
    return phases;
  },
});

function placePhases(doc, lines) {
  return lines.filter(([, last]) => last <= doc.lines).map(([first, last]) => [doc.line(first).from, doc.line(last).to]);
}

const markField = CM.StateField.define({
  create: () => [],
  update(marks, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMarks)) marks = effect.value;
    return marks;
  },
});

const markLines = CM.EditorView.decorations.compute([phaseField, markField, "doc"], (state) => {
  const ranges = [];
  for (const { phase, acting } of state.field(markField)) {
    const [from, to] = state.field(phaseField)[phase] ?? [];
    if (from === undefined) continue;
    const decoration = CM.Decoration.line({ class: acting ? "cm-poise-acting" : "cm-poise-calling" });
    for (let at = from; at <= Math.min(to, state.doc.length); at = state.doc.lineAt(at).to + 1)
      ranges.push(decoration.range(state.doc.lineAt(at).from));
  }
  return CM.Decoration.set(ranges, true);
});

const look = CM.EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", backgroundColor: "#fff" },
  ".cm-scroller": { overflow: "auto", lineHeight: "1.5", fontFamily: "Roboto Mono, ui-monospace, Menlo, Consolas, monospace" },
  ".cm-gutters": { backgroundColor: "#f7f9fb", color: "#9aa7b6", border: "none" },
});

export default {
  template: `<div class="poise-editor"></div>`,
  emits: ["ready", "edit", "save"],
  mounted() {
    this.sheets = new Map();
    this.key = null;
    this.view = new CM.EditorView({ parent: this.$el, state: this.makeState("", true) });
    this.$el.editor = this;
    this.dirty = [];
    this.ask = (event) => this.dirty.length && event.preventDefault();
    window.addEventListener("beforeunload", this.ask);
    // Keys typed here must not trigger the page's shortcuts.
    for (const kind of ["keydown", "keyup"]) this.$el.addEventListener(kind, (event) => event.stopPropagation());
    this.$emit("ready");
  },
  beforeUnmount() {
    for (const sheet of this.sheets.values()) clearTimeout(sheet.timer);
    window.removeEventListener("beforeunload", this.ask);
    this.view.destroy();
  },
  methods: {
    makeState(text, locked) {
      return CM.EditorState.create({
        doc: text,
        extensions: [
          CM.Prec.high(CM.keymap.of([{ key: "Mod-s", preventDefault: true, run: () => this.save() }])),
          CM.basicSetup,
          CM.keymap.of([CM.indentWithTab]),
          CM.indentUnit.of("    "),
          CM.EditorState.readOnly.of(locked),
          language,
          phaseField,
          markField,
          remarkField,
          markLines,
          look,
          CM.EditorView.updateListener.of((update) => this.hear(update)),
        ],
      });
    },
    hear(update) {
      const sheet = this.sheets.get(this.key);
      if (!sheet || this.quiet || !update.docChanged) return;
      sheet.pending = true;
      clearTimeout(sheet.timer);
      sheet.timer = setTimeout(() => this.tell(this.key), PAUSE_MS);
    },
    tell(key) {
      const sheet = this.sheets.get(key);
      if (!sheet?.pending) return;
      clearTimeout(sheet.timer);
      sheet.pending = sheet.restored = false;
      const text = this.stateOf(key).doc.toString();
      sessionStorage.setItem(STORE + key, text);
      this.$emit("edit", { key, text, generation: sheet.generation });
    },
    save() {
      this.tell(this.key);
      this.$emit("save", this.key);
      return true;
    },
    stateOf(key) {
      return key === this.key ? this.view.state : this.sheets.get(key).state;
    },
    // Apply a transaction to the view, or to the stored state of a file that is not in view.
    change(key, transaction) {
      const sheet = this.sheets.get(key);
      if (!sheet) return;
      this.quiet = true;
      if (key === this.key) this.view.dispatch(transaction);
      else sheet.state = sheet.state.update(transaction).state;
      this.quiet = false;
    },
    show_sheet(key, text, generation, locked) {
      const old = this.sheets.get(this.key);
      if (old) old.state = this.view.state;
      if (!this.sheets.has(key)) {
        this.sheets.set(key, { state: this.makeState(text, locked), generation, pending: false });
        if (!locked) this.restore(key);
      }
      this.key = key;
      this.view.setState(this.sheets.get(key).state);
    },
    // Replace the text by the one on the disk; this can be undone. Text typed meanwhile stays, and is sent with the
    // generation of the text it was typed into.
    set_text(key, text, generation) {
      const sheet = this.sheets.get(key);
      if (!sheet) return;
      if (sheet.pending) this.tell(key);
      else {
        const doc = this.stateOf(key).doc.toString();
        const [from, to, insert] = difference(doc, text);
        if (doc !== text) this.change(key, { changes: { from, to, insert }, annotations: CM.isolateHistory.of("full") });
      }
      sheet.generation = generation;
    },
    // Unsaved texts survive a reload of the page.
    show_dirty(keys) {
      this.dirty = keys;
      for (const name of Object.keys(sessionStorage)) {
        const key = name.startsWith(STORE) ? name.slice(STORE.length) : null;
        if (key !== null && !keys.includes(key) && !this.sheets.get(key)?.restored) sessionStorage.removeItem(name);
      }
      for (const key of keys) if (this.sheets.has(key)) sessionStorage.setItem(STORE + key, this.stateOf(key).doc.toString());
    },
    restore(key) {
      const text = sessionStorage.getItem(STORE + key);
      const sheet = this.sheets.get(key);
      if (text === null || text === sheet.state.doc.toString()) return;
      sheet.state = sheet.state.update({ changes: { from: 0, to: sheet.state.doc.length, insert: text } }).state;
      [sheet.pending, sheet.restored] = [true, true];
      setTimeout(() => this.tell(key), 0);
    },
    show_remarks(key, remarks) {
      if (this.sheets.has(key) && !this.sheets.get(key).pending) this.change(key, { effects: setRemarks.of(remarks) });
    },
    show_phases(key, lines) {
      if (this.sheets.has(key) && !this.sheets.get(key).pending) this.change(key, { effects: setPhases.of(lines) });
    },
    mark(marks) {
      for (const key of this.sheets.keys()) {
        const mine = marks[key] ?? [];
        if (JSON.stringify(mine) !== JSON.stringify(this.stateOf(key).field(markField))) this.change(key, { effects: setMarks.of(mine) });
      }
    },
    reveal(line) {
      const { doc } = this.view.state;
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
      this.view.dispatch({ effects: CM.EditorView.scrollIntoView(at, { y: "center" }) });
    },
  },
};

// Start and end of the range in which two texts differ, and its replacement.
function difference(old, text) {
  let start = 0;
  while (start < old.length && start < text.length && old[start] === text[start]) start++;
  let [end, until] = [old.length, text.length];
  while (end > start && until > start && old[end - 1] === text[until - 1]) [end, until] = [end - 1, until - 1];
  return [start, end, text.slice(start, until)];
}
