import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { areas } from "../../site/app/portal/areas.ts";
import { violations } from "../support/axe.ts";
import { focusInView } from "../support/keyboard.ts";
import { delayReact, LATE_MS } from "../support/late-rendering.ts";
import { addDate, focused, openPortal, testScreen, visit } from "../support/portal.ts";
import { holdBack } from "../support/refuse-requests.ts";
import { newQuietWindow } from "../support/windows.ts";

const portal = openPortal();

describe("the navigation", () => {
  test("every area has the links to all others, to the dashboard and to the profile", async () => {
    const page = portal();
    const shorts = areas.map(({ short }) => short);
    await page.goto("/admin");
    const links = page.getByRole("navigation", { name: "Portal" }).getByRole("link");
    for (const { short, title } of areas) {
      await links.filter({ hasText: short }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      const names = await links.allInnerTexts();
      expect(names.map((name) => name.trim()).toSorted()).toEqual(["Today", "Profile", ...shorts].toSorted());
      expect(await page.locator("nav [aria-current=page]").innerText()).toBe(short);
      await expect.poll(() => page.locator("nav [aria-current=page] use").evaluate(drawnWidth)).toBeGreaterThan(10);
      expect(await page.getByRole("link", { name: "Back to Dashboard" }).isVisible()).toBe(true);
    }
    await links.filter({ hasText: "Today" }).click();
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });

  test("it counts the new enquiries", async () => {
    const page = portal();
    const link = page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: /^Enquiries/ });
    await visit(page, "/admin/enquiries");
    for (const name of ["Ben Moor", "Ada Fell"]) {
      await page.getByRole("button", { name: "New enquiry" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByLabel("E-mail or phone").fill("07700 900123");
      await page.getByRole("form").getByLabel("Question").fill("When is the next one?");
      await page.getByRole("button", { name: "Add enquiry" }).click();
      await page.getByText(`Enquiry of ${name} added.`).waitFor();
    }
    await expect.poll(() => link.innerText()).toMatch(/2\s+new/);
    await page.getByLabel(/^Status of Ben Moor/).selectOption("Called");
    await expect.poll(() => link.innerText()).toMatch(/1\s+new/);
  });

  test("it shows the name of the person once it is saved, which is the author of a new post", async () => {
    const page = portal();
    const navigation = page.getByRole("navigation", { name: "Portal" });
    await visit(page, "/admin/profile");
    await navigation.getByText("jo@larkfell-training.example").waitFor();
    await page.getByLabel("Your name").fill("Jo Airey");
    await page.getByRole("button", { name: "Save name" }).click();
    await navigation.getByText("Jo Airey", { exact: true }).waitFor();
    await navigation.getByRole("link", { name: "Blog" }).click();
    await page.getByRole("button", { name: "New post" }).click();
    expect(await page.getByLabel("Author").inputValue()).toBe("Jo Airey");
    await page.getByRole("button", { name: "Cancel" }).click();
  });

  test("opens the next page without a full load if the data of the page is reloaded meanwhile", async () => {
    const page = portal();
    const loadedAt = (): Promise<number> => page.evaluate(() => performance.timeOrigin);
    await visit(page, "/admin/bookings");
    await page.evaluate(() => {
      const send = globalThis.fetch;
      globalThis.fetch = (input, init) => {
        const { href } = new URL(input instanceof Request ? input.url : input, location.href);
        // The profile is being loaded.
        if (href.endsWith("/auth/v1/user")) {
          globalThis.fetch = send;
          void globalThis.__reactRouterDataRouter?.revalidate();
        }
        return send(input, init);
      };
    });
    const before = await loadedAt();
    await visit(page, "/admin/profile");
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("My profile");
    expect(await loadedAt()).toBe(before);
  });

  test("the profile names the version of the program", async () => {
    await visit(portal(), "/admin/profile");
    await portal().getByText(`Version ${packageJson.version}`, { exact: true }).waitFor();
  });

  test("on a phone the navigation covers no control that Tab reaches", async () => {
    const page = portal();
    await page.setViewportSize({ width: 360, height: 740 });
    await visit(page, "/admin/profile");
    await page.getByLabel("Your name").focus();
    const hidden: string[] = [];
    for (let focus = await focusInView(page); focus.isInMain; focus = await focusInView(page)) {
      if (!focus.isInView) hidden.push(focus.name);
      await page.keyboard.press("Tab");
    }
    expect(hidden).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("on a phone the other areas are under More, which closes when one is opened by keyboard", async () => {
    const page = portal();
    await page.setViewportSize({ width: 360, height: 760 });
    await visit(page, "/admin/bookings");
    const blog = page.getByRole("link", { name: "Blog" });
    await page.getByRole("button", { name: "Logout" }).waitFor();
    expect(await blog.isVisible()).toBe(false);
    await page.getByRole("button", { name: "More" }).press("Enter");
    await blog.press("Enter");
    await page.getByRole("heading", { name: "Blog Management" }).waitFor();
    expect(await blog.isVisible()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  testScreen("the navigation of a phone with More open", portal, async (page) => {
    await visit(page, "/admin/statistics");
    await page.getByText("Unique Visitors").waitFor();
    await page.setViewportSize({ width: 360, height: 760 });
    await page.getByRole("button", { name: "More" }).click();
  });
});

describe("the search", () => {
  test("opens with a key, finds while typing in one request, and opens a result by the arrow keys and Enter", async () => {
    const page = portal();
    await addDate(page, "2031-03-03T09:00", 9, { name: "Ada O'Fell" });
    const requests: string[] = [];
    page.on("request", (request) => request.url().includes("search_portal") && requests.push(request.url()));
    await page.clock.install();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("searchbox", { name: "Search" }).waitFor();
    // A busy machine could take longer between two keys than the pause after which a search starts.
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const key of "ofell") {
      await page.keyboard.press(key);
      await page.clock.runFor(10);
    }
    await page.clock.resume();
    await dialog
      .getByRole("region", { name: "People" })
      .getByRole("link", { name: /Ada O'Fell/ })
      .waitFor();
    expect(requests).toEqual([expect.stringContaining("search_portal")]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/bookings?date=**");
    await page.getByRole("row", { name: /Ada O'Fell/ }).waitFor();
    expect(await dialog.isVisible()).toBe(false);
  });

  test("opens the booking of a person beside the list of its date, with the focus, also on the page of bookings", async () => {
    const page = portal();
    const panel = page.getByRole("region", { name: "Ada O'Fell", exact: true });
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent);
    for (const path of ["/admin/blog", "/admin/bookings"]) {
      await visit(page, path);
      await page.getByRole("button", { name: "Search", exact: true }).press("Enter");
      await page.keyboard.type("ofell");
      await page.keyboard.press("Enter");
      await panel.getByText("Added by").waitFor();
      await expect.poll(focusedText).toBe("Ada O'Fell");
      await page.keyboard.press("Escape");
      await panel.waitFor({ state: "detached" });
    }
  });

  test("opens with a key that is pressed as soon as its button appears, also when React renders late", async () => {
    const page = await newQuietWindow(portal());
    await page.addInitScript(delayReact, LATE_MS);
    await page.goto("/admin/blog");
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).waitFor();
    await page.close();
    await portal().bringToFront();
  });

  test("Enter opens the first result, Escape closes, and a slash in a field is text", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByLabel("Search").press("/");
    expect(await page.getByLabel("Search").inputValue()).toBe("/");
    await page.getByRole("heading", { name: "Bookings" }).click();
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await dialog.waitFor();
    await page.keyboard.type("3 mar 2031");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/bookings?date=**");
  });

  test("opens no result after Enter if it is closed or other words are typed before the results arrive", async () => {
    const page = await newQuietWindow(portal());
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    const dialog = page.getByRole("dialog", { name: "Search" });
    const field = dialog.getByRole("searchbox");
    const isSearch = (message: { url: () => string }): boolean => message.url().includes("/rpc/search_portal");
    for (const isClosed of [false, true]) {
      await page.keyboard.press("Control+k");
      const answer = await holdBack(page, "/rpc/search_portal");
      const sent = page.waitForRequest(isSearch);
      await field.fill("bookings");
      await page.keyboard.press("Enter");
      await sent;
      if (isClosed) {
        await dialog.evaluate((element: HTMLDialogElement) => element.close());
        await dialog.waitFor({ state: "detached" });
        await page.keyboard.press("Control+k");
      }
      await field.fill("settings");
      const answered = page.waitForResponse(isSearch);
      answer();
      await (await answered).finished();
      await dialog.getByText("1 result", { exact: true }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/admin/blog");
      await dialog.evaluate((element: HTMLDialogElement) => element.close());
    }
    await page.close();
  });

  test("opens the form of a new booking on the page of bookings too, every time, and a reload does not open it again", async () => {
    const page = portal();
    const form = page.getByRole("form", { name: "New booking" });
    await visit(page, "/admin/bookings?when=all");
    await page.getByRole("row", { name: /Ada O'Fell/ }).waitFor();
    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Search" }).getByRole("searchbox").fill("new booking");
      await page.keyboard.press("Enter");
      await form.waitFor();
      await focused(page, "name");
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await form.waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toBe("");
    }
    await page.reload();
    await page.getByRole("row", { name: /Ada O'Fell/ }).waitFor();
    expect(await form.count()).toBe(0);
  });

  testScreen("the search", portal, async (page) => {
    await visit(page, "/admin");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.keyboard.type("cctv");
    await page.getByRole("dialog").getByText("Course dates").waitFor();
  });
});

/** The width of a symbol; 0 if it does not exist. */
function drawnWidth(use: Element): number {
  return use instanceof SVGGraphicsElement ? use.getBBox().width : 0;
}
