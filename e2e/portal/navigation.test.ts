import { describe, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { areas } from "../../site/app/portal/areas.ts";
import { openPortal, testScreen, visit } from "../support/portal.ts";

describe("the navigation", () => {
  const portal = openPortal();

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

  test("the profile names the version of the program", async () => {
    await visit(portal(), "/admin/profile");
    await portal().getByText(`Version ${packageJson.version}`, { exact: true }).waitFor();
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
