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
  let office: Page;

  beforeAll(() => {
    office = portal();
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
    return openPage(browserOf(office), { baseURL: new URL(office.url()).origin, bypassCSP: true });
  }

  test("an invitation is mailed, and its link leads to a password", async () => {
    await office.goto("/admin/staff");
    await office.getByRole("button", { name: "Invite" }).click();
    await office.getByLabel("E-mail").fill("bea@larkfell-training.example");
    await office.getByRole("form").getByRole("button", { name: "Invite" }).click();
    await office.getByText("bea@larkfell-training.example is invited. It is on its way by mail.").waitFor();
    expect(await office.getByLabel("Link", { exact: true }).count()).toBe(0);

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
    await office.goto("/admin/staff");
    await office.getByRole("button", { name: "Reset password bea@larkfell-training.example" }).click();
    await office.getByText("There is a new link for bea@larkfell-training.example. It is on its way by mail.").waitFor();
    await office.getByRole("button", { name: "Reset password bea@larkfell-training.example" }).click();
    await office.getByText("Too much was mailed just now.").waitFor();
    await office.getByRole("button", { name: "Copy link instead bea@larkfell-training.example" }).click();
    await office.getByText("Hand over the link below.").waitFor();
    const bea = await newBrowser();
    await bea.goto(await office.getByLabel("Link", { exact: true }).inputValue());
    await bea.getByRole("button", { name: "Open my account" }).click();
    await bea.getByRole("heading", { name: "Choose a password" }).waitFor();
  });

  test("an address changes once both mailboxes have confirmed it", async () => {
    await office.goto("/admin/profile");
    await office.getByLabel("New e-mail").fill("jo.airey@larkfell-training.example");
    await office.reload();
    await office.getByText("Your unsaved input was restored.").waitFor();
    expect(await violations(office)).toEqual([]);
    await office.getByLabel("New e-mail").press("Enter");
    await office.getByText(`Open the links that are being mailed to ${STAFF.email} and to jo.airey@larkfell-training.example.`).waitFor();
    await office.getByText("waits until the links mailed to both addresses are opened").waitFor();
    await office.goto(await linkTo(STAFF.email));
    await office.getByText("Confirmation link accepted. Please proceed to confirm link sent to the other email").waitFor();
    await office.goto(await linkTo("jo.airey@larkfell-training.example"));
    await office.getByText("Your new address is confirmed.").waitFor();
    await office.getByRole("link", { name: "My profile, jo.airey@larkfell-training.example" }).waitFor();
    await office.goto("/admin");
    await office.getByRole("link", { name: "My profile, jo.airey@larkfell-training.example" }).waitFor();
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
