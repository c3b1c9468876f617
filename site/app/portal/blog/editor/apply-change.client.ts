import type { TextChange } from "./formatting.ts";

/** Changes a text area as if the change was typed, so that it can be undone and the form receives an input event. */
export function applyChange(area: HTMLTextAreaElement, { from, to, text, start, end }: TextChange): void {
  area.focus();
  area.setSelectionRange(from, to);
  if (from === to && text === "") return area.setSelectionRange(start, end);
  // Deprecated, but nothing else keeps the browser's undo history.
  const command = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (!command) {
    area.setRangeText(text);
    area.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}
