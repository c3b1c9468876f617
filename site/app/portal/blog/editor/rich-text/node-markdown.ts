import type { BlockContent, DefinitionContent, Heading, ListItem, PhrasingContent } from "mdast";
import type { Mark, Node } from "prosemirror-model";

type Block = BlockContent | DefinitionContent;

/** Text or an inline node with the marks that it will have in Markdown. */
interface Piece {
  node: Node;
  text: string;
  marks: readonly Mark[];
}

/** Converts a block of rich text to the Markdown tree; null for an empty paragraph, which Markdown does not have. */
export function blockOf(node: Node): Block | null {
  switch (node.type.name) {
    case "paragraph": {
      const children = inlinesOf(node);
      return children.length === 0 ? null : { type: "paragraph", children };
    }
    case "heading":
      return { type: "heading", depth: depthOf(node), children: inlinesOf(node) };
    case "blockquote":
      return { type: "blockquote", children: blocksOf(node) };
    case "code_block":
      return { type: "code", lang: textAttr(node, "lang"), meta: textAttr(node, "meta"), value: node.textContent };
    case "horizontal_rule":
      return { type: "thematicBreak" };
    case "source_block":
      return { type: "html", value: textAttr(node, "source") ?? "" };
    default:
      return {
        type: "list",
        ordered: node.type.name === "ordered_list",
        start: node.type.name === "ordered_list" ? Number(node.attrs["start"]) : null,
        spread: node.attrs["spread"] === true,
        children: node.children.map(itemOf),
      };
  }
}

function itemOf(item: Node): ListItem {
  const checked: unknown = item.attrs["checked"];
  return {
    type: "listItem",
    spread: item.attrs["spread"] === true,
    checked: typeof checked === "boolean" ? checked : null,
    children: blocksOf(item),
  };
}

function blocksOf(node: Node): Block[] {
  return node.children.flatMap((child) => blockOf(child) ?? []);
}

function depthOf({ attrs }: Node): Heading["depth"] {
  return ([1, 2, 3, 4, 5, 6] as const).find((depth) => depth === attrs["level"]) ?? 2;
}

function textAttr({ attrs }: Pick<Node, "attrs">, name: string): string | null {
  const value: unknown = attrs[name];
  return typeof value === "string" ? value : null;
}

function inlinesOf(block: Node): PhrasingContent[] {
  return nested(trimmed(unmarkedSpaces(block.children.flatMap(piecesOf))));
}

/** Splits off the spaces around words, because Markdown has no bold that begins or ends with a space. */
function piecesOf(node: Node): Piece[] {
  const { marks } = node;
  if (!node.isText || isCode(node.marks)) return [{ node, text: node.text ?? "", marks }];
  return (node.text ?? "").split(/(^\s+|(?<!\s)\s+$)/).flatMap((text) => (text === "" ? [] : { node, text, marks }));
}

/** Leaves a space only the marks that the pieces on both sides have. */
function unmarkedSpaces(pieces: readonly Piece[]): Piece[] {
  return pieces.map((piece, index) => {
    if (!isSpace(piece)) return piece;
    const before = pieces.slice(0, index).findLast((other) => !isSpace(other))?.marks ?? [];
    const after = pieces.slice(index + 1).find((other) => !isSpace(other))?.marks ?? [];
    return { ...piece, marks: piece.marks.filter((mark) => !isCode([mark]) && mark.isInSet(before) && mark.isInSet(after)) };
  });
}

function trimmed(pieces: readonly Piece[]): Piece[] {
  const first = pieces.findIndex((piece) => !isSpace(piece));
  return first === -1 ? [] : pieces.slice(first, pieces.findLastIndex((piece) => !isSpace(piece)) + 1);
}

function isSpace({ node, text, marks }: Piece): boolean {
  return node.type.name === "hard_break" || (node.isText && !isCode(marks) && text.trim() === "");
}

function isCode(marks: readonly Mark[]): boolean {
  return marks.some(({ type }) => type.name === "code");
}

/** Nests marks, the longest outside. */
function nested(pieces: readonly Piece[]): PhrasingContent[] {
  const [first] = pieces;
  if (!first) return [];
  const runs = first.marks.filter((mark) => !isCode([mark])).map((mark) => ({ mark, length: runOf(mark, pieces) }));
  const longest = runs.toSorted((one, other) => other.length - one.length)[0];
  if (!longest) return [plain(first), ...nested(pieces.slice(1))];
  const { mark, length } = longest;
  const inside = pieces.slice(0, length).map(({ node, text, marks }) => ({ node, text, marks: mark.removeFromSet(marks) }));
  return [marked(mark, nested(inside)), ...nested(pieces.slice(length))];
}

function runOf(mark: Mark, pieces: readonly Piece[]): number {
  const end = pieces.findIndex(({ marks }) => !mark.isInSet(marks));
  return end === -1 ? pieces.length : end;
}

function marked({ type, attrs }: Mark, children: PhrasingContent[]): PhrasingContent {
  if (type.name === "em") return { type: "emphasis", children };
  if (type.name === "strong") return { type: "strong", children };
  if (type.name === "strikethrough") return { type: "delete", children };
  return { type: "link", url: String(attrs["href"]), title: textAttr({ attrs }, "title"), children };
}

function plain({ node, text, marks }: Piece): PhrasingContent {
  if (node.type.name === "hard_break") return { type: "break" };
  if (node.type.name === "image")
    return { type: "image", url: String(node.attrs["src"]), alt: String(node.attrs["alt"]), title: textAttr(node, "title") };
  return isCode(marks) ? { type: "inlineCode", value: text } : { type: "text", value: text };
}
