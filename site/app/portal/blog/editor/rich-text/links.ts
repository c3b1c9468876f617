import type { Mark } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { schema } from "./schema.ts";

const { link } = schema.marks;

/** The link at the selection with its range; null if there is none. */
export function linkAt({ selection: { $from, empty } }: EditorState): { mark: Mark; from: number; to: number } | null {
  const linkOf = (index: number): Mark | undefined => link.isInSet($from.parent.maybeChild(index)?.marks ?? []);
  const index = $from.index();
  const isBehind = empty && $from.textOffset === 0;
  const at = linkOf(index) || !isBehind ? index : index - 1;
  const mark = linkOf(at);
  if (!mark) return null;
  let [first, last] = [at, at];
  while (linkOf(first - 1)?.eq(mark)) first -= 1;
  while (linkOf(last + 1)?.eq(mark)) last += 1;
  return { mark, from: $from.posAtIndex(first), to: $from.posAtIndex(last + 1) };
}

/** Links the selection, the link at the cursor, or the address itself if nothing is selected; an empty address removes the link. */
export function setLink(state: EditorState, href: string): Transaction {
  const old = linkAt(state);
  const { from, to } = old && state.selection.empty ? old : state.selection;
  const { tr } = state;
  if (href === "") return tr.removeMark(old?.from ?? from, old?.to ?? to, link);
  const mark = link.create({ href });
  if (from === to) return tr.replaceSelectionWith(schema.text(href, [mark]), false).removeStoredMark(link);
  return tr.removeMark(from, to, link).addMark(from, to, mark);
}
