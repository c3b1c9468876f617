import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { invitedColleague } from "../support/colleague.ts";
import { formOf, REFUSED, refuseWhileStored, showsInput, typeInput } from "../support/form-input.ts";
import { renderLate } from "../support/late-rendering.ts";
import { EDITS, FORMS, createRecords, type Ids } from "../support/portal-forms.ts";
import { refuseRequests } from "../support/refuse-requests.ts";
import { clientOf, continueUnsaved, focused, openPortal, visit } from "../support/portal.ts";
import { preferMarkdown } from "../support/posts.ts";

const POSTS = "/rest/v1/blog_posts";
const WRITES = "/(rest|functions|auth)/v1/";

describe("an unsaved form", () => {
  const portal = openPortal();
  let ids: Ids;
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    ids = await createRecords(staff);
    await portal().addInitScript(refuseWhileStored, REFUSED);
    await preferMarkdown(portal());
    // The editor asks for confirmation before unsaved text is left.
    portal().on("dialog", (dialog) => void dialog.accept());
  });

  test.each(Object.keys(FORMS))("of %s survives a failed save, the end of the session and a reload", async (name) => {
    const page = portal();
    const form = FORMS[name]?.(ids);
    if (!form) throw new Error(`no form of ${name}`);
    await visit(page, form.path);
    if (form.open !== undefined) await page.getByRole("button", { name: form.open }).first().click();
    else if (form.send.startsWith("Move")) await page.getByText("Move all to…").click();
    await typeInput(page, form);

    // With autosave the text would be saved, and nothing would be left to restore.
    const service = form.savesItself ? POSTS : WRITES;
    await page.evaluate(([key, pattern]) => sessionStorage.setItem(key, pattern), [REFUSED, service] as const);
    await formOf(page, form).getByRole("button", { name: form.send, exact: true }).click();
    await formOf(page, form).getByRole("alert").first().waitFor();
    await showsInput(page, form);
    if (service === WRITES) await page.evaluate((key) => sessionStorage.removeItem(key), REFUSED);

    const resume = await endSession(page);
    await page.getByText("Your unsaved input stays in this tab").waitFor();
    await resume();
    await page.goto(form.restoredAt ?? form.path);
    await continueUnsaved(page);
    await showsInput(page, form);
    await formOf(page, form).getByRole("button", { name: "Clear" }).click();
    await page.getByText("Your unsaved input was restored.").waitFor({ state: "detached" });
    await expect.poll(() => formOf(page, form).locator(":is(input, select, textarea):focus").count()).toBe(1);
    // Not earlier: autosave would then save the text, and there would be nothing to clear.
    await page.evaluate((key) => sessionStorage.removeItem(key), REFUSED);
  });

  test("is discarded by Cancel or Escape, which can be undone, and is not offered again", async () => {
    const page = portal();
    const name = page.getByLabel("Name", { exact: true });
    await visit(page, "/admin/bookings");
    for (const cancel of [() => page.getByRole("button", { name: "Cancel", exact: true }).click(), () => discardByKeyboard(page)]) {
      await page.getByRole("button", { name: "New booking" }).click();
      await name.fill("zebra");
      await cancel();
      await page.getByText("Discarded: booking for zebra.").waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect.poll(() => name.inputValue()).toBe("zebra");
      await focused(page, "name");
      await cancel();
      await page.getByText("Discarded: booking for zebra.").waitFor();
      await page.reload();
      await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
      expect(await page.getByText("zebra").count()).toBe(0);
      expect(await name.count()).toBe(0);
    }
  });

  test("closes on Escape without a question if nothing was typed, and stays open if the person does not discard it", async () => {
    const page = portal();
    const name = page.getByLabel("Name", { exact: true });
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: "New booking" }).click();
    await focused(page, "name");
    await page.keyboard.press("Escape");
    await name.waitFor({ state: "detached" });
    expect(await page.getByText("Discarded").count()).toBe(0);
    await page.getByRole("button", { name: "New booking", expanded: false }).waitFor();
    await page.keyboard.press("Enter");

    await name.fill("zebra");
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Discard booking for zebra?" });
    await question.waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "hidden" });
    await focused(page, "name");
    // The search of the list is outside the form.
    await page.getByRole("searchbox", { name: "Search", exact: true }).press("Escape");
    expect(await question.count()).toBe(0);
    await name.press("Escape");
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "hidden" });
    expect(await name.inputValue()).toBe("zebra");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("of a published post is discarded after a question, and that can be undone", async () => {
    const page = portal();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Snow on the pass" }).click();
    const content = page.getByLabel("Content");
    await focused(page, "title");
    await content.fill("Half a sentence");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Discard blog post for Snow on the pass?" }).getByRole("button", { name: "Discard" }).click();
    await page.getByText("Discarded: blog post for Snow on the pass.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => content.inputValue()).toBe("Half a sentence");
    await focused(page, "title");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("is discarded when another form of its kind is opened, which can be undone", async () => {
    const page = portal();
    const form = page.locator("#form").getByRole("form");
    const undo = async (discarded: string): Promise<void> => {
      await page.getByText(`Discarded: ${discarded}.`).waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
    };

    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Snow on the pass" }).click();
    await form.getByLabel("Content").fill("Half a sentence");
    await page.getByRole("button", { name: "Edit In its place" }).click();
    await page.getByRole("form", { name: "Change In its place" }).waitFor();
    await undo("blog post for Snow on the pass");
    await expect.poll(() => form.getByLabel("Content").inputValue()).toBe("Half a sentence");
    expect(await page.getByText("Discarded:").count()).toBe(0);

    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: "Add course date" }).click();
    await form.getByLabel("Description").fill("By the back door");
    await page
      .getByRole("button", { name: /^Copy Lvl 2 CCTV/ })
      .first()
      .click();
    await expect.poll(() => form.getByLabel("Description").inputValue()).toBe("");
    await form.getByLabel("Description").fill("By the front door");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await undo("course date for Lvl 2 CCTV");
    await expect.poll(() => form.getByLabel("Description").inputValue()).toBe("By the front door");
    await page.reload();
    await continueUnsaved(page);
    await expect.poll(() => form.getByLabel("Description").inputValue()).toBe("By the front door");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("button", { name: "Add course date" }).click();
    await expect.poll(() => form.getByLabel("Description").inputValue()).toBe("By the back door");

    await visit(page, "/admin/bookings");
    const note = form.getByLabel(/^Note/);
    const isShown = async (name: string, text: string): Promise<void> => {
      await page.getByRole("form", { name: `Booking of ${name}` }).waitFor();
      await expect.poll(() => note.inputValue()).toBe(text);
      await focused(page, "name");
    };
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await note.fill("Rang her");
    await page.getByRole("button", { name: /^Edit Bo Crag/ }).click();
    await isShown("Bo Crag", "");
    await note.fill("Rang him");
    await undo("booking for Ada Fell");
    await isShown("Ada Fell", "Rang her");
    await undo("booking for Bo Crag");
    await isShown("Bo Crag", "Rang him");
    await page.reload();
    await page.getByText("Continue booking for Bo Crag?").waitFor();
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await isShown("Ada Fell", "");
    await undo("booking for Bo Crag");
    await isShown("Bo Crag", "Rang him");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("is not discarded by a form that was still loading when its page was left", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await page.getByLabel(/^Note/).fill("Rings back");
    await visit(page, "/admin/profile");
    const { promise, resolve: load } = Promise.withResolvers<void>();
    await refuseRequests(page, "**/rest/v1/course_dates?*", "/rest/v1/course_dates?probe", async (route) => {
      await promise;
      await route.continue();
    });
    await visit(page, `/admin/bookings?enquiry=${ids.enquiry}`);
    // The page removes the parameter by a navigation, which would cancel a navigation that began before.
    await page.waitForURL(({ pathname, search }) => pathname === "/admin/bookings" && search === "");
    const enquiry = page.waitForResponse((response) => response.url().includes(`id=eq.${ids.enquiry}`));
    await renderLate(page, async () => {
      await visit(page, "/admin/profile");
      load();
      await (await enquiry).finished();
    });
    await page.unroute("**/rest/v1/course_dates?*");
    await visit(page, "/admin/bookings");
    await page.getByText("Continue booking for Ada Fell?").waitFor();
    await page.getByRole("button", { name: "Discard", exact: true }).click();
  });

  test("is not replaced by a form that was requested earlier and takes longer to load", async () => {
    const page = portal();
    const { promise, resolve: load } = Promise.withResolvers<void>();
    await refuseRequests(page, "**/rest/v1/course_dates?*", "/rest/v1/course_dates?probe", async (route) => {
      await promise;
      await route.continue();
    });
    await renderLate(page, async () => {
      await visit(page, `/admin/bookings?enquiry=${ids.enquiry}`);
      await page.getByRole("button", { name: "New booking" }).press("Enter");
      await focused(page, "name");
    });
    await page.keyboard.type("zeb");
    const enquiry = page.waitForResponse((response) => response.url().includes(`id=eq.${ids.enquiry}`));
    load();
    await (await enquiry).finished();
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await page.keyboard.type("ra");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("zebra");
    await page.unroute("**/rest/v1/course_dates?*");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("is offered again if its record could not be read", async () => {
    const page = portal();
    const note = page.getByLabel(/^Note/);
    await visit(page, `/admin/bookings?enquiry=${ids.enquiry}`);
    await note.fill("Rings back");
    await visit(page, "/admin/profile");
    let isOffline = true;
    await refuseRequests(page, "**/rest/v1/enquiries?*", "/rest/v1/enquiries?probe", (route) =>
      isOffline ? route.abort() : route.continue(),
    );
    await visit(page, `/admin/bookings?enquiry=${ids.enquiry}`);
    await page.getByText("This could not be opened.").waitFor();
    isOffline = false;
    await continueUnsaved(page);
    await expect.poll(() => note.inputValue()).toBe("Rings back");
    await page.unroute("**/rest/v1/enquiries?*");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("is offered in one line after a visit of another page, and the dashboard does not mention it", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: "New booking" }).click();
    await page.getByLabel("Name", { exact: true }).fill("zebra");
    await page.getByRole("link", { name: "Back to Dashboard" }).click();
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    expect(await page.getByText(/unfinished|zebra/).count()).toBe(0);
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Bookings", exact: true }).click();
    await page.getByText("Continue booking for zebra?").waitFor();
    expect(await page.getByRole("form", { name: "New booking" }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.reload();
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    expect(await page.getByRole("button", { name: "Continue", exact: true }).count()).toBe(0);
  });

  test("of one course date is not replaced by that of another", async () => {
    const page = portal();
    const target = page.getByLabel("Another date");
    const chosen = { [ids.date]: ids.otherDate, [ids.otherDate]: ids.date };
    for (const [date, other] of Object.entries(chosen)) {
      await visit(page, `/admin/bookings?date=${date}`);
      await page.getByText("Move all to…").click();
      await target.selectOption(other);
    }
    for (const [date, other] of Object.entries(chosen)) {
      await visit(page, `/admin/bookings?date=${date}`);
      await expect.poll(() => target.inputValue()).toBe(other);
      await page.getByRole("button", { name: "Clear" }).click();
    }
  });

  test("of a post is restored after the user's own change of the post; after another person's change the user decides", async () => {
    const page = portal();
    const colleague = await invitedColleague(page, staff);
    const change = (client: SupabaseClient, author: string) => client.from("blog_posts").update({ author }).eq("slug", "snow").select("id");

    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Edit Snow on the pass" }).click();
    await page.getByLabel("Content").fill("Take the train.");
    expect((await change(staff, "Jo at home")).data).toHaveLength(1);
    await page.reload();
    await continueUnsaved(page);
    await expect.poll(() => page.getByLabel("Content").inputValue()).toBe("Take the train.");
    expect(await page.getByText("This post was changed after you typed this.").count()).toBe(0);

    expect((await change(colleague, "Ada")).data).toHaveLength(1);
    await page.reload();
    await continueUnsaved(page);
    await page.getByText("This post was changed after you typed this. Author: “Jo” here, “Ada” there.").waitFor();
    await expect.poll(() => page.getByLabel("Content").inputValue()).toBe("Take the train.");
  });

  test.each(EDITS)("of $noun does not overwrite what others changed after it was typed", async (edit) => {
    const { path, open, label, send, noun, table, theirs, difference } = edit;
    const page = portal();
    await visit(page, path(ids));
    await page.getByRole("button", { name: open }).click();
    const form = page.locator("#form").getByRole("form");
    await form.getByLabel(label).fill("Typed before the reload");
    const { data: changed } = await staff
      .from(table)
      .update(theirs)
      .eq("id", await page.locator("#form input[name=id]").inputValue())
      .select("id");
    expect(changed).toHaveLength(1);
    await page.reload();
    await continueUnsaved(page);
    await form.getByRole("button", { name: send }).click();
    await page.getByText(`Somebody else changed this ${noun} while you were editing it. ${difference}`).waitFor();
    await form.getByRole("button", { name: send }).click();
    await form.waitFor({ state: "detached" });
    const { data: stored } = await staff.from(table).select("*").eq("id", changed?.[0]?.id).single();
    expect(stored).toMatchObject(theirs);
    expect(JSON.stringify(stored)).toContain("Typed before the reload");
  });
});

async function discardByKeyboard(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Discard booking for zebra?" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
}

/** Ends the session of the page so that it cannot be refreshed; the returned function signs in again, as another tab would. */
async function endSession(page: Page): Promise<() => Promise<void>> {
  const [name, stored] = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((each) => each.endsWith("-auth-token")) ?? "";
    const text = localStorage.getItem(key) ?? "{}";
    const session: unknown = JSON.parse(text);
    localStorage.setItem(key, JSON.stringify(Object.assign({}, session, { expires_at: 1, refresh_token: "used up" })));
    dispatchEvent(new Event("pageshow"));
    return [key, text] as const;
  });
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  return () => page.evaluate(([key, text]) => localStorage.setItem(key, text), [name, stored] as const);
}
