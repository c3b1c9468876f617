import { readFile } from "node:fs/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, clientOf, openPortal, testScreen, visit } from "../support/portal.ts";
import { refuseRequests } from "../support/refuse-requests.ts";

describe("the settings", () => {
  const portal = openPortal();
  beforeAll(() => addDate(portal(), "2031-03-03T09:00", 2, { name: "Ada Fell", email: "ada@mail.example" }));

  test("the office switches holding on, and the next request holds its place until a time that the visitor and the office see", async () => {
    const page = portal();
    await visit(page, "/admin/settings");
    await page.getByLabel("Hold places").selectOption("48 hours");
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await page.getByText("New requests hold their places for 48 hours.").waitFor();
    const visitor = await page.context().newPage();
    await visitor.goto("/cctv");
    await visitor
      .getByRole("link", { name: /^Ask for this Place/ })
      .first()
      .click();
    await visitor.getByText("We hold your place for 48 hours where we can").waitFor();
    await visitor.getByLabel("Your name").fill("Eve Mell");
    await visitor.getByLabel("Phone").fill("07700 900 123");
    await visitor.getByRole("button", { name: "Ask for this place" }).click();
    await visitor.getByText(/We hold your place until \w+day \d+ \w+ \d{4}, \d\d:\d\d\./).waitFor();
    await visitor.close();
    await page.reload();
    await expect.poll(() => page.getByLabel("Hold places").inputValue()).toBe("48");
    await visit(page, "/admin/enquiries");
    await page.getByRole("row", { name: /Eve Mell.*held until/s }).waitFor();
  });

  test("a setting that cannot be read or saved is reported, and the next try reads and saves it", async () => {
    const page = portal();
    await page.route("**/rest/v1/rpc/hold_hours", (route) => route.abort());
    await visit(page, "/admin/settings");
    await page.getByText("Unexpected error fetching settings. Please try again.").waitFor();
    await page.unroute("**/rest/v1/rpc/hold_hours");
    await page.getByRole("button", { name: "Try Again" }).click();
    await page.getByLabel("Hold places").selectOption("24 hours");
    await refuseRequests(page, "**/rest/v1/rpc/set_hold_hours*", "/rest/v1/rpc/set_hold_hours?probe");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(/^Failed to save/).waitFor();
    expect(await page.getByLabel("Hold places").inputValue()).toBe("24");
    await page.unroute("**/rest/v1/rpc/set_hold_hours*");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("New requests hold their places for 24 hours.").waitFor();
  });

  test("the settings export each table with all columns and rows as they are stored, also an empty one", async () => {
    const page = portal();
    const staff = await clientOf(page);
    const { data: stored } = await staff.from("enquiries").select("*").order("id");
    const [first] = stored ?? [];
    await visit(page, "/admin/settings");
    const lines = async (name: string): Promise<string[]> => {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: `Export all: ${name}`, exact: true }).click();
      return (await readFile(await (await downloading).path(), "utf8")).replace("\uFEFF", "").split("\r\n").slice(0, -1);
    };
    const enquiries = await lines("Enquiries");
    expect(enquiries).toHaveLength(1 + (stored?.length ?? 0));
    expect(enquiries[0]).toBe(
      Object.keys(first)
        .map((name) => `"${name}"`)
        .join(","),
    );
    expect(enquiries[1]).toContain(`"${first.id}"`);
    expect(enquiries[1]).toContain(`"${first.created_at}"`);
    for (const name of ["Course dates", "Letters", "Templates of letters", "Blog posts", "History", "Accounts"])
      expect((await lines(name)).length, name).toBeGreaterThan(1);
    for (const name of ["Bookings", "Waiting lists", "Account activity"]) {
      const button = page.getByRole("button", { name: `Export all: ${name}`, exact: true });
      const done = page.getByText(new RegExp(`There are no ${name.toLowerCase()} to export|Exported ${name.toLowerCase()}`));
      await button.click();
      await done.waitFor();
    }
  });

  testScreen("the settings", portal, async (page) => {
    await visit(page, "/admin/settings");
    await page.getByLabel("Hold places").waitFor();
  });
});
