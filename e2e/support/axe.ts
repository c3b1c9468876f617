import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type axeCore from "axe-core";
import type { Page } from "playwright-core";

// The minified script: every loaded page parses it, and the `source` that the package exports is three times as large.
const script = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** The rules whose result depends on the colour scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

declare global {
  var axe: typeof axeCore;
}

/** Lists the axe violations within an element by rule and element, in the light colour scheme and then in the dark one. */
export async function violationsOfSchemes(page: Page, selector = "html"): Promise<string[]> {
  const light = await violations(page, selector);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(page, selector, COLOUR_RULES);
  await page.emulateMedia({ colorScheme: "light" });
  return [...light, ...dark.map((violation) => `dark: ${violation}`)];
}

/** Lists the axe violations within an element by rule and element; without `rules`, of all rules. Waits for the end of animations, which change colours. */
export async function violations(page: Page, selector = "html", rules?: readonly string[]): Promise<string[]> {
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => playState !== "running" || effect?.getComputedTiming().endTime === Infinity),
  );
  // Not as a script element, which the content security policy of the product refuses.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(script);
  return page.evaluate(findViolations, { selector, rules });
}

/** Runs in the page. */
async function findViolations({ selector, rules }: { selector: string; rules: readonly string[] | undefined }): Promise<string[]> {
  const results = await globalThis.axe.run(selector, {
    resultTypes: ["violations"],
    ...(rules && { runOnly: { type: "rule" as const, values: [...rules] } }),
  });
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}
