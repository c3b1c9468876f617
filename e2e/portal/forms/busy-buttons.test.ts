import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, clientOf, openPortal, visit } from "../../support/portal.ts";
import { refuseRequests } from "../../support/refuse-requests.ts";

describe("a button keeps the focus while it is busy", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
  });

  /** Holds the changes of a path of the service back; the returned function sends them. */
  async function holdChanges(page: Page, path: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await refuseRequests(page, `**${path}*`, `${path}?probe`, async (route) => {
      if (route.request().method() !== "GET") await promise;
      await route.continue();
    });
    return resolve;
  }

  /** The text of the control that has the focus in the next frame, when the browser takes the focus from disabled controls. */
  function focused(page: Page): Promise<string | null | undefined> {
    return page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return document.activeElement?.textContent;
    });
  }

  test("that makes or removes the address of the calendar", async () => {
    const page = portal();
    await visit(page, "/admin/profile");
    const make = await holdChanges(page, "/rest/v1/rpc/make_calendar_feed");
    const button = page.getByRole("button", { name: "Make an address" });
    await button.press("Enter");
    await button.and(page.locator("[aria-disabled=true], :disabled")).waitFor();
    expect(await focused(page)).toBe("Make an address");
    await button.press("Enter");
    make();
    await page.getByText("Copy it now: it is not shown again.").waitFor();

    await page.reload();
    const remove = await holdChanges(page, "/rest/v1/rpc/remove_calendar_feed");
    await page.getByRole("button", { name: "Remove the address of your calendar" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await page.getByText("Removing...").waitFor();
    expect(await focused(page)).toBe("Removing...");
    remove();
    await page.getByRole("button", { name: "Make an address" }).waitFor();
  });

  test("that moves a course date", async () => {
    const page = portal();
    await addDate(staff, "2031-08-11T09:00", 6);
    await visit(page, "/admin/calendar?view=month&day=2031-08-01");
    await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Lvl 2 CCTV/ });
    await dialog.getByLabel("Move to").fill("2031-08-12");
    const move = await holdChanges(page, "/rest/v1/course_dates");
    await dialog.getByRole("button", { name: "Move date" }).press("Enter");
    await dialog.getByRole("button", { name: "Moving..." }).waitFor();
    expect(await focused(page)).toBe("Moving...");
    move();
    await dialog.waitFor({ state: "detached" });
  });

  test("that signs out", async () => {
    const page = portal();
    await page.goto("/admin/profile");
    const logout = page.getByRole("button", { name: "Logout" });
    await logout.waitFor();
    // Without the code of the sign-in page this one stays.
    const { promise, resolve: load } = Promise.withResolvers<void>();
    await refuseRequests(page, /\/assets\/sign-in-/, "/assets/sign-in-probe", async (route) => {
      await promise;
      await route.continue();
    });
    const revoked = await holdChanges(page, "/auth/v1/logout");
    const requested = page.waitForRequest(/\/auth\/v1\/logout\?scope/);
    await logout.press("Enter");
    await requested;
    expect(await focused(page)).toBe("Logout");
    load();
    revoked();
    await page.getByRole("heading", { name: "Admin Login" }).waitFor();
  });
});
