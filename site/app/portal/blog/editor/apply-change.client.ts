import type { TextChange } from "./formatting.ts";

/** Makes a change in a text area as if it were typed, so that it can be undone and is noticed by the form. */
export function applyChange(area: HTMLTextAreaElement, { from, to, text, start, end }: TextChange): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (from === to && text === "") return area.setSelectionRange(start, end);
  // The only way that keeps the browser's own undo; deprecated without a successor.
  const command = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (!command) {
    area.setRangeText(text);
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}
