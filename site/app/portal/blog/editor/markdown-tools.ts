import type { Tool } from "./format-bar.tsx";
import type { Format } from "./formatting.ts";

/** The formats of the toolbar above Markdown, which the toolbar above rich text has too. */
export const markdownTools = [
  { kind: "bold", label: "Bold", code: "KeyB", keys: "Control+B" },
  { kind: "italic", label: "Italic", code: "KeyI", keys: "Control+I" },
  { kind: "link", label: "Link", code: "KeyK", keys: "Control+K" },
  { kind: "heading", label: "Heading", code: "Digit2", shift: true, keys: "Control+Shift+2" },
  { kind: "list", label: "List", code: "Digit8", shift: true, keys: "Control+Shift+8" },
] as const satisfies readonly Tool<Format>[];
