import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { browserOf, openPage } from "../support/browser.ts";
import { chooseByKeyboard } from "../support/keyboard.ts";
import { addDate, choose, clientOf, focused, openPortal, testScreen, visit } from "../support/portal.ts";
import { comeBack } from "../support/windows.ts";

const TRAINER = { email: "tess@larkfell-training.example", password: "along the packhorse bridge" };

describe("roles", () => {
  const portal = openPortal();
  let trainer: Page;

  beforeAll(async () => {
    trainer = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin, bypassCSP: true });
    await invite(portal());
  });

  /** Invites the trainer, who then opens the account. */
  async function invite(owner: Page): Promise<void> {
    await visit(owner, "/admin/staff");
    await owner.getByRole("button", { name: "Invite" }).click();
    await owner.getByLabel("E-mail").fill(TRAINER.email);
    await owner.getByRole("form").getByRole("button", { name: "Invite" }).click();
    await owner.getByText("Hand over the link below.").waitFor();
    await trainer.goto(await owner.getByLabel("Link", { exact: true }).inputValue());
    await trainer.getByRole("button", { name: "Open my account" }).click();
    await trainer.getByLabel("Password", { exact: true }).fill(TRAINER.password);
    await trainer.getByLabel("Repeat password").fill(TRAINER.password);
    await trainer.keyboard.press("Enter");
    await trainer.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  }

  /** Presses Control K; returns whether the portal handles it, which opens the search. */
  const opensSearch = (): Promise<boolean> =>
    trainer.evaluate(() => {
      const pressed = new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, cancelable: true });
      return !document.body.dispatchEvent(pressed);
    });
  const inNavigation = (): Promise<string[]> => trainer.getByRole("navigation", { name: "Portal" }).getByRole("link").allInnerTexts();

  test("the office sees the roles and cannot change them", async () => {
    await visit(trainer, "/admin/staff");
    await trainer.getByRole("row", { name: /jo@larkfell-training\.example.*Owner.*Active/s }).waitFor();
    await trainer.getByRole("row", { name: /tess@.* \(you\).*Office.*Active/s }).waitFor();
    expect(await trainer.getByRole("button", { name: /^(Make|Move|Disable|Remove|Reset)/ }).count()).toBe(0);
    await trainer.getByRole("button", { name: "Invite" }).click();
    expect(await trainer.getByLabel("Role").locator("option").allInnerTexts()).toEqual(["Office", "Trainer"]);
    expect(await opensSearch()).toBe(true);
  });

  test("a trainer is invited in one step, by keyboard", async () => {
    const page = portal();
    await visit(page, "/admin/staff");
    await page.getByRole("button", { name: "Invite" }).press("Enter");
    await focused(page, "email");
    await page.keyboard.type("tim@larkfell-training.example");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await focused(page, "role");
    expect(await page.locator("select:focus option").allInnerTexts()).toEqual(["Office", "Trainer", "Owner"]);
    await chooseByKeyboard(page, "Trainer");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("tim@larkfell-training.example is invited. Hand over the link below.").waitFor();
    await page.getByRole("row", { name: /tim@.*Trainer.*Invited/s }).waitFor();
    await page.getByText("Account activity").click();
    await page.getByText("jo@larkfell-training.example invited tim@larkfell-training.example as a trainer").waitFor();
  });

  test("an owner makes a colleague a trainer and puts her on a date; she then sees this register and her profile only", async () => {
    const owner = portal();
    await visit(owner, "/admin/staff");
    await owner.getByRole("button", { name: `Make trainer ${TRAINER.email}` }).click();
    await owner.getByRole("dialog").getByRole("button", { name: "Make trainer" }).click();
    await owner.getByText(`${TRAINER.email} is a trainer now, and has to sign in again.`).waitFor();
    await owner.getByRole("row", { name: /tess@.*Trainer.*Active/s }).waitFor();
    await owner.getByText("Account activity").click();
    await owner.getByText(`jo@larkfell-training.example made ${TRAINER.email} a trainer`).waitFor();

    const own = await addDate(owner, "2031-03-03T09:00", 3);
    await visit(owner, "/admin/courses");
    await owner.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 3 March 2031/ }).click();
    await choose(owner, "Trainer (optional)", /tess@/);
    await owner.getByRole("button", { name: "Save course date" }).click();
    await owner.getByText("Course date saved.").waitFor();
    await owner.getByText("Trainer: tess@").waitFor();
    const staff = await clientOf(owner);
    const { data: first } = await staff.from("course_dates").select("id").order("course_date").limit(1).single();
    await staff.from("bookings").insert([
      { course_id: own, name: "Ada Fell" },
      { course_id: first?.["id"], name: "Ben Moor" },
    ]);

    // The new role ended the session.
    await visit(trainer, "/admin/staff");
    await comeBack(trainer);
    await trainer.getByLabel("Password").waitFor();
    await trainer.getByLabel("E-mail").fill(TRAINER.email);
    await trainer.getByLabel("Password").fill(TRAINER.password);
    await trainer.getByRole("button", { name: "Sign in" }).click();
    await trainer.getByRole("heading", { name: "My registers" }).waitFor();
    await expect.poll(inNavigation).toEqual(["Registers", "Profile"]);
    const register = trainer.getByRole("link", { name: /^Register of Lvl 2 CCTV, Mon 3 Mar 2031/ });
    await register.waitFor();
    expect(await opensSearch()).toBe(false);
    expect(await trainer.getByRole("row").filter({ hasText: "CCTV" }).count()).toBe(1);
    await register.click();
    await trainer.getByRole("rowheader", { name: "Ada Fell" }).waitFor();
    await expect.poll(inNavigation).toEqual(["Registers", "Profile"]);
    await visit(trainer, `/admin/courses/${first?.["id"]}/register`);
    await trainer.getByText("Nobody has booked this date yet.").waitFor();
    expect(await trainer.getByText("Ben Moor").count()).toBe(0);
  });

  test.for(["bookings", "calendar", "courses", "enquiries", "letters", "blog", "statistics", "staff", "changes"])(
    "a trainer who opens /admin/%s is redirected to their registers",
    async (area) => {
      await visit(trainer, "/admin/profile");
      // The router navigates as for a link, which is faster than a full load.
      await trainer.evaluate((path) => globalThis.__reactRouterDataRouter?.navigate(path, { flushSync: true }), `/admin/${area}`);
      await trainer.getByRole("heading", { name: "My registers" }).waitFor();
      expect(new URL(trainer.url()).pathname).toBe("/admin");
    },
  );

  test("a trainer's list that failed to load is loaded again by Try Again", async () => {
    const window = await trainer.context().newPage();
    const refused = "**/rest/v1/course_dates?**trainer_id**";
    await window.route(refused, (route) => route.abort());
    await window.goto("/admin");
    await window.getByText("Unexpected error fetching course dates. Please try again.").waitFor();
    await window.unroute(refused);
    await window.getByRole("button", { name: "Try Again" }).click();
    await window.getByRole("link", { name: /^Register of Lvl 2 CCTV, Mon 3 Mar 2031/ }).waitFor();
    await window.close();
  });

  testScreen(
    "the registers of a trainer",
    () => trainer,
    async (page) => {
      await visit(page, "/admin");
      await page.getByRole("link", { name: /^Register of/ }).waitFor();
    },
  );
  testScreen(
    "the profile of a trainer",
    () => trainer,
    async (page) => {
      await visit(page, "/admin/profile");
      await page.getByRole("heading", { name: "Your calendar" }).waitFor();
    },
  );
  testScreen("the list of staff", portal, async (page) => {
    await visit(page, "/admin/staff");
    await page.getByRole("row", { name: /tess@/ }).waitFor();
  });

  test("a new owner chooses a new password with the link that the owner hands over", async () => {
    const owner = portal();
    await visit(owner, "/admin/staff");
    await owner.getByRole("button", { name: `Make owner ${TRAINER.email}` }).click();
    await owner.getByRole("dialog").getByText("The password stops working, because others may know it").waitFor();
    await owner.getByRole("dialog").getByRole("button", { name: "Make owner" }).click();
    await owner.getByText(`${TRAINER.email} is an owner now, and needs a new password. Hand over the link below.`).waitFor();
    await owner.getByRole("row", { name: /tess@.*Owner.*Invited/s }).waitFor();
    await trainer.goto(await owner.getByLabel("Link", { exact: true }).inputValue());
    await trainer.getByRole("button", { name: "Open my account" }).click();
    await trainer.getByLabel("Password", { exact: true }).fill("down the other side");
    await trainer.getByLabel("Repeat password").fill("down the other side");
    await trainer.keyboard.press("Enter");
    await trainer.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });
});
