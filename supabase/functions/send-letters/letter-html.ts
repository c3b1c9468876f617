import { escapeHtml } from "../../../backend/src/escape-html.ts";

/** A text as simple HTML: a paragraph for each block between empty lines, a list for lines that begin with "- ". */
export function letterHtml(text: string): string {
  const blocks = text
    .split(/\n{2,}/)
    .map((block) => block.trim().split("\n"))
    .filter(([first]) => first !== "");
  const html = blocks.map((lines) =>
    lines.every((line) => line.startsWith("- "))
      ? `<ul>${lines.map((line) => `<li>${escapeHtml(line.slice(2))}</li>`).join("")}</ul>`
      : `<p>${lines.map(escapeHtml).join("<br>")}</p>`,
  );
  return `<!doctype html><html lang="en-GB"><body>${html.join("")}</body></html>`;
}
