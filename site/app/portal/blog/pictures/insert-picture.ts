import { storedAddress, type StoredPicture } from "../../../pictures/stored-pictures.ts";
import type { TextChange } from "../editor/formatting.ts";

/** Inserts a picture at the selection as its own Markdown paragraph and puts the cursor behind it. */
export function insertPicture(text: string, from: number, to: number, { name }: StoredPicture, alt: string): TextChange {
  const words = alt
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\\[\]*_`~<&]/g, "\\$&");
  const before = text.slice(0, from);
  const after = text.slice(to);
  const start = before === "" || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const end = after.startsWith("\n\n") ? "" : after.startsWith("\n") ? "\n" : "\n\n";
  const paragraph = `${start}![${words}](${storedAddress(name)})${end}`;
  const cursor = from + paragraph.length;
  return { from, to, text: paragraph, start: cursor, end: cursor };
}
