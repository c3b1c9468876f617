import { readFileSync } from "node:fs";
import fc from "fast-check";
import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../../posts/markdown.ts";
import { openMarkdown, type MarkdownDocument } from "./markdown-document.ts";
import { schema } from "./schema.ts";

/** The texts of the sample posts. */
const POSTS = [...readFileSync("supabase/seed.sql", "utf8").matchAll(/\$md\$(.*?)\$md\$/gs)].map(([, text = ""]) => text.trim());

/** Blocks that rich text shows. */
const SHOWN = [
  "A line\nand one more.",
  "Words with **bold**, _italic_, `code`, ~~none~~ and ***both***.",
  "**Bold with _italic_ in it**, _italic with **bold**_.",
  "A [link](/cctv), [**bold**](https://www.hse.gov.uk 'HSE') and <https://hse.gov.uk>, www.hse.gov.uk.",
  "# One",
  "## Two *words*",
  "Setext\n---",
  "- a\n- b\n  - c\n\n    text\n- d",
  "* a\n* b",
  "- a\n\n- b",
  "1. one\n2. two\n   1. three",
  "4) four\n5) five",
  "- [ ] to do\n- [x] done",
  "-\n- after an empty item",
  "> Quoted\n> lines\n>\n> - a",
  "---",
  "***",
  "```js\nlet x = '<b>';\n\n```",
  "    indented code",
  "![Fells](/images/blog/winter-fells.svg)",
  "Before ![a *b*](/x.png 'title') after.",
  "Two lines\\\nby a break.  \nAnd another.",
  "1\\. Not a list, \\*not italic\\*, snake_case, 2 * 3 * 4, a < b & c, [no link], https://not",
  "  Spaces before",
  "Fish &amp; chips &copy; &#42;",
];
/** Blocks that rich text keeps as Markdown. */
const KEPT = [
  "| a | b |\n|---|:-:|\n| 1 | 2 |",
  "- a\n\n  | a | b |\n  |---|---|\n  | 1 | 2 |",
  "* | a | b |\n  |---|---|\n  | 1 | 2 |",
  "Words with <b>HTML</b>.",
  "Title[^1]\n\n[^1]: A note",
  "[a] and [b][a]\n\n[a]: https://hse.gov.uk 'b'",
  "> <div>\n> x",
  "<div>\nx\n</div>",
  "<!-- a comment -->",
];

