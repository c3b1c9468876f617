import type { Page } from "playwright-core";
import { expect } from "vitest";

/**
 * Selects the first option whose text starts with `text` by keyboard: Home or End, then arrow keys. The select must have the focus.
 * Type-ahead is not used: the Chromium from npm does not support it.
 */
export async function chooseByKeyboard(page: Page, text: string): Promise<void> {
  const options = page.locator("select:focus option");
  const indexOf = async (): Promise<number> => (await options.allTextContents()).findIndex((option) => option.startsWith(text));
  await expect.poll(indexOf).toBeGreaterThanOrEqual(0);
  const index = await indexOf();
  const fromEnd = (await options.count()) - 1 - index;
  const [first, next, presses] = fromEnd < index ? ["End", "ArrowUp", fromEnd] : ["Home", "ArrowDown", index];
  for (const key of [first, ...Array<string>(presses).fill(next)]) await page.keyboard.press(key);
}
