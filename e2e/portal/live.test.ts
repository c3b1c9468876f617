import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import type { Page, WebSocketRoute } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { allowPolls, inviteColleague, openLive, openWindow, POLL, stopPolls } from "../support/windows.ts";
import { violations } from "../support/axe.ts";
import { addDate, choose, clientOf, focused, openPortal, tomorrow, visit } from "../support/portal.ts";

const SOCKET = "**/realtime/v1/websocket*";
const DELETION = "**/rest/v1/bookings?id=*";
const REST = "**/rest/v1/**";
const LIST = /\/rest\/v1\/course_dates\?select=.*bookings/;

describe("live pages", () => {
  const portal = openPortal();
  const sam = { email: "sam@larkfell-training.example", password: "over the second stile", name: "Sam Tarn" };
  let colleague: Page;
  /** Another window of the person whose page is `portal()`. */
  let other: Page;
  let dateId: string;

  beforeAll(async () => {
    // A page without TLS does not have this function.
    await portal().addInitScript(() => Reflect.deleteProperty(Crypto.prototype, "randomUUID"));
    dateId = await addDate(portal(), `${tomorrow()}T09:00`, 9);
    colleague = await inviteColleague(portal(), sam);
    for (const page of [portal(), colleague]) await stopPolls(page.context());
    await book("Ada Fell");
    // The router keeps the connections: a new one is opened two seconds after a load.
    [other] = await Promise.all([
      openWindow(portal(), "/admin/bookings"),
      openLive(portal(), "/admin"),
      openLive(colleague, "/admin/bookings"),
    ]);
  });

  /** Adds a booking through the API. */
  async function book(name: string): Promise<void> {
    const client = await clientOf(portal());
    const { error } = await client.from("bookings").insert({ course_id: dateId, name });
    expect(error).toBeNull();
  }

  async function enquire(name: string): Promise<void> {
    const client = await clientOf(portal());
    const { error } = await client.from("enquiries").insert({ name, reply_to: "07700 900 142", message: "When is the next one?" });
    expect(error).toBeNull();
  }

  test("a new enquiry appears on the dashboard with a quiet notice, which leaves the focus where it is", async () => {
    const page = portal();
    await visit(page, "/admin");
    const button = page.getByRole("button", { name: "New booking" });
    await button.focus();
    await page
      .getByRole("region", { name: /New enquiries/ })
      .getByText("No new enquiries.")
      .waitFor();
    await enquire("Ben Moor");
    const notice = page.getByRole("status").filter({ hasText: "New enquiry from Ben Moor" });
    await notice.waitFor();
    await page
      .getByRole("region", { name: /New enquiries/ })
      .getByText("Ben Moor")
      .waitFor();
    await page.getByRole("link", { name: "Enquiries 1 new" }).first().waitFor();
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await violations(page)).toEqual([]);
    await enquire("Cal Beck");
    await page.getByText("2 new enquiries, the latest from Cal Beck").waitFor();
    await page.getByRole("button", { name: "Hide" }).click();
    await page.getByText("the latest from Cal Beck").waitFor({ state: "detached" });
  });

  test("shows who else is editing a record, until they close it or their window", async () => {
    const page = portal();
    for (const window of [page, colleague]) {
      await visit(window, "/admin/bookings");
      await window.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    }
    await page.getByText("Sam Tarn is editing this booking.").waitFor();
    await colleague.getByText("jo@larkfell-training.example is editing this booking.").waitFor();
    expect(await violations(page)).toEqual([]);
    await focused(page, "name");
    await colleague.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("Sam Tarn is editing").waitFor({ state: "detached" });
    await colleague.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await page.getByText("Sam Tarn is editing this booking.").waitFor();
    await colleague.goto("about:blank");
    await page.getByText("Sam Tarn is editing").waitFor({ state: "detached" });

    await visit(other, "/admin/bookings");
    await other.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await page.getByText("You are editing this booking in another window too.").waitFor();
    await other.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("a member without a name does not break the page of others, and a long name is cut", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await page.getByLabel("Note").fill("Arrives late");
    const client = await clientOf(page);
    await client.realtime.setAuth();
    const { data } = await client.from("bookings").select("id").eq("name", "Ada Fell").single();
    const channel = client.channel(`portal:editing:bookings:${data?.["id"]}`, { config: { private: true } });
    await new Promise((resolve) => channel.subscribe((status) => status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && resolve(status)));
    for (const member of [
      { userId: "a", name: { first: "Sam" } },
      { userId: 1, name: null },
      { userId: "b", name: "long ".repeat(900) },
    ])
      expect(await channel.track(member)).toBe("ok");
    const note = page.getByText(/^(long )+.{0,5}is editing this booking/);
    await note.waitFor();
    expect((await note.textContent())?.length).toBeLessThan(160);
    expect(await page.getByLabel("Note").inputValue()).toBe("Arrives late");
    await client.removeAllChannels();
    await note.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("the text typed into a form stays while the row behind it changes", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await page.getByLabel("Note").fill("Arrives late");
    const client = await clientOf(page);
    await client.from("bookings").update({ note: "Uses a wheelchair" }).eq("name", "Ada Fell");
    await page.getByRole("row", { name: /Ada Fell.*Uses a wheelchair/s }).waitFor();
    expect(await page.getByLabel("Note").inputValue()).toBe("Arrives late");
    await page.getByRole("button", { name: "Save booking" }).click();
    await page.getByText("Somebody else changed this booking while you were editing it. Note: empty, now Uses a wheelchair.").waitFor();
    expect(await page.getByLabel("Note").inputValue()).toBe("Arrives late");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("a change does not bring back a row that is being deleted", async () => {
    await book("Dee Ghyll");
    const page = portal();
    for (const window of [page, other]) await visit(window, "/admin/bookings");
    const { promise: answer, resolve: letAnswer } = Promise.withResolvers<void>();
    await page.route(DELETION, async (route) => {
      await answer;
      await route.continue();
    });
    await page.getByRole("button", { name: /^Delete Dee Ghyll/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    const row = page.getByRole("row", { name: /Dee Ghyll/ });
    await row.waitFor({ state: "detached" });
    let reloads = 0;
    page.on("request", (request) => {
      if (LIST.test(request.url())) reloads++;
    });
    await book("Eli Sike");
    await other.getByRole("row", { name: /Eli Sike/ }).waitFor();
    // Changes arrive in order: once the window counts the enquiry, it has received the booking.
    const count = page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: /^Enquiries/ });
    const before = await count.innerText();
    await enquire("Flo Carr");
    await expect.poll(() => count.innerText()).not.toBe(before);
    expect(reloads).toBe(0);
    expect(await row.count()).toBe(0);
    letAnswer();
    await page.getByText("Booking deleted.").waitFor();
    await page.getByRole("row", { name: /Eli Sike/ }).waitFor();
    expect(await row.count()).toBe(0);
    expect(reloads).toBeGreaterThan(0);
    await page.unroute(DELETION);
  });

  // The main journey tests two of these windows on every deployment.
  test("a booking taken in one window lowers the places in every open window, and typed text stays", async () => {
    const page = portal();
    const day = tomorrow();
    await addDate(page, `${day}T13:00`, 20);
    const [dates, calendar, today, form] = await Promise.all([
      openWindow(page, "/admin/courses"),
      openWindow(page, `/admin/calendar?view=list&day=${day}`),
      openWindow(page, "/admin"),
      openWindow(page, "/admin/bookings?new"),
    ]);
    await dates.getByRole("link", { name: "20 left" }).waitFor();
    await calendar.getByText("0 of 20").waitFor();
    await today.getByText("0 of 20 taken").first().waitFor();
    await form.getByLabel("Name", { exact: true }).fill("Vic Mere");
    await choose(form, "Date", /Lvl 2 CCTV.*: 20 left/);
    await form.getByText("20 of 20 places left").waitFor();
    await form.getByLabel("Note").fill("Vegetarian");

    await visit(page, "/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Una Lund");
    await choose(page, "Date", /Lvl 2 CCTV.*: 20 left/);
    await page.getByLabel("Places", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Add booking" }).click();
    await page.getByText("Booking added for Una Lund:").waitFor();
    await dates.getByRole("link", { name: "18 left" }).waitFor();
    await calendar.getByText("2 of 20").waitFor();
    await today.getByText("2 of 20 taken").first().waitFor();
    await today.getByRole("region", { name: "The next seven days" }).getByText("Una Lund").waitFor();
    await form.getByText("18 of 20 places left").waitFor();
    await form.getByRole("row", { name: /Una Lund/ }).waitFor();
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Vic Mere");
    expect(await form.getByLabel("Note").inputValue()).toBe("Vegetarian");
    await form.getByRole("button", { name: "Add booking" }).click();
    await form.getByText("Booking added for Vic Mere:").waitFor();
    await dates.getByRole("link", { name: "17 left", exact: true }).waitFor();
    await Promise.all([dates, calendar, today, form].map((window) => window.close()));
  });

  test("polls only while there is no connection", async () => {
    await enquire("Eve Pike");
    const page = await portal().context().newPage();
    await allowPolls(page);
    let polls = 0;
    page.on("request", (request) => {
      if (POLL.test(request.url())) polls++;
    });
    await page.clock.install();
    await openLive(page, "/admin/enquiries");
    await page.getByRole("row", { name: /Eve Pike/ }).waitFor();
    polls = 0;
    await page.clock.fastForward(120_000);
    await enquire("Fay Hause");
    await page.getByRole("row", { name: /Fay Hause/ }).waitFor();
    expect(polls).toBe(0);

    const alone = await page.context().newPage();
    await allowPolls(alone);
    await alone.clock.install();
    const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
    await alone.routeWebSocket(SOCKET, (socket) => socket.close().then(refuse));
    await alone.goto("/admin/enquiries");
    await alone.getByRole("row", { name: /Fay Hause/ }).waitFor();
    await refused;
    await enquire("Gus Rigg");
    await alone.clock.fastForward(40_000);
    await alone.getByRole("row", { name: /Gus Rigg/ }).waitFor();
    await Promise.all([page.close(), alone.close()]);
  });

  test("while the service cannot be reached, a list keeps its rows", async () => {
    const page = await portal().context().newPage();
    await allowPolls(page);
    const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
    await page.routeWebSocket(SOCKET, (socket) => socket.close().then(refuse));
    await page.clock.install();
    await page.goto("/admin/bookings");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await refused;
    await page.route(REST, (route) => route.abort());
    let reloads = 0;
    page.on("request", (request) => {
      if (LIST.test(request.url())) reloads++;
    });
    // The second poll comes long after the reload that the first one would cause.
    for (let polls = 0; polls < 2; polls++) {
      const poll = page.waitForEvent("requestfailed", (request) => POLL.test(request.url()));
      await page.clock.fastForward(31_000);
      await poll;
    }
    expect(reloads).toBe(0);
    expect(await page.getByRole("row", { name: /Ada Fell/ }).count()).toBe(1);
    await page.close();
  });

  test("a list and a register that cannot be loaded again keep their rows and show a message", async () => {
    const context = portal().context();
    const [list, register] = [await context.newPage(), await context.newPage()];
    await context.clock.install();
    await Promise.all([openLive(list, "/admin/bookings"), openLive(register, `/admin/courses/${dateId}/register`)]);
    for (const page of [list, register]) {
      await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
      await page.route(LIST, (route) => route.abort());
    }
    await book("Di Garth");
    for (const page of [list, register]) {
      await page.getByText("This list could not be updated.").waitFor();
      expect(await page.getByRole("row", { name: /Ada Fell/ }).count()).toBe(1);
      expect(await page.getByRole("alert").count()).toBe(0);
    }
    // Otherwise a change that arrives now could load the list before the button is pressed.
    await context.clock.pauseAt(Date.now() + 60_000);
    for (const page of [list, register]) {
      await page.unroute(LIST);
      await page.getByRole("button", { name: "Try Again" }).click();
    }
    await context.clock.resume();
    for (const page of [list, register]) {
      await page.getByRole("row", { name: /Di Garth/ }).waitFor();
      expect(await page.getByText("This list could not be updated.").count()).toBe(0);
      await page.close();
    }
  });

  test("after the browser was offline, a list shows the changes that it missed", async () => {
    const page = await portal().context().newPage();
    await allowPolls(page);
    let socket: WebSocketRoute | undefined;
    await page.routeWebSocket(SOCKET, (opened) => {
      socket = opened;
      opened.connectToServer();
    });
    await openLive(page, "/admin/bookings");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await page.clock.install();
    await page.context().setOffline(true);
    await socket?.close();
    await page.clock.fastForward(60_000);
    await book("Hal Dodd");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("row", { name: /Hal Dodd/ }).waitFor();
    await page.close();
  });

  test("after sleep, a connection without messages is replaced, and the list shows the changes that it missed", async () => {
    const page = await portal().context().newPage();
    let isAsleep = false;
    let missed = 0;
    await page.routeWebSocket(SOCKET, (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        if (!isAsleep) socket.send(message);
        else if (message.includes("postgres_changes")) missed++;
      });
      socket.onMessage((message) => isAsleep || server.send(message));
    });
    await page.clock.install();
    await openLive(page, "/admin/bookings");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    isAsleep = true;
    await book("Ida Moss");
    await expect.poll(() => missed).toBeGreaterThan(0);
    await page.clock.fastForward(30_000);
    await page.clock.fastForward(6_000);
    isAsleep = false;
    await page.getByRole("row", { name: /Ida Moss/ }).waitFor();
    await page.close();
  });

  test("a window of a person who signs out closes its connection", async () => {
    const page = await portal().context().newPage();
    const opened = page.waitForEvent("websocket");
    await openLive(page, "/admin/profile");
    const socket = await opened;
    const closed = socket.waitForEvent("close");
    await page.getByRole("button", { name: "Logout" }).click();
    await closed;
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    await page.close();
  });
});
