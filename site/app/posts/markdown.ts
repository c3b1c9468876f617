import type { Element, Nodes, Root } from "hast";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { pictureAttributes } from "../pictures/stored-pictures.ts";

const LINKED = [...(defaultSchema.protocols?.["href"] ?? []), "tel"];

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  // remark-rehype has prefixed the ids of footnotes already, and raw HTML with other ids is dropped.
  .use(rehypeSanitize, { ...defaultSchema, protocols: { ...defaultSchema.protocols, href: LINKED }, clobberPrefix: "" })
  .use(() => shiftHeadings)
  .use(() => markLinks)
  .use(rehypeStringify);

const HEADING = /^h([1-6])$/;
/** The id of the heading that remark-rehype puts above the footnotes. */
const FOOTNOTE_HEADING = "footnote-label";
const WORDS_A_MINUTE = 220;
// The width of ui/prose.
const TEXT_WIDTH = "(min-width: 44.5rem) 42rem, calc(100vw - 2.5rem)";

/** Renders Markdown to safe HTML: no scripts, no raw HTML, h2 as the highest heading. */
export function renderMarkdown(markdown: string): string {
  return processor.processSync(markdown).toString();
}

/** The highest-level headings of a Markdown text that have an id. */
export function markdownSections(markdown: string): { id: string; title: string }[] {
  return elementsOf(processor.runSync(processor.parse(markdown))).flatMap((element) => {
    const { id } = element.properties;
    return element.tagName === "h2" && id && id !== FOOTNOTE_HEADING ? [{ id, title: textOf(element) }] : [];
  });
}

/** The plain text of a Markdown text without its headings and footnotes, for excerpts. */
export function markdownText(markdown: string): string {
  const { children } = processor.runSync(processor.parse(markdown));
  return children
    .filter((node) => node.type !== "element" || !(HEADING.test(node.tagName) || "dataFootnotes" in node.properties))
    .map(textOf)
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The reading time of a text in whole minutes, at least one. */
export function readingMinutes(text: string): number {
  return Math.max(1, Math.round(text.split(/\s+/).length / WORDS_A_MINUTE));
}

/** Shifts headings so that the highest is an h2 below the page's h1, and gives each an id made of its words. */
function shiftHeadings(tree: Root): void {
  const headings = elementsOf(tree).filter(({ tagName, properties }) => HEADING.test(tagName) && properties.id !== FOOTNOTE_HEADING);
  const highest = Math.min(...headings.map(depth));
  const ids = new Set([FOOTNOTE_HEADING]);
  for (const heading of headings) {
    heading.tagName = `h${Math.min(6, depth(heading) - highest + 2)}`;
    const id = textOf(heading)
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "");
    if (id === "" || ids.has(id)) continue;
    ids.add(id);
    heading.properties.id = id;
  }
}

function depth(heading: Element): number {
  return Number(heading.tagName.slice(1));
}

function markLinks(tree: Root): void {
  for (const element of elementsOf(tree)) {
    const { href, src } = element.properties;
    if (element.tagName === "a" && typeof href === "string" && /^(https?:)?\/\//.test(href)) element.properties.rel = ["noopener"];
    if (element.tagName === "img")
      Object.assign(element.properties, typeof src === "string" && pictureAttributes(src, TEXT_WIDTH), { loading: "lazy" });
  }
}

function elementsOf(node: Nodes): Element[] {
  const inner = "children" in node ? node.children.flatMap((child) => elementsOf(child)) : [];
  return node.type === "element" ? [node, ...inner] : inner;
}

/** The text of a node, without the marks of footnotes. */
function textOf(node: Nodes): string {
  if (node.type === "text") return node.value;
  if (node.type === "element" && "dataFootnoteRef" in node.properties) return "";
  return "children" in node ? node.children.map((child) => textOf(child)).join("") : "";
}
