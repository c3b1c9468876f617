import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { renderLate } from "../support/late-rendering.ts";
import { addDate, choose, clientOf, focused, openPortal, option, testScreen, visit } from "../support/portal.ts";
import { newQuietWindow } from "../support/windows.ts";

/** At 0.3 s a key. */
const TEN_SECONDS_OF_KEYS = 33;

describe("course dates", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    const id = await addDate(staff, "2031-03-10T09:00", 5);
    await staff.from("course_dates").update({ end_date: "2031-03-12" }).eq("id", id);
  });

  test("every wrong field of a form shows its error, with a summary that links to them, and the added row is in view", async () => {
    const page = portal();
    await visit(page, "/admin/courses?new");
    const form = page.getByRole("form", { name: "New course date" });
    await form.getByRole("heading", { name: "New course date" }).waitFor();
    await form.getByLabel("Capacity").fill("0");
    await form.getByRole("button", { name: "Add course date" }).click();
    await form.getByText("3 fields need a correction:").waitFor();
    await focused(page, "course_name");
    for (const label of ["Course type", "Start date", "Capacity"]) {
      const control = form.getByLabel(label);
      expect(await control.getAttribute("aria-invalid")).toBe("true");
      expect(await control.getAttribute("aria-describedby")).toMatch(/-error$/);
    }
    expect(await violations(page)).toEqual([]);
    await form.getByRole("link", { name: "Enter the number of places, a whole number of at least 1." }).click();
    await focused(page, "capacity");
    await form.getByLabel("Capacity").fill("4");
    await form.getByLabel("Course type").selectOption("Lvl 2 Door Supervisor");
    await form.getByLabel("Start date").fill("2031-12-01");
    await form.getByText("Ends Wed 10 December, 8 days.").waitFor();
    await form.getByLabel("Last day").fill("2031-12-04");
    await form.getByText("Ends Thu 4 December, 4 days.").waitFor();
    await form.getByRole("button", { name: "Add course date" }).click();
    await page.getByText("Course added successfully!").waitFor();
    const row = page.getByRole("row", { name: /1 Dec 2031/ });
    await expect.poll(async () => ((await row.boundingBox())?.y ?? -1) > 0 && ((await row.boundingBox())?.y ?? 9999) < 700).toBe(true);
  });

  test("a date is added by keyboard, and repeated five times, each with fewer keys than a person presses in ten seconds", async () => {
    const page = portal();
    let keys = 0;
    const type = async (text: string): Promise<void> => {
      keys += text.length;
      await page.keyboard.type(text);
    };
    const press = async (key: string): Promise<void> => {
      keys += 1;
      await page.keyboard.press(key);
    };
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: "Add course date" }).focus();
    await press("Enter");
    await focused(page, "course_name");
    // A headless browser finds no option by its first letters.
    for (let presses = 0; presses < 3; presses += 1) await press("ArrowDown");
    await press("Tab");
    // The day and the month are equal, because their order in the field depends on the browser's language.
    await type("05052032");
    await press("Enter");
    await page.getByText("Course added successfully!").waitFor();
    expect(keys).toBeLessThan(TEN_SECONDS_OF_KEYS);

    await page.getByRole("button", { name: /^Repeat Lvl 2 CCTV, Wednesday 5 May 2032/ }).focus();
    keys = 0;
    await press("Enter");
    await focused(page, "how");
    await press("ArrowDown");
    await press("Tab");
    await type("5");
    await press("Enter");
    await page
      .getByText("5 course dates added: Wed 19 May 2032, Wed 2 Jun 2032, Wed 16 Jun 2032, Wed 30 Jun 2032, Wed 14 Jul 2032.")
      .waitFor();
    expect(keys).toBeLessThan(TEN_SECONDS_OF_KEYS);
  });

  test("a date is copied, and repeated by a rule, whose days can be changed, and on chosen days", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Copy Lvl 2 CCTV, Monday 10 March 2031/ }).click();
    await expect.poll(() => page.getByLabel("Capacity").inputValue()).toBe("5");
    await focused(page, "course_date");
    expect(await page.getByLabel("Start date").inputValue()).toBe("");
    expect(await page.getByLabel("Start time").inputValue()).toBe("09:00");
    await page.getByLabel("Start date").fill("2031-04-15");
    await page.getByLabel("Start time").fill("13:00");
    await page.getByRole("form").getByRole("button", { name: "Add course date" }).click();
    await page.getByText("Course added successfully!").waitFor();

    await page.getByRole("button", { name: /^Repeat Lvl 2 CCTV, Monday 10 March 2031/ }).click();
    await page.getByLabel("How many more").fill("3");
    await page.getByText("Adds 3 dates: Mon 17 Mar 2031, Mon 24 Mar 2031, Mon 31 Mar 2031.").waitFor();
    await page.getByRole("button", { name: "Add dates" }).click();
    await page.getByText("3 course dates added: Mon 17 Mar 2031, Mon 24 Mar 2031, Mon 31 Mar 2031.").waitFor();
    // The clocks go forward on 30 March.
    await page.getByRole("row", { name: /31 Mar 2031\s+09:00, to 2 Apr 2031/ }).waitFor();

    await page.getByRole("button", { name: /^Repeat Lvl 2 CCTV, Tuesday 15 April 2031/ }).click();
    await page.getByLabel("When").selectOption("Every month, on the third Tuesday");
    await page.getByText("Adds 4 dates: Tue 20 May 2031, Tue 17 Jun 2031, Tue 15 Jul 2031, Tue 19 Aug 2031.").waitFor();
    await page.getByLabel("When").selectOption("Every 2 weeks");
    await page.getByLabel("How many more").fill("2");
    await page.getByText("Adds 2 dates: Tue 29 Apr 2031, Tue 13 May 2031.").waitFor();
    await page.getByLabel("Day 1 (optional)", { exact: true }).fill("2031-05-05");
    await page.getByLabel("Day 2 (optional)", { exact: true }).fill("2031-03-18");
    const hint = (day: number): Promise<string> => page.locator(`#day-${day}-hint`).innerText();
    await expect.poll(() => hint(1)).toBe("Mon Early May bank holiday");
    await expect.poll(() => hint(2)).toBe("Tue this course already runs");
    await page.getByText("Adds 2 dates: Tue 18 Mar 2031, Mon 5 May 2031.").waitFor();
    expect(await violations(page, "#form")).toEqual([]);
    await page.getByLabel("When").selectOption("On chosen days");
    await page.getByLabel("Day 1", { exact: true }).fill("2031-05-06");
    await page.getByRole("button", { name: "Another day" }).click();
    await focused(page, "day-2");
    await page.getByLabel("Day 2 (optional)", { exact: true }).fill("2031-05-08");
    await page.getByText("Adds 2 dates: Tue 6 May 2031, Thu 8 May 2031.").waitFor();
    await page.getByRole("button", { name: "Add dates" }).click();
    await page.getByText("2 course dates added: Tue 6 May 2031, Thu 8 May 2031.").waitFor();
    for (const day of ["6 May 2031", "8 May 2031"]) await page.getByRole("row", { name: new RegExp(day) }).waitFor();
  });

  test("a rule that is chosen while the days of a repeat are checked is kept when React renders late", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    const repeat = page.getByRole("button", { name: /^Repeat Lvl 2 CCTV, Monday 10 March 2031/ });
    await repeat.waitFor();
    await renderLate(page, async () => {
      const checked = page.waitForResponse((response) => response.url().includes("/course_dates?select=id%2Ccourse_name"));
      await repeat.press("Enter");
      await focused(page, "how");
      await (await checked).finished();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Tab");
      await page.keyboard.type("2");
    });
    await page.getByText("Adds 2 dates: Mon 24 Mar 2031, Mon 7 Apr 2031.").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("a cancelled or past date shows its status instead of places, and offers no places", async () => {
    const page = portal();
    const dates = [
      { day: 3, status: "Open", shown: /5 left.*Open/s, offered: "5 left" },
      { day: 10, status: "Full", shown: /5 left.*Full/s, offered: "set to full, 5 left" },
      { day: 17, status: "Postponed", shown: /0 booked.*Postponed/s, offered: "postponed, 5 left" },
      { day: 24, status: "Cancelled", shown: /0 booked.*Cancelled/s, offered: "cancelled" },
    ];
    for (const { day, status } of dates) {
      const id = await addDate(staff, `2031-02-${String(day).padStart(2, "0")}T09:00`, 5);
      // The last one is changed by the form.
      if (status !== "Cancelled") await staff.from("course_dates").update({ status: status.toLowerCase() }).eq("id", id);
    }
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 24 February 2031/ }).click();
    await page.getByLabel("Status").selectOption("Cancelled");
    await page.getByRole("button", { name: "Save course date" }).click();
    await page.getByText("Course date saved.").waitFor();
    for (const { day, shown } of dates)
      await page
        .getByRole("row", { name: new RegExp(`\\b${day} Feb 2031`) })
        .filter({ hasText: shown })
        .waitFor();
    await visit(page, "/admin/bookings?new");
    const course = await (await fetch(new URL("/cctv", page.url()))).text();
    for (const { day, status, offered } of dates) {
      await option(page, "Date", new RegExp(`^Lvl 2 CCTV, Mon ${day} Feb 2031, 09:00: ${offered}$`)).waitFor({ state: "attached" });
      const article = new RegExp(`<article[^>]*Monday ${day} February 2031.*?</article>`, "s").exec(course)?.[0];
      expect(article).toContain(status === "Open" ? "5\u00a0places left" : status);
      if (status !== "Open") expect(article).not.toMatch(/left/);
    }
    expect(await option(page, "Date", /Mon 24 Feb 2031/).isDisabled()).toBe(true);

    await addDate(staff, "2020-03-02T09:00", 7);
    await visit(page, "/admin/courses");
    const over = page.getByRole("row", { name: /2 Mar 2020/ });
    await over.filter({ hasText: /0 booked.*Past/s }).waitFor();
    expect(await over.textContent()).not.toMatch(/left/);
    await over.getByRole("link", { name: "0 booked" }).click();
    await page.getByText("Past: 0 of 7 places were taken").waitFor();
    await page.getByRole("link", { name: "Printable register" }).click();
    await page.getByText("Past: 0 of 7 places were taken").waitFor();
  });

  test("the actions of a row are on one line and keep the row low at every width", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    const row = page.getByRole("row", { name: /10 Mar 2031/ });
    const actions = row.locator("td:last-child > div > *");
    const spread = async (): Promise<number> => {
      const bottoms = await actions.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom));
      return Math.max(...bottoms) - Math.min(...bottoms);
    };
    for (const width of [360, 768, 900, 1024, 1100, 1280]) {
      const message = `${width} px`;
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => actions.count(), { message }).toBe(4);
      await expect.poll(spread, { message }).toBeLessThan(3);
      await expect.poll(async () => (await row.boundingBox())?.height, { message }).toBeLessThan(width < 704 ? 180 : 110);
    }
  });

  test("a date with six people is called off in three clicks, which moves them all and can be undone", async () => {
    const page = portal();
    const people = Array.from({ length: 6 }, (_, n) => ({ name: `Learner ${n}`, phone: `07700 90010${n}` }));
    const paid = { name: "Learner 0", email: "learner@mail.example", payment_status: "paid", payment_method: "card" };
    const date = await addDate(staff, "2031-05-05T09:00", 6, ...people.slice(1), paid);
    const target = await addDate(staff, "2031-05-12T09:00", 6);
    await visit(page, `/admin/bookings?date=${date}`);
    const callOff = page.getByRole("button", { name: "Call off…" });
    const dialog = page.getByRole("dialog", { name: /^Call off Lvl 2 CCTV, Mon 5 May 2031/ });
    await callOff.press("Enter");
    await dialog.getByRole("button", { name: "Keep date" }).press("Enter");
    await callOff.and(page.locator(":focus")).waitFor();
    await callOff.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await callOff.and(page.locator(":focus")).waitFor();
    await callOff.click();
    await dialog.getByText("1 booking is paid. Note a refund for Learner 0.").waitFor();
    await dialog.getByRole("link", { name: "07700 900103" }).waitFor();
    expect(await dialog.getByRole("link", { name: "Write to 1" }).getAttribute("href")).toMatch(
      /^mailto:\?bcc=learner@mail\.example&subject=Called%20off/,
    );
    await choose(page, "Move all to", /Mon 12 May 2031/);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Call off", exact: true }).press("Enter");
    await page.getByText(/is called off\. 6 bookings moved to Lvl 2 CCTV, Mon 12 May 2031/).waitFor();
    await page
      .getByRole("heading", { name: /5 May 2031/ })
      .locator("s")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/takes place\. 6 bookings moved back\./).waitFor();

    const confirm = dialog.getByRole("button", { name: "Call off", exact: true });
    await callOff.press("Enter");
    await choose(page, "Move all to", /Mon 12 May 2031/);
    await staff.from("bookings").insert({ course_id: target, name: "Late Fell", phone: "07700 900 142" }).throwOnError();
    await confirm.press("Enter");
    await dialog.getByText("That date has too few places left for all of them.").waitFor();
    await confirm.and(page.locator(":focus")).waitFor();
    // The button that opened the dialog is gone, and a notice was shown before.
    await choose(page, "Move all to", /^Nowhere/);
    await confirm.press("Enter");
    await page.locator(":focus", { hasText: /is called off\./ }).waitFor();
  });

  test("a lost connection is reported at once, and Try Again loads the list", async () => {
    const page = await newQuietWindow(portal());
    await page.route("**/rest/v1/course_dates?**", (route) => route.abort());
    await visit(page, "/admin/courses");
    await page.getByText("Unexpected error fetching course dates. Please try again.").waitFor();
    await page.unroute("**/rest/v1/course_dates?**");
    await page.getByRole("button", { name: "Try Again" }).click();
    await page
      .getByRole("row", { name: /Lvl 2 CCTV/ })
      .first()
      .waitFor();
    await page.close();
  });

  testScreen("the form of a date", portal, async (page) => {
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 10 March 2031/ }).click();
  });
});
