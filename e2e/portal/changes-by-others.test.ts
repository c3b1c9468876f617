import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, clientOf, openPortal, visit } from "../support/portal.ts";
import { newQuietWindow, openLive } from "../support/windows.ts";

describe("a change by somebody else", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  let date: string;
  beforeAll(async () => {
    staff = await clientOf(portal());
    date = await addDate(staff, "2031-06-02T09:00", 9, ...["Pat Beck", "Pat Crag", "Pat Dale"].map((name) => ({ name })));
    await openLive(portal(), "/admin/bookings");
  });

  test("is not overwritten by the undo of a payment, which shows a message", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Pat");
    await page.getByRole("button", { name: /^Mark paid, card: Pat Beck/ }).press("Enter");
    await page.getByText("Pat Beck paid: Paid, card.").waitFor();
    await staff.from("bookings").update({ payment_method: "bank_transfer" }).eq("name", "Pat Beck").throwOnError();
    await page.getByRole("row", { name: /Pat Beck.*Paid, bank transfer/s }).waitFor();
    await page.getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByText("Somebody else changed or deleted the booking of Pat Beck meanwhile, so its payment was not undone.").waitFor();
    await page.getByRole("row", { name: /Pat Beck.*Paid, bank transfer/s }).waitFor();
    await page.getByRole("link", { name: "Show the booking" }).press("Enter");
    await page.getByRole("region", { name: "Pat Beck", exact: true }).getByText("Paid, bank transfer").first().waitFor();
  });

  test("moves the focus from a deleted row to the next one, the one before, or the title", async () => {
    const page = portal();
    const link = (name: string) => page.getByRole("link", { name: new RegExp(`^Open ${name},`) });
    const remove = async (name: string): Promise<void> => {
      await staff.from("bookings").delete().eq("name", name).throwOnError();
      await link(name).waitFor({ state: "detached" });
    };
    await visit(page, "/admin/bookings?words=Pat");
    await link("Pat Crag").focus();
    await remove("Pat Crag");
    await link("Pat Dale").and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: /^Edit Pat Dale/ }).focus();
    await remove("Pat Dale");
    await link("Pat Beck").and(page.locator(":focus")).waitFor();
    // The focus is now in a dialog of the row.
    await page.getByRole("button", { name: /^Delete Pat Beck/ }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).and(page.locator(":focus")).waitFor();
    await remove("Pat Beck");
    await page.getByRole("heading", { name: "Bookings", level: 1 }).and(page.locator(":focus")).waitFor();

    const waiting = ["Wes Hill", "Wyn Moor"].map((name, n) => ({ course_id: date, name, phone: `07700 90011${n}` }));
    await staff.from("waiting_list").insert(waiting).throwOnError();
    await visit(page, `/admin/bookings?date=${date}`);
    await page.getByRole("button", { name: /^Edit Wes Hill/ }).focus();
    await staff.from("waiting_list").delete().eq("name", "Wes Hill").throwOnError();
    await page.locator("tr:focus", { hasText: "Wyn Moor" }).waitFor();
    await page.keyboard.press("Tab");
    expect(await page.locator("tr", { hasText: "Wyn Moor" }).locator(":focus").count()).toBe(1);
  });

  test("stops a call-off that would move bookings to a deleted date, on a page with and without live updates", async () => {
    const live = portal();
    const quiet = await newQuietWindow(live);
    for (const page of [live, quiet]) {
      const from = await addDate(staff, "2031-05-05T09:00", 6, { name: "Ada Fell" });
      const target = await addDate(staff, "2031-05-12T09:00", 6);
      await visit(page, `/admin/bookings?date=${from}`);
      await page.getByRole("button", { name: "Call off…" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: /^Call off/ });
      await choose(page, "Move all to", /Mon 12 May 2031/);
      await staff.from("course_dates").delete().eq("id", target).throwOnError();
      const gone = dialog.getByText("The date that you chose is not available any more. Choose another.");
      if (page === live) await gone.waitFor();
      await dialog.getByRole("button", { name: "Call off", exact: true }).press("Enter");
      await gone.waitFor();
      expect(await dialog.getByLabel("Move all to").locator("option:checked").textContent()).toBe("Not available any more");
      const status = async () => (await staff.from("course_dates").select("status").eq("id", from).single()).data;
      expect(await status()).toEqual({ status: "open" });
      await choose(page, "Move all to", /^Nowhere/);
      await gone.waitFor({ state: "detached" });
      await dialog.getByRole("button", { name: "Call off", exact: true }).press("Enter");
      await page.getByText(/is called off\.$/).waitFor();
      expect(await status()).toEqual({ status: "cancelled" });
      await staff.from("bookings").delete().eq("course_id", from).throwOnError();
      await staff.from("course_dates").delete().eq("id", from).throwOnError();
    }
    await quiet.close();
  });

  test("leaves the focus on the page if it deletes the date of an open dialog", async () => {
    const page = portal();
    const remove = (id: string) => staff.from("course_dates").delete().eq("id", id).throwOnError();
    const calledOff = await addDate(staff, "2031-08-04T09:00", 6, { name: "Ada Fell" });
    await visit(page, `/admin/bookings?date=${calledOff}`);
    await page.getByRole("button", { name: "Call off…" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Call off", exact: true }).focus();
    await staff.from("bookings").delete().eq("course_id", calledOff).throwOnError();
    await page.getByText("Nobody is booked.").waitFor();
    await remove(calledOff);
    await page.locator(":focus", { hasText: "This date does not exist any more." }).waitFor();

    const moved = await addDate(staff, "2031-08-11T09:00", 6);
    await visit(page, "/admin/calendar?view=month&day=2031-08-01");
    await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).press("Enter");
    await page.getByRole("dialog", { name: /^Lvl 2 CCTV/ }).waitFor();
    await remove(moved);
    await page.getByRole("cell", { name: "11", exact: true, includeHidden: true }).waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Calendar", level: 1 }).and(page.locator(":focus")).waitFor();
  });

  test("of the course date of an open booking is mentioned before the booking is saved, if it does not take place", async () => {
    const page = portal();
    const id = await addDate(staff, "2031-09-01T09:00", 6, { name: "Ada Fell" });
    await visit(page, `/admin/bookings?date=${id}`);
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).press("Enter");
    await page.getByLabel(/^Note/).fill("Rang her");
    await staff.from("course_dates").update({ status: "cancelled" }).eq("id", id).throwOnError();
    await page.getByRole("button", { name: "Save booking" }).press("Enter");
    await page
      .getByText("Somebody else changed this booking while you were editing it. Course date: takes place, now called off.")
      .waitFor();
    await page.getByRole("button", { name: "Save booking" }).press("Enter");
    await page.getByText("Booking of Ada Fell saved.").waitFor();
  });

  test("is not overwritten by the first save of a post, which names it", async () => {
    const page = portal();
    const post = { title: "Winter dates", slug: "winter-dates", author: "Jo", content: "Wrap up.\n\nBring a coat." };
    await staff.from("blog_posts").insert(post);
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Winter dates" }).click();
    await page.getByText("The address stays /blog/winter-dates").waitFor();
    await staff.from("blog_posts").update({ author: "Jo Airey" }).eq("slug", "winter-dates");
    await page.getByLabel("Title").fill("Spring dates");
    await page.getByRole("button", { name: "Save post" }).click();
    await page.getByText("Somebody else changed this blog post while you were editing it. Author: Jo, now Jo Airey.").waitFor();
    await page.getByRole("button", { name: "Save post" }).click();
    await page.getByText("Blog post saved successfully!").waitFor();
    const shown = await (await fetch(new URL("/blog/winter-dates", page.url()))).text();
    expect(shown).toMatch(/<h1[^>]*>Spring dates<\/h1>/);
    expect(shown).toContain("Jo Airey");
  });
});
