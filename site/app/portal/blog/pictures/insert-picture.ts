import { storedAddress, type StoredPicture } from "../../../pictures/stored-pictures.ts";
import { isOpen, MARKS, type TextChange } from "../editor/formatting.ts";

/** Inserts a picture as a Markdown paragraph and puts the cursor after it. It replaces the selection; inside bold or italic words it follows their line. */
export function insertPicture(text: string, start: number, end: number, { name }: StoredPicture, alt: string): TextChange {
  const splitsMarks = Object.values(MARKS).some((mark) => isOpen(mark, text.slice(0, start)));
  const [from, to] = splitsMarks ? [endOfLine(text, end), endOfLine(text, end)] : [start, end];
  const words = alt
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\\[\]*_`~<&]/g, "\\$&");
  const before = text.slice(0, from);
  const after = text.slice(to);
  const gapBefore = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const gapAfter = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  const paragraph = `${gapBefore}![${words}](${storedAddress(name)})${gapAfter}`;
  const cursor = from + paragraph.length;
  return { from, to, text: paragraph, start: cursor, end: cursor };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
