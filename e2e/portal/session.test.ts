import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, openPortal, signIn } from "../support/portal.ts";

/** Two forms (the others are in portal-forms.ts): path, button that opens it, field, and input. */
const FORMS: readonly [form: string, path: string, open: RegExp | null, label: string, typed: string][] = [
  ["a new course date", "/admin/courses", /^Add course date$/, "Description", "Bring a coat"],
  ["a booking that is changed", "/admin/bookings", /^Edit Ada Fell/, "Company", "Moor & Sons"],
];

describe("the session", () => {
  const portal = openPortal();
  beforeAll(async () => {
    await addDate(portal(), "2031-03-03T09:00", "9");
    await portal().goto("/admin/bookings?new");
    await portal().getByLabel("Name", { exact: true }).fill("Ada Fell");
    await choose(portal(), "Date", /Mon 3 Mar 2031/);
    await portal().getByRole("button", { name: "Add booking" }).click();
    await portal().getByText("Booking added for Ada Fell.").waitFor();
  });

  test.each(FORMS)("the unsaved form of %s is restored after signing out in another tab and signing in again", async (_form, ...rest) => {
    const [path, open, label, typed] = rest;
    const page = portal();
    await page.goto(path);
    if (open) await page.getByRole("button", { name: open }).first().click();
    await field(page, label).fill(typed);
    await signOutElsewhere(page);
    await page.getByText("Your unsaved input stays in this tab").waitFor();
    await signIn(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await page.getByText("You have something unfinished here.").first().waitFor();
    await page.goto(path);
    await page.getByText("Your unsaved input was restored.").waitFor();
    await expect.poll(() => field(page, label).inputValue()).toBe(typed);
    await page.getByRole("form").getByRole("button", { name: "Clear" }).click();
  });

  test("an unsaved form is not shown to another person, and no password is stored", async () => {
    const page = portal();
    await page.goto("/admin/courses");
    await page.getByRole("button", { name: "Add course date" }).click();
    await field(page, "Description").fill("Between us");
    await signOutElsewhere(page);
    await page.getByLabel("Password").fill("never kept");
    const stored = await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]));
    expect(stored).not.toContain("never kept");
    // An unsaved form is stored under the id of its owner.
    const owners = await page.evaluate(() => Object.keys(sessionStorage).flatMap((name) => /^unsaved\/([^/]+)\//.exec(name)?.[1] ?? []));
    expect(new Set(owners).size).toBe(1);
    await signIn(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });
});

function field(page: Page, label: string) {
  return page.getByRole("form").getByLabel(label, { exact: label === "Name" });
}

async function signOutElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto("/admin/bookings");
  await other.getByRole("button", { name: "Logout" }).click();
  await other.getByRole("button", { name: "Sign in" }).waitFor();
  await other.close();
  await page.bringToFront();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
}
