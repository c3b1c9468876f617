import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { startSmtp } from "../../../test/smtp-server.ts";
import type { Database } from "../../db/database.ts";
import { SITE_URL, startAuth, type TestAuth } from "../fixture.ts";

describeDatabases("mail over SMTP", (open) => {
  let database: Database;
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  const running: TestAuth[] = [];

  beforeAll(async () => {
    database = await open();
    smtp = await startSmtp();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((api) => api.close()));
    // All mails are caused by one network, whose share of the limit they would use up.
    await database.transaction((tx) => tx.script("delete from auth.mail_outbox; delete from auth.rate_limits"));
    smtp.received.length = 0;
    smtp.refuse.with = 0;
  });
  afterAll(() => smtp.close());

  async function start(settings: Parameters<typeof startAuth>[1] = {}, mail: object = { smtpUrl: smtp.url }): Promise<TestAuth> {
    const { email, ...rest } = settings;
    const api = await startAuth(database, { ...rest, email: { max_frequency: "0s", ...email } }, { mail });
    running.push(api);
    return api;
  }

  const waiting = (): Promise<unknown[]> =>
    database.transaction((tx) => tx.query("select attempts, last_error, next_attempt_at is null as given_up from auth.mail_outbox"));
  const arrival = async (count = 1): Promise<void> => {
    await expect.poll(() => smtp.received).toHaveLength(count);
  };
  /** Quoted-printable as readers see it. */
  const plain = (raw: string): string =>
    raw.replaceAll("=\r\n", "").replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));

  test("sends text and HTML that sign in, and empties the outbox", async () => {
    const api = await start({}, { smtpUrl: smtp.url, mailFrom: "Larkfell <office@larkfell.example>" });
    await api.client().auth.signInWithOtp({ email: "reader@larkfell.example" });
    await arrival();
    const [mail] = smtp.received;
    expect(mail).toMatchObject({ from: "office@larkfell.example", to: "reader@larkfell.example", user: "staff" });
    const text = plain(mail?.raw ?? "");
    expect(text).toMatch(/^From: Larkfell <office@larkfell\.example>/m);
    expect(text).toMatch(/^Subject: Your sign-in link/m);
    expect(text).toContain("text/plain");
    expect(text).toContain("text/html");
    const token = /Or enter this code: (\d{6})/.exec(text)?.[1] ?? "";
    expect((await api.client().auth.verifyOtp({ email: "reader@larkfell.example", token, type: "email" })).error).toBeNull();
    await expect.poll(waiting).toEqual([]);
    await expect.poll(() => api.logged.join("\n")).toContain("mail sent");
    expect(api.logged.join("\n")).not.toMatch(/reader@|verify\?/);
  });

  test("uses the mail server of config.toml", async () => {
    const server = { enabled: true as const, host: "127.0.0.1", port: smtp.port, user: "office", pass: "p@ss" };
    const api = await start({ email: { smtp: { ...server, admin_email: "admin@larkfell.example", sender_name: "Larkfell" } } }, {});
    await api.client().auth.signInWithOtp({ email: "reader@larkfell.example" });
    await arrival();
    expect(smtp.received[0]).toMatchObject({ from: "admin@larkfell.example", user: "office" });
  });

  test("uses the templates of config.toml and escapes values in HTML", async () => {
    const content =
      '<h1>Hello</h1><a href="{{ .ConfirmationURL }}">in</a> {{.Token}} {{ .SiteURL }} {{ .Email }} {{ .RedirectTo }} {{ .Unknown }}' +
      '<p>A &amp; <a class="x" href="{{ .SiteURL }}/in#hash={{ .TokenHash }}&amp;type=m">Sign&nbsp;in</a></p>';
    const api = await start({ email: { template: { magic_link: { subject: "Come in, {{ .Email }}", content } } } });
    await api.client().auth.signInWithOtp({ email: "o'hara&co@larkfell.example" });
    await arrival();
    const text = plain(smtp.received[0]?.raw ?? "");
    expect(text).toContain("Subject: Come in, o'hara&co@larkfell.example");
    expect(text).toContain("<h1>Hello</h1>");
    expect(text).toMatch(/<a href="http:\/\/larkfell\.example\/auth\/v1\/verify\?token=[0-9a-f]{56}&amp;type=magiclink/);
    expect(text).toContain(`${SITE_URL} o&#39;hara&amp;co@larkfell.example ${SITE_URL} `);
    expect(text).not.toContain("{{");
    // The text version has the words and links of the template, without escapes.
    const plainPart = /^Hello\r\n\r\nin:\r\n(http:\S+) \d{6} \S+ o'hara&co@larkfell\.example \S+ A & Sign in:\r\n(\S+)$/m.exec(text);
    expect(plainPart?.[1]).toMatch(/\/auth\/v1\/verify\?token=[0-9a-f]{56}&type=magiclink/);
    expect(plainPart?.[2]).toMatch(new RegExp(`^${SITE_URL}/in#hash=[0-9a-f]{56}&type=m$`));
  });

  test("retries a mail that the server refuses", async () => {
    smtp.refuse.with = 451;
    const api = await start();
    expect((await api.client().auth.signInWithOtp({ email: "reader@larkfell.example" })).error).toBeNull();
    await expect.poll(waiting).toEqual([{ attempts: 1, last_error: "451", given_up: false }]);
    smtp.refuse.with = 0;
    await api.sql("update auth.mail_outbox set next_attempt_at = now()");
    // Another process finds it when it starts.
    await start();
    await arrival();
    await expect.poll(waiting).toEqual([]);
  });

  test("keeps a mail after the last attempt and logs it", async () => {
    smtp.refuse.with = 550;
    const api = await start();
    await api.client().auth.signInWithOtp({ email: "reader@larkfell.example" });
    await expect.poll(waiting).toMatchObject([{ attempts: 1, last_error: "550" }]);
    await api.sql("update auth.mail_outbox set attempts = 11, next_attempt_at = now()");
    const last = await start();
    await expect.poll(waiting).toEqual([{ attempts: 12, last_error: "550", given_up: true }]);
    await expect.poll(() => last.logged.join("\n")).toContain("could not be sent and stays");
  });

  test("loses no mail if the server is down or refuses the password", async () => {
    await start({}, { smtpUrl: "smtp://127.0.0.1:1" }).then((api) => api.client().auth.signInWithOtp({ email: "a@larkfell.example" }));
    await expect.poll(waiting).toMatchObject([{ attempts: 1, given_up: false, last_error: expect.any(String) }]);
    // All mails are caused by one network, whose share of the limit they would use up.
    await database.transaction((tx) => tx.script("delete from auth.mail_outbox; delete from auth.rate_limits"));
    const wrong = await start({}, { smtpUrl: smtp.url.replace("p%40ss", "wrong") });
    await wrong.client().auth.signInWithOtp({ email: "b@larkfell.example" });
    await expect.poll(waiting).toMatchObject([{ attempts: 1, last_error: "535" }]);
    expect(wrong.logged.join("\n")).not.toContain("wrong");
  });

  test("several processes send each mail once", async () => {
    const [api] = [await start(), await start(), await start()];
    await api.sql(
      `insert into auth.mail_outbox (kind, recipient, subject, body_text, body_html, next_attempt_at)
       select 'invite', 'n' || n || '@larkfell.example', 's', 't', 'h', now() from generate_series(1, 12) n`,
    );
    await Promise.all(running.map((one) => one.client().auth.signInWithOtp({ email: `wake${running.indexOf(one)}@larkfell.example` })));
    await arrival(15);
    expect(new Set(smtp.received.map(({ to }) => to)).size).toBe(15);
  });

  test("keeps mail without a mail server, readable by the service role only", async () => {
    const api = await start({}, {});
    await api.client().auth.signInWithOtp({ email: "reader@larkfell.example" });
    expect(await waiting()).toEqual([{ attempts: 0, last_error: null, given_up: true }]);
    for (const role of ["anon", "authenticated"]) {
      const read = database.transaction(async (tx) => {
        await tx.query("select set_config('role', $1, true)", [role]);
        return tx.query("select * from auth.mail_outbox");
      });
      await expect(read).rejects.toMatchObject({ code: "42501" });
    }
    const [mail] = await database.transaction(async (tx) => {
      await tx.query("select set_config('role', 'service_role', true)");
      return tx.query("select recipient, body_text from auth.mail_outbox");
    });
    expect(mail).toMatchObject({ recipient: "reader@larkfell.example", body_text: expect.stringContaining("/verify?token=") });
  });
});
