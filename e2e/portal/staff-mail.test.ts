import { startSmtp } from "backend/test/smtp-server.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { browserOf, openPage } from "../support/browser.ts";
import { openPortal, violations } from "../support/portal.ts";
import { STAFF, startProcess } from "../support/product.ts";

describe("staff, with a mail server", () => {
  const portal = openPortal(async (dataDir) => {
    smtp = await startSmtp();
    const account = { STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password };
    const mail = { SMTP_URL: smtp.url, MAIL_FROM: "Larkfell <office@larkfell-training.example>" };
    const site = await startProcess("server/site.ts", { DATA_DIR: dataDir, ...account, ...mail });
    output = site.output;
    return {
      url: site.url,
      async stop() {
        await site.stop();
        await smtp.close();
      },
    };
  });
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let output: () => string;
  let inviter: Page;

  beforeAll(() => {
    inviter = portal();
  });

  /** The link in the latest mail to somebody. */
  async function linkTo(mailbox: string): Promise<string> {
    return vi.waitFor(
      () => {
        const mail = smtp.received.findLast(({ to }) => to === mailbox);
        const link = /https?:\/\/\S+\/auth\/v1\/verify\?\S+/.exec(readable(mail?.raw ?? ""))?.[0];
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
    await inviter.goto("/admin/staff");
    await inviter.getByRole("button", { name: "Invite" }).click();
    await inviter.getByLabel("E-mail").fill("bea@larkfell-training.example");
    await inviter.getByRole("form").getByRole("button", { name: "Invite" }).click();
    await inviter.getByText("bea@larkfell-training.example is invited. It is on its way by mail.").waitFor();
    expect(await inviter.getByLabel("Link", { exact: true }).count()).toBe(0);

    const link = await linkTo("bea@larkfell-training.example");
    const bea = await newBrowser();
    await bea.goto(link);
    await bea.getByRole("button", { name: "Open my account" }).click();
    await bea.getByLabel("Password", { exact: true }).fill("over the first stile");
    await bea.getByLabel("Repeat password").fill("over the first stile");
    await bea.keyboard.press("Enter");
    await bea.getByRole("heading", { name: "Admin Dashboard" }).waitFor();

    const late = await newBrowser();
    await late.goto(link);
    await late.getByText("This link has expired or was used before.").waitFor();
    expect(await violations(late)).toEqual([]);
  });

  test("a forgotten password is reset by mail, or by a link handed over if the mail does not arrive", async () => {
    await inviter.goto("/admin/staff");
    await inviter.getByRole("button", { name: "Reset password bea@larkfell-training.example" }).click();
    await inviter.getByText("There is a new link for bea@larkfell-training.example. It is on its way by mail.").waitFor();
    await inviter.getByRole("button", { name: "Reset password bea@larkfell-training.example" }).click();
    await inviter.getByText("Too many mails were sent just now.").waitFor();
    await inviter.getByRole("button", { name: "Copy link instead bea@larkfell-training.example" }).click();
    await inviter.getByText("Hand over the link below.").waitFor();
    const bea = await newBrowser();
    await bea.goto(await inviter.getByLabel("Link", { exact: true }).inputValue());
    await bea.getByRole("button", { name: "Open my account" }).click();
    await bea.getByRole("heading", { name: "Choose a password" }).waitFor();
  });

  test("an address changes once both mailboxes have confirmed it", async () => {
    await inviter.goto("/admin/profile");
    await inviter.getByLabel("New e-mail").fill("jo.airey@larkfell-training.example");
    await inviter.reload();
    await inviter.getByText("Your unsaved input was restored.").waitFor();
    expect(await violations(inviter)).toEqual([]);
    await inviter.getByLabel("New e-mail").press("Enter");
    await inviter.getByText(`Open the links that are being mailed to ${STAFF.email} and to jo.airey@larkfell-training.example.`).waitFor();
    await inviter.getByText("waits until the links mailed to both addresses are opened").waitFor();
    await inviter.goto(await linkTo(STAFF.email));
    await inviter.getByText("Confirmation link accepted. Please proceed to confirm link sent to the other email").waitFor();
    await inviter.goto(await linkTo("jo.airey@larkfell-training.example"));
    await inviter.getByText("Your new address is confirmed.").waitFor();
    await inviter.getByRole("link", { name: "My profile, jo.airey@larkfell-training.example" }).waitFor();
    await inviter.goto("/admin");
    await inviter.getByRole("link", { name: "My profile, jo.airey@larkfell-training.example" }).waitFor();
  });

  test("the log contains no link", () => {
    const tokens = smtp.received.flatMap(({ raw }) => [...readable(raw).matchAll(/token=([0-9a-f]{56})/g)].map(([, token]) => token));
    expect(tokens.length).toBeGreaterThan(3);
    for (const token of tokens) expect(output()).not.toContain(token);
  });
});

/** Decodes quoted-printable text. */
function readable(raw: string): string {
  return raw.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
}
