import { TextSelection, type EditorState, type Transaction } from "prosemirror-state";
import { schema } from "./schema.ts";

const { paragraph, image } = schema.nodes;

/** Inserts a picture as its own paragraph at the cursor and puts the cursor behind it. */
export function insertPicture(state: EditorState, src: string, alt: string): Transaction {
  const picture = paragraph.create(null, image.create({ src, alt }));
  const tr = state.tr.deleteSelection();
  const at = placeBetweenBlocks(tr);
  tr.insert(at, picture);
  const behind = at + picture.nodeSize;
  if (!tr.doc.nodeAt(behind)?.isTextblock) tr.insert(behind, paragraph.create());
  return tr.setSelection(TextSelection.create(tr.doc, behind + 1)).scrollIntoView();
}

/** The position for another block at the cursor; text on both sides of the cursor is split. */
function placeBetweenBlocks(tr: Transaction): number {
  const { $from } = tr.selection;
  const { pos, depth, parent, parentOffset } = $from;
  if (depth === 0) return pos;
  if (parentOffset === 0) return $from.before();
  if (parentOffset === parent.content.size) return $from.after();
  tr.split(pos);
  return pos + 1;
}
