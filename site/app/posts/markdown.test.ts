import { expect, test } from "vitest";
import { markdownSections, markdownText, readingMinutes, renderMarkdown } from "./markdown.ts";

test("headings, lists, tables and emphasis become HTML", () => {
  const html = renderMarkdown("## Kit\n\n- **Shoes**\n\n| a | b |\n|---|---|\n| 1 | 2 |");
  expect(html).toContain('<h2 id="kit">Kit</h2>');
  expect(html).toContain("<strong>Shoes</strong>");
  expect(html).toContain("<td>1</td>");
});

test("the highest heading of a text becomes an h2, because the page has the only h1, and the rest follow", () => {
  expect(renderMarkdown("# One\n\n## Two")).toBe('<h2 id="one">One</h2>\n<h3 id="two">Two</h3>');
  expect(renderMarkdown("### One\n\n#### Two")).toBe('<h2 id="one">One</h2>\n<h3 id="two">Two</h3>');
});

test("a heading has an id from its words; of two equal headings, the first has it", () => {
  expect(renderMarkdown("## The statistics cookie\n\n## The statistics cookie")).toBe(
    '<h2 id="the-statistics-cookie">The statistics cookie</h2>\n<h2>The statistics cookie</h2>',
  );
});

test("the sections of a text are its highest headings with their ids", () => {
  expect(markdownSections("Before.\n\n### Kit *bags*\n\n#### Sizes\n\n### Kit *bags*\n\n### After")).toEqual([
    { id: "kit-bags", title: "Kit bags" },
    { id: "after", title: "After" },
  ]);
});

test("a footnote and its mark link to each other, and its heading neither shifts nor is part of the text", () => {
  const text = "### Papers[^1]\n\nBring two forms[^1] of identification.\n\n[^1]: A passport counts.";
  const html = renderMarkdown(text);
  const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const targets = [...html.matchAll(/(?:href="#|aria-describedby=")([^"]+)"/g)].map(([, id]) => id);
  expect(targets.length).toBeGreaterThanOrEqual(6);
  expect(targets.filter((id) => !ids.has(id))).toEqual([]);
  expect(html).toContain('<h2 id="papers">Papers');
  expect(markdownSections(text)).toEqual([{ id: "papers", title: "Papers" }]);
  expect(markdownText(text)).toBe("Bring two forms of identification.");
});

test.each([
  ["a script", "<script>alert(1)</script>"],
  ["an event handler", '<img src="x" onerror="alert(1)">'],
  ["a script address", "[here](javascript:alert(1))"],
  ["a data address in a picture", "![x](data:text/html;base64,PHNjcmlwdD4=)"],
])("%s is removed", (_what, markdown) => {
  expect(renderMarkdown(markdown)).not.toMatch(/script|onerror|data:/i);
});

test("links to phone numbers and mail addresses stay", () => {
  expect(renderMarkdown("[01632 960142](tel:+441632960142) or [us](mailto:us@mail.example)")).toBe(
    '<p><a href="tel:+441632960142">01632 960142</a> or <a href="mailto:us@mail.example">us</a></p>',
  );
});

test("links to other sites have rel=noopener", () => {
  expect(renderMarkdown("[HSE](https://www.hse.gov.uk)")).toContain('rel="noopener"');
  expect(renderMarkdown("[Courses](/cctv)")).not.toContain("rel=");
});

test("the text of a post has no markup and no headings", () => {
  expect(markdownText("# Papers\n\nBring **two forms** of [identification](/x).")).toBe("Bring two forms of identification.");
});

test("the reading time is at least a minute and grows with the text", () => {
  expect(readingMinutes("A few words")).toBe(1);
  expect(readingMinutes("word ".repeat(660))).toBe(3);
});
