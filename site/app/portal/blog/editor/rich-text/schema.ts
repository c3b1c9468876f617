import { Schema, type Mark, type NodeSpec } from "prosemirror-model";
import { isLinkAddress } from "./link-address.ts";

const HEADINGS = [1, 2, 3, 4, 5, 6];

const list: Pick<NodeSpec, "content" | "group"> = { content: "list_item+", group: "block" };

/** The nodes and marks of rich text. Pasted content keeps nothing else; Markdown with anything else becomes a `source_block`. */
export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: { content: "inline*", group: "block", parseDOM: [{ tag: "p" }], toDOM: () => ["p", 0] },
    heading: {
      attrs: { level: { default: 2 } },
      content: "inline*",
      group: "block",
      defining: true,
      parseDOM: HEADINGS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
      toDOM: ({ attrs }) => [`h${attrs["level"]}`, 0],
    },
    blockquote: { content: "block+", group: "block", defining: true, parseDOM: [{ tag: "blockquote" }], toDOM: () => ["blockquote", 0] },
    code_block: {
      attrs: { lang: { default: null }, meta: { default: null } },
      content: "text*",
      marks: "",
      group: "block",
      code: true,
      defining: true,
      parseDOM: [{ tag: "pre", preserveWhitespace: "full" }],
      toDOM: () => ["pre", ["code", 0]],
    },
    bullet_list: { ...list, attrs: { spread: { default: false } }, parseDOM: [{ tag: "ul" }], toDOM: () => ["ul", 0] },
    ordered_list: {
      ...list,
      attrs: { spread: { default: false }, start: { default: 1 } },
      parseDOM: [{ tag: "ol", getAttrs: (element) => ({ start: Number(element.getAttribute("start") ?? 1) }) }],
      toDOM: ({ attrs }) => ["ol", { start: attrs["start"] }, 0],
    },
    list_item: {
      attrs: { spread: { default: false }, checked: { default: null } },
      content: "paragraph block*",
      defining: true,
      parseDOM: [{ tag: "li" }],
      toDOM: ({ attrs }) => ["li", attrs["checked"] === null ? {} : { "data-checked": String(attrs["checked"]) }, 0],
    },
    horizontal_rule: { group: "block", parseDOM: [{ tag: "hr" }], toDOM: () => ["hr"] },
    /** Markdown that rich text does not show, such as a table, as it is written. */
    source_block: {
      attrs: { source: {} },
      group: "block",
      atom: true,
      parseDOM: [{ tag: "pre[data-source]", priority: 60, getAttrs: (element) => ({ source: element.getAttribute("data-source") }) }],
      toDOM: ({ attrs }) => ["pre", { "data-source": attrs["source"] }, attrs["source"]],
    },
    text: { group: "inline" },
    image: {
      attrs: { src: {}, alt: { default: "" }, title: { default: null } },
      inline: true,
      group: "inline",
      draggable: true,
      parseDOM: [{ tag: "img[src]", getAttrs: ownPicture }],
      toDOM: ({ attrs }) => ["img", { src: attrs["src"], alt: attrs["alt"], title: attrs["title"] }],
    },
    hard_break: {
      inline: true,
      group: "inline",
      selectable: false,
      linebreakReplacement: true,
      parseDOM: [{ tag: "br" }],
      toDOM: () => ["br"],
    },
  },
  marks: {
    link: {
      attrs: { href: {}, title: { default: null } },
      inclusive: false,
      parseDOM: [{ tag: "a[href]", getAttrs: safeLink }],
      toDOM: ({ attrs: { href, title } }: Mark) => ["a", { href: isLinkAddress(String(href)) ? href : null, title }, 0],
    },
    em: { parseDOM: [{ tag: "i" }, { tag: "em" }, { style: "font-style=italic" }], toDOM: () => ["em", 0] },
    strong: {
      parseDOM: [
        { tag: "strong" },
        // Google Docs wraps copied content in a <b> that is not bold.
        { tag: "b", getAttrs: (element) => element.style.fontWeight !== "normal" && null },
        { style: "font-weight", getAttrs: (weight) => /^(?:bold(?:er)?|[6-9]\d\d)$/.test(weight) && null },
      ],
      toDOM: () => ["strong", 0],
    },
    strikethrough: { parseDOM: [{ tag: "s" }, { tag: "del" }], toDOM: () => ["del", 0] },
    code: { code: true, parseDOM: [{ tag: "code" }], toDOM: () => ["code", 0] },
  },
});

/** A picture of another program or site is not pasted: visitors could not see it, or it would disappear. */
function ownPicture(element: HTMLElement): { src: string; alt: string } | false {
  const src = element.getAttribute("src") ?? "";
  return /^\/[^/]/.test(src) && { src, alt: element.getAttribute("alt") ?? "" };
}

function safeLink(element: HTMLElement): { href: string } | false {
  const href = element.getAttribute("href") ?? "";
  return isLinkAddress(href) && { href };
}
