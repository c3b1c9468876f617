import type { List, ListItem, Nodes, PhrasingContent, RootContent } from "mdast";
import { Mark, type Node } from "prosemirror-model";
import { schema } from "./schema.ts";

const { nodes, marks } = schema;
const SUPPORTED: ReadonlySet<Nodes["type"]> = new Set<Nodes["type"]>([
  ...(["paragraph", "heading", "blockquote", "code", "list", "listItem", "thematicBreak"] as const),
  ...(["text", "emphasis", "strong", "delete", "inlineCode", "link", "image", "break"] as const),
]);

/** Converts a block of Markdown; null if rich text has no such block. */
export function nodeOf(block: RootContent): Node | null {
  return isSupported(block) ? blockOf(block) : null;
}

function isSupported(node: Nodes): boolean {
  return SUPPORTED.has(node.type) && (!("children" in node) || node.children.every(isSupported));
}

function blockOf(block: RootContent): Node {
  switch (block.type) {
    case "heading":
      return nodes.heading.create({ level: block.depth }, inlines(block.children));
    case "blockquote":
      return nodes.blockquote.create(null, blocks(block.children));
    case "code":
      return nodes.code_block.create({ lang: block.lang, meta: block.meta }, block.value === "" ? [] : schema.text(block.value));
    case "list":
      return listOf(block);
    case "thematicBreak":
      return nodes.horizontal_rule.create();
    case "paragraph":
      return nodes.paragraph.create(null, inlines(block.children));
    default:
      throw new Error(`Rich text has no ${block.type}`);
  }
}

function listOf({ ordered, start, spread, children }: List): Node {
  const items = children.map(itemOf);
  return ordered
    ? nodes.ordered_list.create({ start: start ?? 1, spread: spread ?? false }, items)
    : nodes.bullet_list.create({ spread: spread ?? false }, items);
}

function itemOf({ checked, spread, children }: ListItem): Node {
  const content = blocks(children);
  const isComplete = content[0]?.type === nodes.paragraph;
  return nodes.list_item.create(
    { checked: checked ?? null, spread: spread ?? false },
    isComplete && children.length > 0 ? content : [nodes.paragraph.create(), ...(children.length > 0 ? content : [])],
  );
}

function blocks(children: readonly RootContent[]): Node[] {
  return children.length === 0 ? [nodes.paragraph.create()] : children.map(blockOf);
}

function inlines(children: readonly PhrasingContent[], around: readonly Mark[] = Mark.none): Node[] {
  return children.flatMap((child): Node | Node[] => {
    switch (child.type) {
      case "text":
        // A line break in a paragraph of Markdown is a space.
        return texts(child.value.replace(/(?<!\s)\s*\n\s*/g, " "), around);
      case "inlineCode":
        return texts(child.value, marks.code.create().addToSet(around));
      case "emphasis":
        return inlines(child.children, marks.em.create().addToSet(around));
      case "strong":
        return inlines(child.children, marks.strong.create().addToSet(around));
      case "delete":
        return inlines(child.children, marks.strikethrough.create().addToSet(around));
      case "link":
        return inlines(child.children, marks.link.create({ href: child.url, title: child.title ?? null }).addToSet(around));
      case "image":
        return nodes.image.create({ src: child.url, alt: child.alt ?? "", title: child.title ?? null }, null, around);
      case "break":
        return nodes.hard_break.create(null, null, around);
      default:
        throw new Error(`Rich text has no ${child.type}`);
    }
  });
}

function texts(text: string, around: readonly Mark[]): Node[] {
  return text === "" ? [] : [schema.text(text, around)];
}
