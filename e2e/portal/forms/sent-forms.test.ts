import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations, violationsOfSchemes } from "../../support/axe.ts";
import { renderLate } from "../../support/late-rendering.ts";
import { addDate, clientOf, deleteRow, openPortal, visit } from "../../support/portal.ts";
import { richText } from "../../support/posts.ts";
import { refuseRequests } from "../../support/refuse-requests.ts";

describe("a form that is being sent", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    await addDate(staff, "2031-03-03T09:00", 6, { name: "Ada Fell", note: "By train" }, { name: "Bo Crag" });
    await staff.from("blog_posts").insert({ title: "Snow", author: "Jo", slug: "snow", content: "Drive slowly." }).throwOnError();
    // The editor asks for confirmation before unsaved text is left.
    portal().on("dialog", (dialog) => void dialog.accept());
  });

  /** Holds the changes of a table back; the returned function sends or refuses them. */
  async function holdChanges(page: Page, table: string): Promise<(isSent: boolean) => void> {
    await page.unroute(`**/rest/v1/${table}?*`);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    await refuseRequests(page, `**/rest/v1/${table}?*`, `/rest/v1/${table}?probe`, async (route) =>
      route.request().method() !== "PATCH" || (await promise) ? route.continue() : route.abort(),
    );
    return resolve;
  }

  const focusedId = (page: Page): Promise<string | undefined> => page.evaluate(() => document.activeElement?.id);

  test("is read-only until the answer, and the focus stays where it is", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
    const form = page.getByRole("form", { name: "Booking of Ada Fell" });
    const [note, payment, places] = [form.getByLabel(/^Note/), form.getByLabel("Payment", { exact: true }), form.getByLabel("Places")];
    await note.fill("By car");
    for (const isSent of [false, true]) {
      const answer = await holdChanges(page, "bookings");
      await places.press("Enter");
      await form.getByRole("button", { name: "Saving..." }).waitFor();
      await page.keyboard.type("2");
      await page.keyboard.press("ArrowUp");
      expect(await focusedId(page)).toBe("places");
      expect(await places.inputValue()).toBe("1");
      expect(await places.getAttribute("aria-readonly")).toBe("true");
      await payment.press("ArrowDown");
      await page.keyboard.press("p");
      expect(await payment.inputValue()).toBe("due");
      await page.keyboard.press("Tab");
      expect(await focusedId(page)).toBe("payment_method");
      await note.focus();
      await page.keyboard.press("End");
      await page.keyboard.type(", late");
      await page.keyboard.press("ControlOrMeta+Z");
      expect(await note.inputValue()).toBe("By car");
      expect(await violations(page)).toEqual([]);
      answer(isSent);
      if (isSent) break;
      await form.getByRole("alert").waitFor();
      await note.press("End");
      await page.keyboard.type(", early");
      expect(await note.inputValue()).toBe("By car, early");
      await payment.press("ArrowDown");
      expect(await payment.inputValue()).toBe("paid");
      await payment.press("ArrowUp");
      await note.fill("By car");
    }
    await page.getByText("Booking of Ada Fell saved.").waitFor();
    await form.waitFor({ state: "detached" });
    const { data } = await staff.from("bookings").select("note, places, payment_status").eq("name", "Ada Fell").single();
    expect(data).toEqual({ note: "By car", places: 1, payment_status: "due" });
  });

  test("leaves the focus on its button", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
    await page.getByLabel(/^Note/).fill("By boat");
    const answer = await holdChanges(page, "bookings");
    await page.getByRole("button", { name: "Save booking" }).press("Enter");
    await page.getByRole("button", { name: "Saving..." }).waitFor();
    // The browser takes the focus from a disabled button when it draws the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Saving...");
    answer(false);
    await page.getByRole("form", { name: "Booking of Ada Fell" }).getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  });

  test("takes keys and clicks as soon as its refusal appears, also when React renders late", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
    const form = page.getByRole("form", { name: "Booking of Ada Fell" });
    const note = form.getByLabel(/^Note/);
    await note.fill("By bus");
    const answer = await holdChanges(page, "bookings");
    await note.press("ControlOrMeta+End");
    await form.getByRole("button", { name: "Save booking" }).click();
    await form.getByRole("button", { name: "Saving..." }).waitFor();
    await renderLate(page, async () => {
      answer(false);
      await form.getByRole("alert").waitFor();
      await note.press("End");
      await page.keyboard.type(", early");
      expect(await note.inputValue()).toBe("By bus, early");
    });
    const saved = await holdChanges(page, "bookings");
    saved(true);
    await form.getByRole("button", { name: "Save booking" }).click();
    await page.getByText("Booking of Ada Fell saved.").waitFor();
  });

  test("stays open until the answer: a refusal is shown in it, and after a success the form that was requested opens", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    const ada = page.getByRole("form", { name: "Booking of Ada Fell" });
    const note = ada.getByLabel(/^Note/);
    await note.fill("Rang her");
    const edit = page.getByRole("button", { name: /^Edit Bo Crag/ });
    const cancel = page.getByRole("button", { name: "Cancel", exact: true });
    const save = async (): Promise<(isSent: boolean) => void> => {
      const answer = await holdChanges(page, "bookings");
      await ada.getByRole("button", { name: "Save booking" }).click();
      await ada.getByRole("button", { name: "Saving..." }).waitFor();
      return answer;
    };
    for (const leave of [() => edit.click(), () => cancel.click(), () => note.press("Escape")]) {
      const answer = await save();
      await leave();
      answer(false);
      await ada.getByRole("alert").waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await note.inputValue()).toBe("Rang her");
    }
    const answer = await save();
    await edit.click();
    answer(true);
    await page.getByText("Booking of Ada Fell saved.").waitFor();
    await page.getByRole("form", { name: "Booking of Bo Crag" }).waitFor();
    await cancel.click();
    expect(await page.getByText("Discarded:").count()).toBe(0);
  });

  test("has no axe violations if it has date, time and multi-line fields", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 3 March/ }).press("Enter");
    const form = page.getByRole("form");
    await form.getByLabel(/^Description/).fill("Bring a coat");
    const answer = await holdChanges(page, "course_dates");
    await form.getByRole("button", { name: "Save course date" }).press("Enter");
    await form.getByRole("button", { name: "Saving..." }).waitFor();
    await form.getByLabel("Start date").press("ArrowUp");
    expect(await form.getByLabel("Start date").inputValue()).toBe("2031-03-03");
    expect(await violations(page)).toEqual([]);
    answer(true);
    await form.waitFor({ state: "detached" });
  });

  test("ignores changes of rich text, also by the buttons of its toolbar", async () => {
    const page = portal();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Snow" }).press("Enter");
    const [content, title] = [page.locator("textarea[name=content]"), page.getByLabel("Title")];
    await richText(page).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" Take the train.");
    await expect.poll(() => content.inputValue()).toBe("Drive slowly. Take the train.");
    const answer = await holdChanges(page, "blog_posts");
    await title.press("Enter");
    await page.getByRole("button", { name: "Saving..." }).waitFor();
    await richText(page).focus();
    await page.keyboard.type(" Or stay.");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("ControlOrMeta+B");
    await page.keyboard.press("Backspace");
    await page.getByRole("toolbar").getByRole("button", { name: /^Bold/ }).press("Enter");
    expect(await richText(page).innerText()).toBe("Drive slowly. Take the train.");
    expect(await content.inputValue()).toBe("Drive slowly. Take the train.");
    answer(false);
    await page.getByRole("form").getByRole("alert").first().waitFor();
    await richText(page).focus();
    // ProseMirror restores its selection 20 ms after it gets the focus; people press no key that soon.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 21)));
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type(" Or stay.");
    await expect.poll(() => content.inputValue()).toBe("Drive slowly. Take the train. Or stay.");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("is named on the page that is shown by then if it is refused", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
    const note = page.getByLabel(/^Note/);
    await note.fill("Vegetarian");
    const answer = await holdChanges(page, "bookings");
    await page.getByRole("button", { name: "Save booking" }).press("Enter");
    await page.getByRole("button", { name: "Saving..." }).waitFor();
    await visit(page, "/admin/enquiries");
    answer(false);
    const notice = page.getByText("Not saved: booking for Ada Fell.");
    await notice.waitFor();
    // The notice has a background, like other notices.
    expect(await notice.locator("..").evaluate((box) => getComputedStyle(box).backgroundColor)).not.toBe("rgba(0, 0, 0, 0)");
    expect(await violationsOfSchemes(page)).toEqual([]);
    await page.getByRole("link", { name: "Continue" }).press("Enter");
    await expect.poll(() => note.inputValue()).toBe("Vegetarian");
    expect(await page.getByText("Not saved").count()).toBe(0);
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  });

  test("opens again with its saved values before the list is reloaded", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    const edit = page.getByRole("button", { name: /^Edit Ada Fell/ });
    const note = page.getByLabel(/^Note/);
    await edit.press("Enter");
    await note.fill("By ferry");
    const answer = await holdChanges(page, "bookings");
    answer(true);
    const { promise, resolve: read } = Promise.withResolvers<void>();
    await refuseRequests(page, "**/rest/v1/course_dates?*", "/rest/v1/course_dates?probe", async (route) => {
      if (route.request().method() === "GET") await promise;
      await route.continue();
    });
    for (const text of ["By ferry", "By ferry, late"]) {
      await page.getByRole("button", { name: "Save booking" }).press("Enter");
      await page.getByText("Booking of Ada Fell saved.").waitFor();
      for (let times = 0; times < 2; times += 1) {
        await edit.press("Enter");
        expect(await note.inputValue()).toBe(text);
        await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
      }
      await edit.press("Enter");
      await note.fill("By ferry, late");
    }
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");

    // Opened again before its save is answered.
    await edit.press("Enter");
    await note.fill("By ferry, early");
    const saveAgain = await holdChanges(page, "bookings");
    await page.getByRole("button", { name: "Save booking" }).press("Enter");
    await page.getByRole("button", { name: "Saving..." }).waitFor();
    await edit.press("Enter");
    saveAgain(true);
    await page.getByText("Booking of Ada Fell saved.").waitFor();
    await page.getByRole("button", { name: "Save booking" }).waitFor();
    expect(await note.inputValue()).toBe("By ferry, early");
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
    read();
    await page.getByRole("row", { name: /By ferry, early/ }).waitFor();
    await page.unroute("**/rest/v1/course_dates?*");
  });

  test("does not change the stored input of a form that was opened later when it is saved", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
    await page.getByLabel(/^Note/).fill("By tram");
    const answer = await holdChanges(page, "bookings");
    await page.getByRole("button", { name: "Save booking" }).press("Enter");
    await page.getByRole("button", { name: "Saving..." }).waitFor();
    await visit(page, "/admin/profile");
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Bo Crag/ }).press("Enter");
    await page.getByRole("form", { name: "Booking of Bo Crag" }).waitFor();
    await page.getByLabel(/^Note/).fill("By taxi");
    const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
    answer(true);
    await (await saved).finished();
    await page.getByRole("row", { name: /Ada Fell.*By tram/ }).waitFor();
    await page.reload();
    await page.getByText("Continue booking for Bo Crag?").waitFor();
    await page.getByRole("button", { name: "Discard", exact: true }).press("Enter");
  });

  test("does not change the text or the focus of another form when it is saved", async () => {
    const page = portal();
    await visit(page, "/admin/profile");
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await refuseRequests(page, "**/auth/v1/user*", "/auth/v1/user?probe", async (route) => {
      if (route.request().method() === "PUT") await promise;
      await route.continue();
    });
    await page.getByLabel("Your name").fill("Jo Airey");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Saving..." }).waitFor();
    const password = page.getByLabel("New password", { exact: true });
    await password.focus();
    await page.keyboard.type("half a ");
    answer();
    await page.getByText("Name saved.").waitFor();
    await page.keyboard.type("password");
    expect(await password.inputValue()).toBe("half a password");
    await page.unroute("**/auth/v1/user*");
  });

  test("is accepted at once after the user's own payment, whether that was answered or not, and keeps it", async () => {
    const page = portal();
    const note = page.getByLabel(/^Note/);
    await visit(page, "/admin/bookings");
    await page.unroute("**/rest/v1/bookings?*");
    for (const isAnswered of [true, false]) {
      const text = isAnswered ? "By bike" : "On foot";
      const [stored, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await refuseRequests(page, "**/rest/v1/bookings?*", "/rest/v1/bookings?probe", async (route) => {
        if (route.request().postData()?.includes("paid") !== true) return route.continue();
        const response = await route.fetch();
        stored.resolve();
        await answered.promise;
        return route.fulfill({ response });
      });
      await page.getByRole("button", { name: /^Mark paid, cash: Ada Fell/ }).press("Enter");
      await stored.promise;
      await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
      await note.fill(text);
      if (isAnswered) {
        answered.resolve();
        await page.getByText("Ada Fell paid: Paid, cash.").waitFor();
      }
      await page.getByRole("button", { name: "Save booking" }).press("Enter");
      answered.resolve();
      await page.getByText("Booking of Ada Fell saved.").waitFor();
      const { data } = await staff.from("bookings").select("note, payment_status").eq("name", "Ada Fell").single();
      expect(data).toEqual({ note: text, payment_status: "paid" });
      await page.unroute("**/rest/v1/bookings?*");
      await staff.from("bookings").update({ payment_status: "due", payment_method: null }).eq("name", "Ada Fell").throwOnError();
      await page.getByRole("button", { name: /^Mark paid, cash: Ada Fell/ }).waitFor();
    }
  });

  test("keeps the focus if it was opened before another action is answered", async () => {
    const page = portal();
    const name = page.getByLabel("Name", { exact: true });
    await visit(page, "/admin/bookings");
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    await page.unroute("**/rest/v1/bookings?*");
    await refuseRequests(page, "**/rest/v1/bookings?*", "/rest/v1/bookings?probe", async (route) => {
      if (route.request().method() === "DELETE") await promise;
      await route.continue();
    });
    await deleteRow(page, /^Delete Bo Crag/);
    await page.getByRole("button", { name: "New booking" }).press("Enter");
    await page.keyboard.type("zeb");
    answer();
    await page.getByText("Booking deleted.").waitFor();
    await page.keyboard.type("ra");
    expect(await name.inputValue()).toBe("zebra");
    await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
  });
});
