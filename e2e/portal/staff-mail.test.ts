import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { browserOf, openPage } from "../support/browser.ts";
import { violations } from "../support/axe.ts";
import { focused, openPortal, testScreen, visit } from "../support/portal.ts";
import { STAFF } from "../support/product.ts";
import { startSiteWithMail, type SiteWithMail } from "../support/site-with-mail.ts";
import { comeBack } from "../support/windows.ts";

describe("staff, with a mail server", () => {
  const portal = openPortal(
    async (dataDir) => (site = await startSiteWithMail(dataDir, { MAIL_FROM: "office@larkfell-training.example" })),
  );
  let site: SiteWithMail;
  let inviter: Page;

  beforeAll(() => {
    inviter = portal();
  });

  /** The link in the latest mail to somebody. */
  async function linkTo(mailbox: string): Promise<string> {
    return vi.waitFor(
      () => {
        const mail = site.smtp.received.findLast(({ to }) => to === mailbox);
        const link = /https?:\/\/\S+\/admin\/password#token_hash=\S+/.exec(readable(mail?.raw ?? ""))?.[0];
        if (link === undefined) throw new Error(`no link was mailed to ${mailbox}`);
        return link;
      },
      { timeout: 30_000 },
    );
  }

  function newBrowser(): Promise<Page> {
    return openPage(browserOf(inviter), { baseURL: new URL(inviter.url()).origin, bypassCSP: true });
  }

  test("an invitation is mailed, and its link leads to a password", async () => {
    await visit(inviter, "/admin/staff");
    await inviter.getByRole("button", { name: "Invite" }).click();
    await inviter.getByLabel("E-mail").fill("bea@larkfell-training.example");
    await inviter.getByRole("form").getByRole("button", { name: "Invite" }).click();
    await inviter.getByText("bea@larkfell-training.example is invited. The link is on its way by mail.").waitFor();
    expect(await inviter.getByLabel("Link", { exact: true }).count()).toBe(0);

    const link = await linkTo("bea@larkfell-training.example");
    expect(site.smtp.received.at(-1)?.raw).toContain("From: Larkfell Training <office@larkfell-training.example>");
    // A mail scanner opens the link, with or without scripts.
    expect((await fetch(link)).status).toBe(200);
    const scanner = await newBrowser();
    await scanner.goto(link, { waitUntil: "networkidle" });
    await scanner.context().close();
    await inviter.reload();
    await inviter.getByRole("row", { name: /bea@larkfell-training\.example.*The link works until.*Never/s }).waitFor();
    const bea = await newBrowser();
    await bea.goto(link);
    await bea.getByRole("button", { name: "Open my account" }).click();
    await bea.getByLabel("Password", { exact: true }).fill("over the first stile");
    await bea.getByLabel("Repeat password").fill("over the first stile");
    await bea.keyboard.press("Enter");
    await bea.getByRole("heading", { name: "Admin Dashboard" }).waitFor();

    const late = await newBrowser();
    await late.goto(link);
    await late.getByRole("button", { name: "Open my account" }).click();
    await late.getByText("This link has expired or was used before.").waitFor();
    expect(await violations(late)).toEqual([]);
  });

  test("a forgotten password is reset by mail, or by a link handed over if the mail does not arrive", async () => {
    await visit(inviter, "/admin/staff");
    await inviter.getByRole("button", { name: "Reset password bea@larkfell-training.example" }).click();
    await inviter.getByText("There is a new link for bea@larkfell-training.example. The link is on its way by mail.").waitFor();
    await inviter.getByRole("button", { name: "Reset password bea@larkfell-training.example" }).click();
    await inviter.getByText("Too many mails were sent just now.").waitFor();
    await inviter.getByRole("button", { name: "Copy link instead bea@larkfell-training.example" }).click();
    await inviter.getByText("Hand over the link below.").waitFor();
    const bea = await newBrowser();
    await bea.goto(await inviter.getByLabel("Link", { exact: true }).inputValue());
    await bea.getByRole("button", { name: "Open my account" }).click();
    await bea.getByRole("heading", { name: "Choose a password" }).waitFor();
  });

  test("a forgotten password is reset from the sign-in page by the code in the mail, with the keyboard alone", async () => {
    const page = await newBrowser();
    await page.goto("/admin");
    await page.getByRole("link", { name: "Forgotten your password?" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Choose a password" }).waitFor();
    await page.getByLabel("E-mail").focus();
    await page.keyboard.type("nobody@larkfell-training.example");
    await page.keyboard.press("Enter");
    const sent = "If an account has this address, a mail with a link is on its way.";
    await page.getByText(sent).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Send a new mail" }).click();
    await page.getByLabel("E-mail").fill(STAFF.email);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByText(sent).waitFor();
    await linkTo(STAFF.email);
    const code = /code: (\d{8})/.exec(readable(site.smtp.received.findLast(({ to }) => to === STAFF.email)?.raw ?? ""))?.[1] ?? "";

    const email = page.getByLabel("E-mail");
    expect(await email.inputValue()).toBe(STAFF.email);
    await page.getByLabel("Code from the mail").focus();
    await page.keyboard.type(code === "00000000" ? "11111111" : "00000000");
    await page.keyboard.press("Enter");
    await page.getByText("This code is wrong").waitFor();
    await focused(page, "code");
    expect(await email.inputValue()).toBe(STAFF.email);
    expect(await violations(page)).toEqual([]);
    // The refused code is selected: typing replaces it.
    await page.keyboard.type(`${code.slice(0, 4)} ${code.slice(4)}`);
    await page.keyboard.press("Enter");
    await page.getByText("You sign in with it from now on.").waitFor();
    await page.getByLabel("Password", { exact: true }).focus();
    await page.keyboard.type("too short");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.getByLabel("Password", { exact: true }).getAttribute("type")).toBe("text");
    await page.getByLabel("Repeat password").fill("too short");
    await page.keyboard.press("Enter");
    await page.getByText("Choose a password of at least 10 characters.").waitFor();
    await focused(page, "password");
    await page.keyboard.type(STAFF.password.replace("seven", "eight"));
    await page.getByLabel("Repeat password").fill(STAFF.password.replace("seven", "eight"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();

    // A new password ends all other sessions.
    await visit(inviter, "/admin");
    await comeBack(inviter);
    await inviter.getByLabel("Password").waitFor();
    await inviter.getByLabel("E-mail").fill(STAFF.email);
    await inviter.getByLabel("Password").fill(STAFF.password);
    await inviter.keyboard.press("Enter");
    await inviter.getByText("Invalid login credentials").waitFor();
    await focused(inviter, "password");
    expect(await violations(inviter)).toEqual([]);
    await inviter.keyboard.type(STAFF.password.replace("seven", "eight"));
    await inviter.keyboard.press("Enter");
    await inviter.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await page.context().close();
  });

  test("an address changes once both mailboxes have confirmed it", async () => {
    await visit(inviter, "/admin/profile");
    await inviter.getByLabel("New e-mail").fill("jo.airey@larkfell-training.example");
    await inviter.reload();
    await inviter.getByText("Your unsaved input was restored.").waitFor();
    expect(await violations(inviter)).toEqual([]);
    await inviter.getByLabel("New e-mail").press("Enter");
    await inviter.getByText(`Open the links that are being mailed to ${STAFF.email} and to jo.airey@larkfell-training.example.`).waitFor();
    await inviter.getByText("once the links mailed to both addresses were opened").waitFor();
    await expect.poll(() => site.smtp.received.findLast(({ to }) => to === STAFF.email)?.raw).toContain("Confirm your new e-mail address");
    // The old address is confirmed in a browser without a session.
    const elsewhere = await newBrowser();
    await elsewhere.goto(await linkTo(STAFF.email));
    expect(await violations(elsewhere)).toEqual([]);
    await elsewhere.getByRole("button", { name: "Confirm the change" }).click();
    await elsewhere.getByText("This address is confirmed. Now open the link in the mail to the other address.").waitFor();
    await elsewhere.context().close();
    await inviter.goto(await linkTo("jo.airey@larkfell-training.example"));
    await inviter.getByRole("button", { name: "Confirm the change" }).click();
    await inviter.getByText("Your new address is confirmed.").waitFor();
    expect(await violations(inviter)).toEqual([]);
    await inviter.getByRole("link", { name: "Go to the portal" }).click();
    await inviter.getByRole("link", { name: "My profile, jo.airey@larkfell-training.example" }).waitFor();
    await inviter.goto("/admin");
    await inviter.getByRole("link", { name: "My profile, jo.airey@larkfell-training.example" }).waitFor();
  });

  testScreen("the list of staff with an invitation", portal, async (page) => {
    await visit(page, "/admin/staff");
    await page.getByRole("button", { name: "Copy link instead" }).first().waitFor();
  });

  test("the log contains no link", () => {
    const tokens = site.smtp.received.flatMap(({ raw }) =>
      [...readable(raw).matchAll(/token_hash=([0-9a-f]{56})/g)].map(([, token]) => token),
    );
    expect(tokens.length).toBeGreaterThan(3);
    for (const token of tokens) expect(site.output()).not.toContain(token);
  });
});

/** Decodes quoted-printable text. */
function readable(raw: string): string {
  return raw.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
