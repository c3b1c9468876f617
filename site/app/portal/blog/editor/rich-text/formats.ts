import { setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import type { MarkType, NodeRange, NodeType, ResolvedPos } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";
import { liftTarget } from "prosemirror-transform";
import type { EditorView } from "prosemirror-view";
import type { Tool } from "../format-bar.tsx";
import type { Format } from "../formatting.ts";
import { markdownTools } from "../markdown-tools.ts";
import { linkAt } from "./links.ts";
import { schema } from "./schema.ts";

export type RichFormat = Format | "subheading" | "numbers" | "quote" | "code" | "undo" | "redo";

const { nodes, marks } = schema;
const LEVELS = { heading: 2, subheading: 3 };

/** The toolbar above rich text. */
export const richTools: readonly Tool<RichFormat>[] = [
  { kind: "undo", label: "Undo", keys: "Control+Z", isAction: true },
  { kind: "redo", label: "Redo", keys: "Control+Y", isAction: true },
  ...markdownTools.filter(({ kind }) => kind !== "list"),
  { kind: "subheading", label: "Subheading", code: "Digit3", shift: true, keys: "Control+Shift+3" },
  ...markdownTools.filter(({ kind }) => kind === "list"),
  { kind: "numbers", label: "Numbered list", code: "Digit7", shift: true, keys: "Control+Shift+7" },
  { kind: "quote", label: "Quote", code: "Digit9", shift: true, keys: "Control+Shift+9" },
  { kind: "code", label: "Code", code: "KeyE", keys: "Control+E" },
];

/** The commands that set a format at the selection, or remove it if it is there. */
export const commands: Record<Exclude<RichFormat, "link">, Command> = {
  undo,
  redo,
  bold: toggleMark(marks.strong),
  italic: toggleMark(marks.em),
  code: toggleMark(marks.code),
  heading: toggleHeading(LEVELS.heading),
  subheading: toggleHeading(LEVELS.subheading),
  list: toggleList(nodes.bullet_list),
  numbers: toggleList(nodes.ordered_list),
  quote: toggleQuote,
};

/** The tools whose format the selection has, and those that do nothing there. */
export function toolsAt(state: EditorState): Record<"pressed" | "idle", ReadonlySet<RichFormat>> {
  const kinds = richTools.map(({ kind }) => kind);
  return {
    pressed: new Set(kinds.filter((kind) => hasFormat(state, kind))),
    idle: new Set(kinds.filter((kind) => (kind === "link" ? !allowsLink(state) : !commands[kind](state)))),
  };
}

function hasFormat(state: EditorState, kind: RichFormat): boolean {
  const { $from } = state.selection;
  const level: unknown = $from.parent.type === nodes.heading ? $from.parent.attrs["level"] : undefined;
  switch (kind) {
    case "bold":
      return hasMark(state, marks.strong);
    case "italic":
      return hasMark(state, marks.em);
    case "code":
      return hasMark(state, marks.code) || $from.parent.type === nodes.code_block;
    case "link":
      return linkAt(state) !== null;
    case "heading":
      return level !== undefined && level !== LEVELS.subheading;
    case "subheading":
      return level === LEVELS.subheading;
    case "list":
      return innermostList($from)?.type === nodes.bullet_list;
    case "numbers":
      return innermostList($from)?.type === nodes.ordered_list;
    case "quote":
      return quotedBlocks(state) !== null;
    default:
      return false;
  }
}

function hasMark({ selection, storedMarks, doc }: EditorState, mark: MarkType): boolean {
  const { from, to, empty, $from } = selection;
  return empty ? mark.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, mark);
}

function allowsLink({ selection: { $from } }: EditorState): boolean {
  return $from.parent.inlineContent && $from.parent.type.allowsMarkType(marks.link);
}

function toggleHeading(level: number): Command {
  return (state, dispatch) => {
    const { parent } = state.selection.$from;
    const is = parent.type === nodes.heading && parent.attrs["level"] === level;
    return (is ? setBlockType(nodes.paragraph) : setBlockType(nodes.heading, { level }))(state, dispatch);
  };
}

function toggleList(type: NodeType): Command {
  return (state, dispatch) => {
    const list = innermostList(state.selection.$from);
    if (list?.type === type) return liftListItem(nodes.list_item)(state, dispatch);
    if (!list) return wrapInList(type)(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(list.at, type));
    return true;
  };
}

function innermostList($at: ResolvedPos): { type: NodeType; at: number } | undefined {
  for (let depth = $at.depth; depth > 0; depth -= 1) {
    const { type } = $at.node(depth);
    if (type === nodes.bullet_list || type === nodes.ordered_list) return { type, at: $at.before(depth) };
  }
  return undefined;
}

function toggleQuote(state: EditorState, dispatch?: EditorView["dispatch"]): boolean {
  const quoted = quotedBlocks(state);
  if (!quoted) return wrapIn(nodes.blockquote)(state, dispatch);
  const depth = liftTarget(quoted);
  if (depth === null) return false;
  dispatch?.(state.tr.lift(quoted, depth));
  return true;
}

/** The selected blocks of the innermost quote; null outside a quote. */
function quotedBlocks({ selection: { $from, $to } }: EditorState): NodeRange | null {
  return $from.blockRange($to, ({ type }) => type === nodes.blockquote);
}
