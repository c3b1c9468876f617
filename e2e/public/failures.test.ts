import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { provider } from "content/provider.ts";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startProcess, type RunningProcess } from "../support/product.ts";
import { follow, hydrated, openPublicSite, PHONE } from "../support/public-site.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_trouble-0123456789abcdef", SECRET_KEY: "sb_secret_trouble-0123456789abcdef" };

const site = openPublicSite(KEYS);
const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
let office: SupabaseClient;

beforeAll(async () => {
  office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
});

describe("an enquiry", () => {
  test("from a bot gets the usual thanks and is not stored", async () => {
    const body = new URLSearchParams({
      name: "Bot",
      reply_to: "bot@mail.example",
      course: "",
      message: "Buy",
      website: "https://x.example",
    });
    const answer = await fetch(`${site.url()}/enquiry`, { method: "POST", body, redirect: "manual", headers: { Origin: site.url() } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/enquiry/thanks"]);
    expect((await office.from("enquiries").select("id")).data).toEqual([]);
  });

  test("is sent with the form of an external service, which is loaded only when the visitor opens it", async () => {
    await using embedding = await startProcess("server/build/site.js", {
      SUPABASE_URL: site.url(),
      SUPABASE_PUBLISHABLE_KEY: KEYS.PUBLISHABLE_KEY,
      ENQUIRY_FORM_URL: "https://forms.example/larkfell",
    });
    const visitor = await site.open({ baseURL: embedding.url });
    const requested: string[] = [];
    await visitor.route("https://forms.example/**", (route) => {
      requested.push(route.request().url());
      return route.fulfill({ contentType: "text/html", body: "<label>Your name <input></label>" });
    });
    await visitor.goto("/");
    await visitor.getByText("The form is run by forms.example").scrollIntoViewIfNeeded();
    const open = visitor.getByRole("link", { name: "Open the enquiry form" });
    expect(await open.getAttribute("href")).toBe("https://forms.example/larkfell");
    expect(requested).toEqual([]);
    await hydrated(visitor);
    await open.click();
    await visitor.frameLocator("iframe[title='Enquiry form']").getByLabel("Your name").waitFor();
    expect(requested).toEqual(["https://forms.example/larkfell"]);
    await visitor.goto("/enquiry?course=cctv");
    expect(await visitor.locator("main form").count()).toBe(0);
    expect(requested).toHaveLength(1);
    await open.focus();
    await visitor.keyboard.press("Enter");
    await visitor.frameLocator("iframe[title='Enquiry form']").getByLabel("Your name").waitFor();
    expect(await visitor.evaluate(() => document.activeElement?.getAttribute("title"))).toBe("Enquiry form");
    expect(requested).toHaveLength(2);
    await visitor.context().close();
  });

  test.each(["/enquiry", "/ask"])(
    "that is sent from %s without a connection keeps its text on the page, which says that nothing was sent",
    async (path) => {
      const visitor = await site.open({ viewport: PHONE });
      await visitor.goto("/dates");
      if (path === "/enquiry") await visitor.goto(path);
      else await follow(visitor, visitor.getByRole("link", { name: "Ask for this place" }).first());
      const [question, button] =
        path === "/enquiry" ? ["Your question", "Send your question"] : ["Anything we should know?", "Ask for this place"];
      await visitor.getByLabel("Your name").fill("Ada");
      await visitor.getByLabel("E-mail").fill("ada@mail.example");
      await visitor.getByLabel(question).fill("May I park there?");
      await visitor.context().setOffline(true);
      for (let taps = 0; taps < 2; taps += 1) await visitor.getByRole("button", { name: button }).click();
      const alert = visitor.getByRole("main").getByRole("alert");
      expect(await alert.allInnerTexts()).toEqual(["You are offline, so nothing was sent. Try again when you are connected."]);
      await visitor.context().setOffline(false);
      await alert.waitFor({ state: "detached" });
      expect(await visitor.getByLabel("Your name").inputValue()).toBe("Ada");
      expect(await visitor.getByLabel(question).inputValue()).toBe("May I park there?");
      await visitor.context().close();
    },
  );

  test("is stored once if it is sent again, and the sixth different one within ten minutes is refused", async () => {
    function send(message: string): Promise<Response> {
      const body = new URLSearchParams({ name: "Sam", reply_to: "sam@reed.example", course: "", message });
      return fetch(`${site.url()}/enquiry`, { method: "POST", body, redirect: "manual", headers: { Origin: site.url() } });
    }
    for (let sent = 0; sent < 3; sent += 1) expect((await send("Question 0")).status).toBe(303);
    const { data } = await office.from("enquiries").select("message").eq("name", "Sam");
    expect(data).toEqual([{ message: "Question 0" }]);
    const statuses: number[] = [];
    for (let sent = 1; sent < 6; sent += 1) statuses.push((await send(`Question ${sent}`)).status);
    expect(statuses).toEqual([303, 303, 303, 303, 429]);
    expect(await (await send("Question 6")).text()).toContain("Please wait ten minutes");
  });
});

describe("without a backend", () => {
  let alone: RunningProcess;
  let visitor: Page;
  beforeAll(async () => {
    const env = { SUPABASE_URL: "http://127.0.0.1:9", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_nobody" };
    alone = cleanup.use(await startProcess("server/build/site.js", env, { healthPath: "/robots.txt" }));
    visitor = await site.open({ baseURL: alone.url });
  });

  test.each([
    ["/", 200, "No upcoming courses scheduled at the moment."],
    ["/cctv", 200, "No dates are set for this course at the moment."],
    ["/blog", 503, "Failed to load blog posts. Please try again later."],
    ["/blog/anything", 503, "Failed to load blog post. Please try again later."],
    ["/nowhere", 404, "Page not found"],
  ])("%s shows a message and the phone number", async (path, status, words) => {
    const answer = await visitor.goto(path);
    expect(answer?.status()).toBe(status);
    await visitor.getByRole("main").getByText(words).waitFor();
    expect(await visitor.getByRole("main").getByRole("link", { name: provider.phone }).first().getAttribute("href")).toBe(
      provider.phoneHref,
    );
  });

  test("/health reports the failure, and a page that fails says when to retry", async () => {
    expect((await fetch(`${alone.url}/health`)).status).toBe(503);
    const post = await fetch(`${alone.url}/blog/x`);
    expect([post.status, post.headers.get("retry-after")]).toEqual([503, "5"]);
  });

  test("a calendar file that fails shows the phone number", async () => {
    const calendar = await fetch(`${alone.url}/calendar/${crypto.randomUUID()}.ics`);
    expect([calendar.status, calendar.headers.get("content-type")]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(await calendar.text()).toContain(`call us on ${provider.phone}`);
  });

  test("an enquiry that cannot be stored keeps its text on the page", async () => {
    await visitor.goto("/enquiry");
    await visitor.getByLabel("Your name").fill("Sam");
    await visitor.getByLabel("E-mail or phone").fill("sam@reed.example");
    await visitor.getByLabel("Your question").fill("When is the next one?");
    await visitor.getByRole("button", { name: "Send your question" }).click();
    await visitor.getByText("Your question could not be sent just now.").waitFor();
    expect(await visitor.getByRole("alert").getByRole("list").count()).toBe(0);
    expect(await visitor.getByLabel("Your question").inputValue()).toBe("When is the next one?");
  });

  test.each([
    ["that cannot be stored", 503, "Your request could not be sent just now.", { phone: "07700 900123" }],
    ["with a mistake", 422, "Please give an e-mail address or a phone number", {}],
  ])("a request for places %s keeps its text on the page", async (_what, status, words, values) => {
    const body = new URLSearchParams({ name: "Sam", places: "1", message: "My firm pays.", ...values });
    const answer = await fetch(`${alone.url}/ask/${crypto.randomUUID()}`, { method: "POST", body, headers: { Origin: alone.url } });
    expect(answer.status).toBe(status);
    await visitor.setContent(await answer.text());
    await visitor.getByText(words).first().waitFor();
    expect(await visitor.getByLabel("Your name").inputValue()).toBe("Sam");
    expect(await visitor.getByLabel("Anything we should know?").inputValue()).toBe("My firm pays.");
  });
});
