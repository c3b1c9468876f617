import { baseKeymap, setBlockType } from "prosemirror-commands";
import { gapCursor } from "prosemirror-gapcursor";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import type { Node } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { EditorState, TextSelection, type Command } from "prosemirror-state";
import { EditorView, type NodeView } from "prosemirror-view";
import { renderMarkdown } from "../../../../posts/markdown.ts";
import { cleanPasted } from "./paste.client.ts";
import { schema } from "./schema.ts";
import styles from "./rich-text.module.css";

const { list_item, hard_break, paragraph } = schema.nodes;

const insertBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(hard_break.create()).scrollIntoView());
  return true;
};

/** At the start of a heading or of code, Backspace makes a paragraph of it. */
const clearFormat: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  const isStart = empty && $from.parentOffset === 0 && view?.endOfTextblock("backward", state) === true;
  return isStart && $from.parent.type !== paragraph && setBlockType(paragraph)(state, dispatch);
};

const plugins = [
  history(),
  gapCursor(),
  keymap({
    "Mod-z": undo,
    "Shift-Mod-z": redo,
    "Mod-y": redo,
    Enter: splitListItem(list_item),
    Backspace: clearFormat,
    "Shift-Enter": insertBreak,
    "Mod-]": sinkListItem(list_item),
    "Mod-[": liftListItem(list_item),
  }),
  keymap(baseKeymap),
];

interface ViewOptions {
  doc: Node;
  onState: (state: EditorState, isChanged: boolean) => void;
  /** Returns true if the key was a shortcut. */
  onKey: (event: KeyboardEvent) => boolean;
  /** Returns true if pictures were taken. */
  onFiles: (event: ClipboardEvent | DragEvent) => boolean;
}

/** Opens an editor of rich text in an element. */
export function openView(element: HTMLElement, { doc, onState, onKey, onFiles }: ViewOptions): EditorView {
  const view: EditorView = new EditorView(element, {
    state: stateOf(doc),
    nodeViews: { source_block: sourceView },
    transformPastedHTML: cleanPasted,
    handleKeyDown: (_, event) => onKey(event),
    handleDOMEvents: { blur: readSelection },
    handlePaste: (_, event) => onFiles(event),
    handleDrop: (_, event) => onFiles(event),
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction));
      onState(view.state, transaction.docChanged);
    },
  });
  return view;
}

/** The state of an editor in which nothing was typed. */
export function stateOf(doc: Node): EditorState {
  return EditorState.create({ doc, plugins });
}

/** Reads the selection that the previous key made; ProseMirror reads it only after `selectionchange`, too late for a shortcut or for an element that takes the focus. */
export function readSelection(view: EditorView): void {
  const shown = document.getSelection();
  const { selection, doc, tr } = view.state;
  if (!(selection instanceof TextSelection) || !shown?.anchorNode || !shown.focusNode) return;
  if (!view.dom.contains(shown.anchorNode) || !view.dom.contains(shown.focusNode)) return;
  const read = TextSelection.between(
    doc.resolve(view.posAtDOM(shown.anchorNode, shown.anchorOffset)),
    doc.resolve(view.posAtDOM(shown.focusNode, shown.focusOffset)),
  );
  // A selection that is set removes the formats that were chosen for the next letter.
  if (!read.eq(selection)) view.dispatch(tr.setSelection(read));
}

/** Renders a source block as visitors see it. */
function sourceView({ attrs }: Node): NodeView {
  const dom = document.createElement("div");
  dom.className = styles["source"] ?? "";
  const source = String(attrs["source"]);
  dom.innerHTML = renderMarkdown(source);
  if (dom.textContent.trim() === "") dom.textContent = source;
  return { dom };
}
