const NEW_LINE = new Set(["br", "/tr", "/div", "/li"]);
const NEW_PARAGRAPH = /^\/(?:p|h[1-6]|table|ul|ol)$/;
const ENTITIES: Readonly<Record<string, string>> = { "&nbsp;": " ", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** Returns the text version of an HTML template, for mail programs without HTML. The address of a link follows its label. */
export function plainText(html: string): string {
  let address = "";
  return html
    .slice(Math.max(0, html.indexOf("<body")))
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<([^<>]+)>/g, (_tag, inside: string) => {
      const name = inside.split(" ", 1)[0]?.toLowerCase() ?? "";
      if (name === "a") address = /href="([^"]*)"/.exec(inside)?.[1] ?? "";
      if (name === "/a") return `:\n${address}`;
      if (NEW_PARAGRAPH.test(name)) return "\n\n";
      return NEW_LINE.has(name) ? "\n" : "";
    })
    .replaceAll(/&(?:nbsp|lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}