describe("Markdown as rich text", () => {
  test("the sample posts are found", () => {
    expect(POSTS.length).toBe(3);
  });

  test.each([...POSTS, ...SHOWN])("an edit of another block leaves %j as it is", (text) => {
    const other = `${text}\n\nLast.`;
    expect(typed(open(other), "!")).toBe(`${text}\n\nLast.!`);
  });

  test.each(POSTS)("the post %j has no block that rich text does not show", (text) => {
    expect(open(text).doc.children.filter(({ type }) => type.name === "source_block")).toEqual([]);
  });

  test.each(SHOWN)("%j is shown, and renders the same when it was written again", (text) => {
    const { doc } = open(text);
    expect(doc.firstChild?.type.name).not.toBe("source_block");
    expect(visible(rewritten(doc))).toBe(visible(text));
  });

  test.each(KEPT)("%j is kept as Markdown", (text) => {
    const { doc } = open(text);
    expect(doc.firstChild?.type.name).toBe("source_block");
    expect(rewritten(doc)).toBe(text);
  });

  test("text with HTML that does not end does not open", () => {
    expect(openMarkdown("Before.\n\n<!-- a comment\n\nAfter.")).toBeNull();
  });

  test("any text opens and is written as it was", () => {
    expect(() =>
      fc.assert(
        fc.property(fc.string({ unit: characters("ab \n\n*_-#>1.`~[](|)\\!&:<") }), (text) => {
          const opened = openMarkdown(text);
          return !opened || opened.write(opened.doc) === text;
        }),
        { numRuns: 300 },
      ),
    ).not.toThrow();
  });

  const blocks = fc.array(fc.constantFrom(...SHOWN, ...KEPT), { minLength: 1, maxLength: 6 });

  test("blocks in any order render the same when an edit added a block between them", () => {
    fc.assert(
      fc.property(blocks, fc.nat(), fc.constantFrom("New.", "- new", "1. new", "```\nnew\n```"), (sources, at, added) => {
        const opened = openMarkdown(sources.join("\n\n"));
        if (!opened) return;
        const { doc } = opened;
        const index = at % (doc.childCount + 1);
        const before = doc.children.slice(0, index);
        const after = doc.children.slice(index);
        const changed = schema.nodes.doc.create(null, [...before, ...open(added).doc.children, ...after]);
        const written = opened.write(changed);
        expect(blocksIn(written)).toEqual(changed.children.map(String));
      }),
      { numRuns: 100 },
    );
  });

  test("blocks in any order stay apart when one between them is deleted", () => {
    fc.assert(
      fc.property(blocks, fc.nat(), (sources, at) => {
        const opened = openMarkdown(sources.join("\n\n"));
        // Without its definition, a reference is text.
        if (!opened || opened.doc.childCount < 2 || sources.some((source) => source.includes("]: "))) return;
        const changed = schema.nodes.doc.create(null, opened.doc.children.toSpliced(at % opened.doc.childCount, 1));
        expect(blocksIn(opened.write(changed))).toEqual(changed.children.map(String));
      }),
      { numRuns: 100 },
    );
  });

  test("any rich text is written as Markdown that opens as the same rich text", () => {
    fc.assert(
      fc.property(fc.array(richBlock, { minLength: 1, maxLength: 4 }), (nodes) => {
        const doc = schema.nodes.doc.create(null, nodes);
        doc.check();
        const again = open(rewritten(doc)).doc;
        expect(again.children.map(String)).toEqual(doc.children.map(String));
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    ["spaces at the ends of bold words are outside it", paragraph(bold(" Wrap up "), schema.text("now")), "**Wrap up** now"],
    ["typed marks stay text", paragraph(schema.text("2 * 3 * 4 and # or <b>")), "2 \\* 3 \\* 4 and # or \\<b>"],
    ["an empty paragraph is left out", paragraph(), ""],
    ["bold in the middle of a word", paragraph(schema.text("un"), bold("believ"), schema.text("able")), "un**believ**able"],
    ["a break at the end is left out", paragraph(schema.text("a"), schema.nodes.hard_break.create()), "a"],
  ])("%s", (_what, node, markdown) => {
    expect(rewritten(schema.nodes.doc.create(null, node))).toBe(markdown);
  });
});

const words = fc
  .string({ unit: characters("ab *_#-<[]!`1.&:/w|~\\+="), minLength: 1, maxLength: 12 })
  .map((text) => `x${text.replace(/\s+/g, " ").trim()}x`);
const marks = fc.subarray(["strong", "em", "strikethrough"] as const);
const inline = fc.tuple(words, marks).map(([text, names]) =>
  schema.text(
    text,
    names.map((name) => schema.marks[name].create()),
  ),
);
const inlines = fc
  .array(inline, { minLength: 1, maxLength: 3 })
  .map((nodes) => nodes.flatMap((node, index) => (index === 0 ? node : [schema.text(" "), node])));
const textBlock = fc.oneof(
  inlines.map((nodes) => paragraph(...nodes)),
  fc.tuple(fc.integer({ min: 1, max: 6 }), inlines).map(([level, nodes]) => schema.nodes.heading.create({ level }, nodes)),
  fc.string({ unit: characters("a`~ \n"), minLength: 1 }).map((text) => schema.nodes.code_block.create(null, schema.text(text))),
);
const { richBlock } = fc.letrec<{ richBlock: Node; list: Node }>((tie) => ({
  richBlock: fc.oneof(
    { depthSize: "small" },
    textBlock,
    tie("list"),
    tie("richBlock").map((node) => schema.nodes.blockquote.create(null, node)),
  ),
  list: fc
    .tuple(fc.boolean(), fc.array(fc.tuple(inlines, fc.option(tie("list"), { depthSize: "small" })), { minLength: 1, maxLength: 3 }))
    .map(([ordered, items]) =>
      (ordered ? schema.nodes.ordered_list : schema.nodes.bullet_list).create(
        null,
        items.map(([nodes, inner]) => schema.nodes.list_item.create(null, [paragraph(...nodes), ...(inner ? [inner] : [])])),
      ),
    ),
}));

function characters(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(...text.split(""));
}

function open(text: string): MarkdownDocument {
  const opened = openMarkdown(text);
  if (!opened) throw new Error(`Does not open: ${text}`);
  return opened;
}

/** The Markdown of a document of which no block was in the text before. */
function rewritten(doc: Node): string {
  return open("").write(doc);
}

/** The Markdown after text was typed at the end. */
function typed({ doc, write }: MarkdownDocument, text: string): string {
  const state = EditorState.create({ doc });
  return write(state.apply(state.tr.insertText(text, doc.content.size - 1)).doc);
}

/** The blocks of a Markdown text; an empty comment may separate two lists. */
function blocksIn(markdown: string): string[] {
  return open(markdown).doc.children.flatMap((node) => (node.attrs["source"] === "<!-- -->" ? [] : String(node)));
}

/** The HTML of a page, in which line breaks outside code are spaces. */
function visible(markdown: string): string {
  return renderMarkdown(markdown).replace(/<pre>.*?<\/pre>|\s+/gs, (part) => (part.startsWith("<pre>") ? part : " "));
}

function paragraph(...children: Node[]): Node {
  return schema.nodes.paragraph.create(null, children);
}

function bold(text: string): Node {
  return schema.text(text, [schema.marks.strong.create()]);
}
