import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { codeOf, secretShown } from "../support/authenticator.ts";
import { browserOf, openPage } from "../support/browser.ts";
import { comeBack, inviteColleague } from "../support/windows.ts";
import { violations } from "../support/axe.ts";
import { continueUnsaved, focused, openPortal, testScreen, visit } from "../support/portal.ts";
import { STAFF } from "../support/product.ts";

/** Interval between the checks of the session. */
const CHECK_INTERVAL_MS = 15_000;

describe("staff", () => {
  const portal = openPortal();
  const colleague = { email: "ada@larkfell-training.example", password: "over the second stile" };
  const secondColleague = { email: "ben@larkfell-training.example", password: "along the old drove road" };
  let inviter: Page;
  let ada: Page;

  beforeAll(async () => {
    inviter = portal();
    ada = await newBrowser();
  });

  /** Opens a page in a fresh browser context, for another person. */
  async function newBrowser(): Promise<Page> {
    const page = await openPage(browserOf(inviter), { baseURL: new URL(inviter.url()).origin, bypassCSP: true });
    page.on("pageerror", (error) => {
      throw error;
    });
    return page;
  }

  test("a colleague is invited by link, chooses a password with the keyboard alone and is signed in", async () => {
    await visit(inviter, "/admin/staff");
    await inviter.getByRole("row", { name: /jo@larkfell-training\.example \(you\).*Active.*No/s }).waitFor();
    await inviter.getByRole("button", { name: "Invite" }).focus();
    await inviter.keyboard.press("Enter");
    await focused(inviter, "email");
    await inviter.keyboard.type(colleague.email);
    await inviter.keyboard.press("Tab");
    await inviter.keyboard.type("Ada Fell");
    await inviter.keyboard.press("Enter");
    await inviter.getByText(`${colleague.email} is invited. Hand over the link below.`).waitFor();
    const link = await inviter.getByLabel("Link", { exact: true }).inputValue();
    expect(link.startsWith(`${new URL(inviter.url()).origin}/admin/password#`)).toBe(true);
    await inviter.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await inviter.getByRole("button", { name: "Copy link" }).click();
    await inviter.getByText("Copied.").waitFor();
    expect(await inviter.evaluate(() => navigator.clipboard.readText())).toBe(link);
    expect(await violations(inviter)).toEqual([]);
    await inviter.getByRole("button", { name: "Hide link" }).press("Enter");
    await inviter.locator(":focus", { hasText: "The link is hidden." }).waitFor();
    await inviter.reload();
    await inviter.getByRole("row", { name: /Ada Fell.*Invited.*Never/s }).waitFor();
    expect(await inviter.getByLabel("Link", { exact: true }).count()).toBe(0);

    await ada.goto(link);
    await ada.getByRole("button", { name: "Open my account" }).waitFor();
    expect(await violations(ada)).toEqual([]);
    await ada.getByRole("button", { name: "Open my account" }).focus();
    await ada.keyboard.press("Enter");
    await ada.getByRole("heading", { name: "Choose a password" }).waitFor();
    await ada.keyboard.press("Tab");
    await focused(ada, "password");
    expect(ada.url()).toBe(link.replace(/#.*/, ""));
    await ada.keyboard.type("too short");
    await ada.keyboard.press("Tab");
    await ada.keyboard.press("Tab");
    await ada.keyboard.type("too short");
    await ada.keyboard.press("Enter");
    await ada.getByText("Choose a password of at least 10 characters.").waitFor();
    await ada.getByLabel("Password", { exact: true }).fill(colleague.password);
    await ada.getByLabel("Repeat password").fill(`${colleague.password}s`);
    await ada.keyboard.press("Enter");
    await ada.getByText("The two passwords differ.").waitFor();
    expect(await violations(ada)).toEqual([]);
    await ada.getByLabel("Repeat password").fill(colleague.password);
    await ada.keyboard.press("Enter");
    await ada.getByRole("heading", { name: "Admin Dashboard" }).waitFor();

    const late = await newBrowser();
    await late.goto(link);
    await late.getByRole("button", { name: "Open my account" }).click();
    await late.getByText("This link has expired or was used before.").waitFor();
    expect(await violations(late)).toEqual([]);
    await late.context().close();
  });

  test("she changes her name and her password, and sees her sessions", async () => {
    await ada.getByRole("link", { name: `My profile, ${colleague.email}` }).click();
    await ada.getByLabel("Your name").fill("Ada Fellside");
    await ada.keyboard.press("Enter");
    await ada.getByText("Name saved.").waitFor();
    await ada.getByText("This site has no mail server").waitFor();
    await ada.getByText(/Chrome on .*\(this one\)/).waitFor();
    // The service does not ask for the password in the session that the invitation opened.
    const current = ada.getByLabel("Current password");
    expect(await current.count()).toBe(0);
    await ada.getByRole("button", { name: "Logout" }).click();
    await signInAs(ada, colleague);
    await ada.getByRole("link", { name: `My profile, ${colleague.email}` }).click();
    await current.fill("over the wrong stile");
    await ada.getByLabel("New password", { exact: true }).fill(colleague.password);
    await ada.getByLabel("Repeat new password").fill(colleague.password);
    await ada.getByRole("button", { name: "Change password" }).click();
    await ada.getByText("That is not your current password.").waitFor();
    await focused(ada, "current_password");
    await current.fill(colleague.password);
    await ada.getByRole("button", { name: "Change password" }).click();
    await ada.getByText("New password should be different from the old password.").waitFor();
    colleague.password = "over the third stile";
    await ada.getByLabel("New password", { exact: true }).fill(colleague.password);
    await ada.getByLabel("Repeat new password").fill(colleague.password);
    await ada.getByRole("button", { name: "Change password" }).click();
    await ada.getByText("Password changed.").waitFor();
    expect(await violations(ada)).toEqual([]);
  });

  test("signing out everywhere else ends the session of the other browser at its next focus, and keeps this one", async () => {
    const elsewhere = await newBrowser();
    await elsewhere.goto("/admin");
    await signInAs(elsewhere, colleague);
    await elsewhere.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await ada.reload();
    await ada.getByRole("button", { name: "Sign out everywhere else" }).click();
    await ada.getByRole("dialog").getByRole("button", { name: "Sign out everywhere else" }).click();
    await ada.getByText("All other devices were signed out.", { exact: true }).waitFor();
    await comeBack(elsewhere);
    await elsewhere.getByRole("heading", { name: "Admin Login" }).waitFor();
    await elsewhere.context().close();
    await expect.poll(() => ada.getByRole("listitem").filter({ hasText: "Last used" }).count()).toBe(1);
  });

  test("she sets up a second factor, and the next sign-in asks for its code", async () => {
    await secretShown(ada, "Phone");
    await ada.getByRole("button", { name: "Cancel" }).press("Enter");
    await focused(ada, "device");
    const secret = await secretShown(ada, "Phone");
    expect(await violations(ada)).toEqual([]);
    await focused(ada, "code");
    await ada.keyboard.type("000000");
    await ada.keyboard.press("Enter");
    await ada.getByText("That code is wrong or has expired.").waitFor();
    await ada.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await ada.keyboard.press("Enter");
    await ada.getByText("Your sign-in code is set up.").waitFor();
    await ada.getByText(/^Phone, since/).waitFor();

    await ada.getByRole("button", { name: "Logout" }).click();
    await signInAs(ada, colleague);
    await ada.getByRole("heading", { name: "Enter your code" }).waitFor();
    await focused(ada, "code");
    expect(await violations(ada)).toEqual([]);
    await ada.goto("/admin/bookings");
    await ada.getByRole("heading", { name: "Enter your code" }).waitFor();
    await focused(ada, "code");
    await ada.keyboard.type(codeOf(secret, 1));
    await ada.keyboard.press("Enter");
    await ada.getByRole("heading", { level: 1, name: "Bookings" }).waitFor();
  });

  test("after a colleague removes her second factor, the page that asks for a code lets her in", async () => {
    await ada.getByRole("button", { name: "Logout" }).click();
    await signInAs(ada, colleague);
    await ada.getByRole("heading", { name: "Enter your code" }).waitFor();
    await inviter.reload();
    await inviter.getByRole("row", { name: /Ada Fellside.*Active.*Yes/s }).waitFor();
    await inviter.getByRole("button", { name: `Turn off sign-in code Ada Fellside, ${colleague.email}` }).click();
    expect(await violations(inviter)).toEqual([]);
    await inviter.getByRole("dialog").getByRole("button", { name: "Turn off sign-in code" }).click();
    await inviter.getByText(`${colleague.email} signs in with the password alone now.`).waitFor();
    await comeBack(ada);
    await ada.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });

  test("a forgotten password is reset by a link, which takes the code of a second factor too", async () => {
    // For a day after a sign-in code was turned off, only a colleague whose account is older than a day can make the link.
    await inviter.getByRole("button", { name: `Reset password Ada Fellside, ${colleague.email}` }).click();
    await inviter.getByText("This person’s sign-in code was turned off in the last 24 hours.").waitFor();

    const secondPage = await inviteColleague(inviter, secondColleague);
    await visit(secondPage, "/admin/profile");
    const secret = await secretShown(secondPage, "New phone");
    await secondPage.getByLabel("Code", { exact: true }).fill(codeOf(secret));
    await secondPage.keyboard.press("Enter");
    await secondPage.getByText("Your sign-in code is set up.").waitFor();
    await secondPage.context().close();

    const ben = await newBrowser();
    await ben.goto("/admin");
    await ben.getByRole("link", { name: "Forgotten your password?" }).click();
    await ben.getByText("Ask a colleague to send you a new link, under Staff.").waitFor();
    expect(await violations(ben)).toEqual([]);
    await inviter.reload();
    await inviter.getByRole("button", { name: `Reset password ${secondColleague.email}` }).click();
    await inviter.getByText(`There is a new link for ${secondColleague.email}.`).waitFor();
    await ben.goto(await inviter.getByLabel("Link", { exact: true }).inputValue());
    await ben.getByRole("button", { name: "Open my account" }).click();
    await ben.getByRole("heading", { name: "Enter your code" }).waitFor();
    await ben.getByLabel("Code", { exact: true }).fill(codeOf(secret, 1));
    await ben.keyboard.press("Enter");
    const password = "over the fourth stile";
    await ben.getByLabel("Password", { exact: true }).fill(password);
    await ben.getByLabel("Repeat password").fill(password);
    await ben.keyboard.press("Enter");
    await ben.getByRole("heading", { name: "Admin Dashboard" }).waitFor();

    await visit(ben, "/admin/profile");
    await ben.getByRole("button", { name: "Remove New phone" }).click();
    await ben.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await ben.getByText("The device is removed.").waitFor();
    await ben.getByRole("button", { name: "Set up a sign-in code" }).waitFor();
    await ben.context().close();
  });

  test("a disabled account is signed out at once, keeps its unsaved form, and returns when enabled", async () => {
    await ada.clock.install();
    await ada.goto("/admin/blog");
    await ada.getByRole("button", { name: "New post" }).click();
    await ada.getByLabel("Title").fill("Half a post");
    await inviter.getByRole("button", { name: `Disable Ada Fellside, ${colleague.email}` }).click();
    await inviter.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await inviter.getByText(`${colleague.email} is disabled, and signed out everywhere.`).waitFor();
    await ada.clock.fastForward(CHECK_INTERVAL_MS);
    await signInAs(ada, colleague);
    await ada.getByText("User is banned").waitFor();
    await inviter.getByRole("button", { name: `Enable Ada Fellside, ${colleague.email}` }).click();
    await inviter.getByText(`${colleague.email} can sign in again.`).waitFor();
    await ada.getByRole("button", { name: "Sign in" }).click();
    await ada.getByRole("heading", { level: 1, name: "Blog Management" }).waitFor();
    await continueUnsaved(ada);
    await expect.poll(() => ada.getByLabel("Title").inputValue()).toBe("Half a post");
  });

  test("a removed account disappears, and the account activity lists every change", async () => {
    await inviter.getByRole("button", { name: `Remove Ada Fellside, ${colleague.email}` }).click();
    await inviter.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await inviter.getByText(`The account of ${colleague.email} is removed.`).waitFor();
    await inviter.getByRole("row", { name: /Ada Fellside/ }).waitFor({ state: "detached" });
    await inviter.getByText("Account activity").click();
    for (const what of ["invited", "turned off the sign-in code of", "disabled", "enabled", "removed"])
      await inviter.getByText(`${STAFF.email} ${what} ${colleague.email}`).waitFor();
    await inviter.getByText(`${STAFF.email} made a link for ${secondColleague.email}`).waitFor();
    await comeBack(ada);
    await ada.getByRole("heading", { name: "Admin Login" }).waitFor();
  });

  testScreen("the list of staff with an invitation link", portal, async (page) => {
    await visit(page, "/admin/staff");
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@larkfell-training.example`);
    await page.getByRole("form").getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("Link", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Invite" }).click();
  });

  testScreen("the profile during the set-up of a second factor", portal, async (page) => {
    await visit(page, "/admin/profile");
    await page.getByLabel("Device", { exact: true }).fill(crypto.randomUUID());
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: "QR code" }).waitFor();
  });
});

async function signInAs(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole("heading", { name: "Admin Login" }).waitFor();
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
