import type { Root } from "mdast";
import type { Node } from "prosemirror-model";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { nodeOf } from "./markdown-nodes.ts";
import { blockOf } from "./node-markdown.ts";
import { schema } from "./schema.ts";

/** A Markdown text as rich text. */
export interface MarkdownDocument {
  doc: Node;
  /** Writes a changed document; blocks that were not changed keep their Markdown as it was written. */
  write: (changed: Node) => string;
}

/** A block as it is written in the text, with the blank lines before it. */
interface Written {
  node: Node;
  source: string;
  gap: string;
}

/** A block as it is written in the changed text, with its position in the earlier text. */
interface Part extends Written {
  /** -1 if the earlier text has no such block. */
  index: number;
}

const BREAK = "\n\n";
/** Separates two lists that cannot be written in different styles; visitors do not see it. */
const SEPARATOR = "<!-- -->";
// Two lists or two kinds of quotes in a row would be one if they had the same marks.
const STYLES = [
  { bullet: "-", bulletOther: "*", bulletOrdered: "." },
  { bullet: "*", bulletOther: "-", bulletOrdered: ")" },
] as const;
const parser = unified().use(remarkParse).use(remarkGfm);
const writers = STYLES.map((style) =>
  unified()
    .use(remarkGfm)
    .use(remarkStringify, { ...style, emphasis: "_", rule: "-" }),
);

/** Opens a Markdown text as rich text; null if it ends in unclosed HTML, which would include text added below. */
export function openMarkdown(text: string): MarkdownDocument | null {
  const written = blocksOf(text);
  if (!written) return null;
  const doc = schema.nodes.doc.create(null, written.length === 0 ? [schema.nodes.paragraph.create()] : written.map(({ node }) => node));
  return {
    doc,
    write(changed) {
      return changed.eq(doc) ? text : joined(changed, written);
    },
  };
}

function blocksOf(text: string): Written[] | null {
  const { children } = parser.parse(text);
  let end = 0;
  const written = children.map((block) => {
    const start = text.lastIndexOf("\n", (block.position?.start.offset ?? 0) - 1) + 1;
    const gap = text.slice(end, start);
    end = block.position?.end.offset ?? text.length;
    const source = text.slice(start, end);
    const node = nodeOf(block);
    return { node: node && survives(node) ? node : schema.nodes.source_block.create({ source }), source, gap };
  });
  const last = written.at(-1);
  return last && children.at(-1)?.type === "html" && !endsItself(last.source) ? null : written;
}

/** True if a block is the same after it was written and read again. */
function survives(node: Node): boolean {
  const [block, ...others] = parser.parse(markdownOf(node, 0)).children;
  return block !== undefined && others.length === 0 && nodeOf(block)?.eq(node) === true;
}

function markdownOf(node: Node, style: number): string {
  const block = blockOf(node);
  const root: Root = { type: "root", children: block ? [block] : [] };
  return writers[style]?.stringify(root).trimEnd() ?? "";
}

function joined(changed: Node, written: readonly Written[]): string {
  const parts: Part[] = [];
  for (const node of changed.children) {
    const before = parts.at(-1);
    const next = (before?.index ?? -1) + 1;
    const index = indexOf(node, written, next);
    const kept = written[index];
    if (before && kept && next > 0 && index === next) {
      parts.push({ node, index, gap: kept.gap, source: kept.source });
      continue;
    }
    const choices = [...(kept && endsItself(kept.source) ? [kept.source] : []), ...writings(node)];
    if (choices[0] === "" || choices[0] === undefined) continue;
    const source = fitting(choices, parts) ?? `${SEPARATOR}${BREAK}${choices[0]}`;
    parts.push({ node, index, gap: parts.length > 0 ? BREAK : "", source });
  }
  return parts.map(({ gap, source }) => gap + source).join("");
}

/** Returns the first of the choices that remains a separate block after the last part, which is rewritten in another style if necessary. */
function fitting(choices: readonly string[], parts: Part[]): string | undefined {
  const before = parts.at(-1);
  if (!before) return choices[0];
  const fits = choices.find((choice) => areTwo(before.source, choice));
  if (fits !== undefined) return fits;
  const earlier = parts.at(-2)?.source;
  for (const source of writings(before.node)) {
    const choice = earlier === undefined || areTwo(earlier, source) ? choices.find((other) => areTwo(source, other)) : undefined;
    if (choice === undefined) continue;
    parts.splice(-1, 1, { ...before, source, index: -1 });
    return choice;
  }
  return undefined;
}

/** A block in each style of Markdown. */
function writings(node: Node): string[] {
  return STYLES.map((_, style) => markdownOf(node, style));
}

/** The position of an unchanged block in the earlier text: the next one if it fits, so that the blank lines before it can stay. */
function indexOf(node: Node, written: readonly Written[], next: number): number {
  return written[next]?.node.eq(node) ? next : written.findIndex((block) => block.node === node || block.node.eq(node));
}

/** True if a block does not include the text that follows, as an unclosed code block does. */
function endsItself(source: string): boolean {
  return areTwo(source, "x");
}

function areTwo(one: string, other: string): boolean {
  const { children } = parser.parse(one + BREAK + other);
  const start = children.at(-1)?.position?.start.offset ?? 0;
  return children.length === parser.parse(one).children.length + 1 && start >= one.length + BREAK.length;
}
