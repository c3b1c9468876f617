import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { provider } from "content/provider.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { follow, openPublicSite, PHONE } from "../support/public-site.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_asking-0123456789abcdef", SECRET_KEY: "sb_secret_asking-0123456789abcdef" };

const site = openPublicSite(KEYS);
let office: SupabaseClient;
let page: Page;

beforeAll(async () => {
  office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
  page = await site.open({ viewport: PHONE, javaScriptEnabled: false });
});

async function addDate(values: object = {}): Promise<string> {
  const row = { course_name: "Lvl 2 CCTV", course_date: "2031-03-03T09:00Z", capacity: 4, ...values };
  const { data, error } = await office.from("course_dates").insert(row).select("id").single();
  if (error) throw error;
  return data.id;
}

describe("asking for a place without scripts", () => {
  test("the form shows the date, keeps the typed text after a mistake, and answers with a reference", async () => {
    const date = await addDate();
    await page.goto("/cctv");
    await follow(page, page.getByRole("link", { name: /^Ask for this Place: .*Monday 3 March 2031/ }));
    const ticket = page.getByRole("region", { name: "The date" });
    expect((await ticket.innerText()).replaceAll(/\s+/g, " ")).toMatch(
      /3 Mon Mar 2031.*09:00 to 17:00, 5 days.*Friday 7 March 2031.*£350.*4 places left/,
    );
    await page.getByLabel("Your name").fill("Ada Fell");
    await page.getByLabel("Places").fill("2");
    await page.getByLabel("Anything we should know?").fill("My firm pays.");
    await follow(page, page.getByRole("button", { name: "Ask for this place" }));
    await page.getByRole("link", { name: /^Please give an e-mail address or a phone number/ }).waitFor();
    expect(await page.getByLabel("E-mail").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel("Your name").inputValue()).toBe("Ada Fell");
    expect(await page.getByLabel("Anything we should know?").inputValue()).toBe("My firm pays.");
    await page.getByLabel("Phone").fill("07700 900 123");
    await follow(page, page.getByRole("button", { name: "Ask for this place" }));
    await page.getByRole("heading", { level: 1, name: "Thank you, we have your request" }).waitFor();
    const text = await page.getByRole("main").innerText();
    expect(text).toMatch(/The office (is open now|opens)/);
    const { data } = await office.from("enquiries").select("id, name, reply_to, places, message, request").eq("course_id", date);
    expect(data).toMatchObject([{ name: "Ada Fell", reply_to: "07700 900 123", places: 2, message: "My firm pays.", request: "place" }]);
    const [start = ""] = String(data?.[0]?.id).split("-");
    expect(text).toContain(`${start.slice(0, 4)}-${start.slice(4)}`.toUpperCase());
  });

  test("a pasted phone number is not cut", async () => {
    await page.goto(`/ask/${await addDate()}`);
    await page.getByLabel("Phone").focus();
    await page.keyboard.insertText("Mobile: +44 (0) 7700 900 123");
    expect(await page.getByLabel("Phone").inputValue()).toBe("Mobile: +44 (0) 7700 900 123");
  });

  test("the confirmation says until when the place is held, and that a mail comes", async () => {
    await page.goto(`/ask/${await addDate()}?reference=0A1B-2C3D&held=${encodeURIComponent("2031-03-01T09:00:00+00:00")}&mailed`);
    await page.getByText("We hold your place until Saturday 1 March 2031, 09:00.").waitFor();
    await page.getByText("We send you an e-mail with a calendar file.").waitFor();
  });

  test("the same form sent twice is stored once", async () => {
    const date = await addDate({ course_date: "2031-04-07T08:00Z" });
    for (let sent = 0; sent < 2; sent += 1) {
      await page.goto(`/ask/${date}`);
      await page.getByLabel("Your name").fill("Ben");
      await page.getByLabel("E-mail").fill("ben@mail.example");
      await page.getByRole("button", { name: "Ask for this place" }).click();
      await page.getByRole("heading", { level: 1, name: "Thank you, we have your request" }).waitFor();
    }
    // This site has no mail server.
    expect(await page.getByText("We send you an e-mail").count()).toBe(0);
    const { count } = await office.from("enquiries").select("id", { count: "exact", head: true }).eq("course_id", date);
    expect(count).toBe(1);
  });

  test.each<[what: string, values: object, link: string, button: string, answer: string]>([
    ["five places", { capacity: 12 }, "Ask for this place", "Ask for this place", "Thank you, we have your request"],
    ["a place on a full date", { status: "full" }, "Waiting list", "Join the waiting list", "You are on the waiting list"],
  ])("asking for %s takes two taps from home", async (what, values, link, button, answer) => {
    const places = what === "five places" ? 5 : 1;
    await office.from("course_dates").delete().lt("course_date", "2031-01-01T00:00Z");
    const date = await addDate({ course_date: "2030-12-02T09:00Z", ...values });
    await page.goto("/");
    await follow(page, page.locator("#dates li").first().getByRole("link", { name: link }));
    await page.getByLabel("Your name").fill("Cleo");
    await page.getByLabel("E-mail").fill("cleo@mail.example");
    await page.getByLabel("Places").fill(String(places));
    await follow(page, page.getByRole("button", { name: button }));
    await page.getByRole("heading", { level: 1, name: answer }).waitFor();
    const table = link === "Waiting list" ? "waiting_list" : "enquiries";
    const { data } = await office.from(table).select("name, places").eq("course_id", date);
    expect(data).toEqual([{ name: "Cleo", places }]);
  });

  test.each([
    ["This date was cancelled", { status: "cancelled" }],
    ["This date was postponed", { status: "postponed" }],
    ["This date has passed", { course_date: "2020-03-02T09:00Z" }],
  ])("the page says “%s” and has no form", async (title, values) => {
    await page.goto(`/ask/${await addDate(values)}`);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    expect(
      await page
        .locator("form[method=post]")
        .filter({ has: page.getByLabel("Your name") })
        .count(),
    ).toBe(0);
    expect(await page.getByRole("main").getByRole("link", { name: provider.phone }).count()).toBe(1);
  });

  test("the page of a date that does not exist is not found, and search engines list no page of a date", async () => {
    for (const id of [crypto.randomUUID(), "tomorrow"]) expect((await fetch(`${site.url()}/ask/${id}`)).status).toBe(404);
    const response = await fetch(`${site.url()}/ask/${await addDate()}`);
    expect([response.headers.get("cache-control"), await response.text()]).toEqual(["no-store", expect.stringContaining("noindex")]);
  });
});
