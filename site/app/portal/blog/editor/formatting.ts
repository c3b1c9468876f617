/** The formats of the toolbar. */
export type Format = "bold" | "italic" | "heading" | "list" | "link";

/** Replaces the text between `from` and `to` by `text` and then selects `start` to `end`. */
export interface TextChange {
  from: number;
  to: number;
  text: string;
  start: number;
  end: number;
}

export const MARKS = { bold: "**", italic: "_" };
const LINE_STARTS = { heading: "## ", list: "- " };
const WEB_ADDRESS = /^https?:\/\/\S+$/;
const ADDRESS_TO_COME = "https://";

/** Formats the selection, or removes the format if the selection has it. */
export function format(kind: Format, text: string, start: number, end: number): TextChange {
  if (kind === "link") return link(text.slice(start, end), start, end);
  return kind === "heading" || kind === "list" ? lineStarts(LINE_STARTS[kind], text, start, end) : marks(MARKS[kind], text, start, end);
}

function marks(mark: string, text: string, start: number, end: number): TextChange {
  const { length } = mark;
  const selected = text.slice(start, end);
  if (text.slice(start - length, start) === mark && text.slice(end, end + length) === mark)
    return { from: start - length, to: end + length, text: selected, start: start - length, end: end - length };
  if (selected.length >= 2 * length && selected.startsWith(mark) && selected.endsWith(mark))
    return { from: start, to: end, text: selected.slice(length, -length), start, end: end - 2 * length };
  if (selected === "" && text.startsWith(mark, end) && isOpen(mark, text.slice(0, start)))
    return { from: start, to: end, text: "", start: end + length, end: end + length };
  // Markdown ignores marks next to a space.
  const before = /^\s*/.exec(selected)?.[0].length ?? 0;
  const words = selected.trim();
  const from = start + before;
  return { from, to: from + words.length, text: mark + words + mark, start: from + length, end: from + length + words.length };
}

/** True if a mark is open at the end of a text, on its last line. */
export function isOpen(mark: string, before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  return line.split(mark).length % 2 === 0;
}

function link(selected: string, from: number, to: number): TextChange {
  if (WEB_ADDRESS.test(selected)) return { from, to, text: `[](${selected})`, start: from + 1, end: from + 1 };
  const address = from + selected.length + 3;
  return { from, to, text: `[${selected}](${ADDRESS_TO_COME})`, start: address, end: address + ADDRESS_TO_COME.length };
}

/** The change of the Enter key in a list: another item, or the end of the list at an empty item; null outside a list. */
export function continueList(text: string, at: number): TextChange | null {
  const { list } = LINE_STARTS;
  const from = text.slice(0, at).lastIndexOf("\n") + 1;
  const line = text.slice(from, at);
  if (!line.startsWith(list)) return null;
  const change = line === list ? { from, text: "\n" } : { from: at, text: `\n${list}` };
  const cursor = change.from + change.text.length;
  return { ...change, to: at, start: cursor, end: cursor };
}

/** Changes every line of the selection. */
function lineStarts(mark: string, text: string, start: number, end: number): TextChange {
  const from = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const to = next === -1 ? text.length : next;
  const lines = text.slice(from, to).split("\n");
  const on = lines.every((line) => line.startsWith(mark) || (line === "" && lines.length > 1));
  const changed = lines.map((line) => {
    if (line === "" && lines.length > 1) return line;
    return on ? line.slice(mark.length) : mark + line;
  });
  const by = on ? -mark.length : mark.length;
  const joined = changed.join("\n");
  return lines.length === 1
    ? { from, to, text: joined, start: Math.max(from, start + by), end: Math.max(from, end + by) }
    : { from, to, text: joined, start: from, end: from + joined.length };
}
