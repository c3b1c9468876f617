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

/** Returns where the control that has the focus is, and whether nothing covers its centre. */
export function focusInView(page: Page): Promise<{ isInTable: boolean; isInMain: boolean; isInView: boolean; name: string }> {
  return page.evaluate(() => {
    const { activeElement: control } = document;
    const { x = 0, y = 0, width = 0, height = 0 } = control?.getBoundingClientRect() ?? {};
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return {
      isInTable: control?.closest("table") !== null,
      isInMain: control?.closest("main") !== null,
      isInView: control?.contains(top) === true,
      name: control?.getAttribute("aria-label") ?? control?.textContent ?? "",
    };
  });
}
