import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import type { Form } from "./portal-forms.ts";

/** The key under which a tab stores a pattern of the writes that fail in it. */
export const REFUSED = "refused-by-the-test";

/** Runs in the page: refuses writes that match the stored pattern. Unlike a route of Playwright, it keeps the cache of the browser. */
export function refuseWhileStored(key: string): void {
  const send = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const pattern = sessionStorage.getItem(key);
    const { url, method } = input instanceof Request ? input : new Request(input, init);
    return pattern !== null && method !== "GET" && new RegExp(pattern).test(url)
      ? Promise.reject(new TypeError("Failed to fetch"))
      : send(input, init);
  };
}

/** The form with the button that submits it. Its tag and text are found in a fraction of the time that roles and names take. */
export function formOf(page: Page, { send }: Form): Locator {
  return page.locator("form", { has: page.locator("button", { hasText: new RegExp(`^${send}$`) }) });
}

/** Types the input of the form. */
export async function typeInput(page: Page, form: Form): Promise<void> {
  for (const [label, value] of Object.entries(form.typed)) {
    const field = fieldOf(page, form, label);
    if (await field.evaluate((element) => element instanceof HTMLSelectElement)) await field.selectOption(value);
    else await field.fill(value);
  }
}

/** Waits until the form shows its input. */
export async function showsInput(page: Page, form: Form): Promise<void> {
  if (form.shows) await formOf(page, form).getByText(form.shows).waitFor();
  for (const [label, value] of Object.entries(form.typed)) {
    await expect.poll(() => shownBy(fieldOf(page, form, label)), { message: label }).toContain(value);
  }
}

function fieldOf(page: Page, form: Form, label: string): Locator {
  return formOf(page, form).getByLabel(new RegExp(`^${label}( \\(optional\\))?$`));
}

/** The value of a field; for a select also the text of the chosen option. */
function shownBy(field: Locator): Promise<string[]> {
  return field.evaluate((element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement) =>
    element instanceof HTMLSelectElement ? [element.value, element.selectedOptions[0]?.text ?? ""] : [element.value],
  );
}
