import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { PASSWORD, SITE_URL, startAuth, type TestAuth } from "../fixture.ts";
import { openLink, takeMail, takeMails, fragmentOf } from "../mail/outbox-fixture.ts";

describeDatabases("account recovery", (open) => {
  let database: Database;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { email: { max_frequency: "0s" } });
  });

  test("a mailed link allows a new password", async () => {
    const email = "forgetful@larkfell.example";
    await api.signIn(email);
    const { error } = await api.client().auth.resetPasswordForEmail(email, { redirectTo: `${SITE_URL}/new-password` });
    expect(error).toBeNull();
    const mail = await takeMail(api, email);
    expect(mail).toMatchObject({ kind: "recovery", subject: "Choose a new password" });
    const page = await openLink(api, mail.link);
    expect(page.pathname).toBe("/new-password");
    const { access_token = "", refresh_token = "", type } = fragmentOf(page);
    expect(type).toBe("recovery");
    const client = api.client();
    await client.auth.setSession({ access_token, refresh_token });
    expect((await client.auth.updateUser({ password: "a newer password" })).error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe("invalid_credentials");
    expect((await api.client().auth.signInWithPassword({ email, password: "a newer password" })).error).toBeNull();
  });

  test("a known and an unknown address get the same response", async () => {
    await api.signIn("known@larkfell.example");
    const answers = ["known@larkfell.example", "nobody@larkfell.example"].map((email) => api.send("POST", "/recover", { body: { email } }));
    for (const { status, body } of await Promise.all(answers)) expect({ status, body }).toEqual({ status: 200, body: {} });
  });

  test("requests about a known and an unknown address take at least the minimum duration", async () => {
    const minimumMs = 3000;
    const email = { enable_confirmations: true, max_frequency: "0s" };
    const slow = await startAuth(database, { email }, {}, { minimumMs });
    await slow.signIn("timed@larkfell.example");
    const requests = ["timed@larkfell.example", "untimed@larkfell.example"].flatMap((address): [string, object][] => [
      ["/recover", { email: address }],
      ["/resend", { email: address, type: "signup" }],
      ["/otp", { email: address, create_user: false }],
      ["/signup", { email: address, password: PASSWORD }],
    ]);
    const before = performance.now();
    const times = requests.map(([path, body]) => slow.send("POST", path, { body }).then(() => performance.now() - before));
    // A timer of Node may end a millisecond early.
    for (const time of await Promise.all(times)) expect(time).toBeGreaterThanOrEqual(minimumMs - 1);
  });

  test("an address is limited to one request per minute, known or not", async () => {
    const slow = await startAuth(database);
    await slow.signIn("patient@larkfell.example");
    for (const email of ["patient@larkfell.example", "stranger@larkfell.example"]) {
      for (const [path, body] of [
        ["/recover", { email }],
        ["/resend", { email, type: "signup" }],
      ] as const) {
        expect((await slow.send("POST", path, { body })).status).toBe(200);
        const again = await slow.send("POST", path, { body });
        expect(again.body).toMatchObject({ code: 429, error_code: "over_email_send_rate_limit" });
        const seconds = Number(again.headers.get("retry-after"));
        expect(seconds).toBeLessThanOrEqual(60);
        // Less on a busy machine.
        expect(seconds).toBeGreaterThan(30);
        expect(again.body.msg).toBe(`For security purposes, you can only request this after ${seconds} seconds.`);
      }
    }
    expect(await takeMails(slow, "patient@larkfell.example")).toHaveLength(1);
  });

  test("a sign-in code is limited to one per minute", async () => {
    const slow = await startAuth(database);
    const body = { email: "coder@larkfell.example" };
    expect((await slow.send("POST", "/otp", { body })).status).toBe(200);
    const again = await slow.send("POST", "/otp", { body });
    expect([again.status, again.body.error_code]).toEqual([429, "over_email_send_rate_limit"]);
    expect(again.body.msg).toMatch(/^For security purposes, you can only request this after ([345]\d|60) seconds\.$/);
  });

  test("the limit of all mails applies to unknown addresses, which do not count towards it", async () => {
    const other = await startAuth(database, { rate_limit: { email_sent: 2 }, email: { max_frequency: "0s" } });
    await other.sql("delete from auth.rate_limits");
    await other.signIn("heavy@larkfell.example");
    const ask = async (email: string): Promise<unknown> => (await other.send("POST", "/recover", { body: { email } })).body.msg;
    for (let turn = 0; turn < 3; turn += 1) expect(await ask("light@larkfell.example")).toBeUndefined();
    expect([await ask("heavy@larkfell.example"), await ask("heavy@larkfell.example")]).toEqual([undefined, undefined]);
    expect(await ask("heavy@larkfell.example")).toBe("email rate limit exceeded");
    expect(await ask("light@larkfell.example")).toBe("email rate limit exceeded");
    await other.sql("delete from auth.rate_limits");
  });

  test("one network cannot use up the mails of the project, and the limit is the same for unknown addresses", async () => {
    const other = await startAuth(database, { rate_limit: { email_sent: 6 }, email: { max_frequency: "0s", enable_confirmations: true } });
    await other.sql("delete from auth.rate_limits");
    await other.signIn("flooded@larkfell.example");
    const requests = [
      ["/recover", { email: "flooded@larkfell.example" }],
      ["/resend", { email: "nobody@larkfell.example", type: "signup" }],
      ["/otp", { email: "flooded@larkfell.example" }],
      ["/signup", { email: "new@larkfell.example", password: PASSWORD }],
    ] as const;
    const statuses: number[] = [];
    for (const [path, body] of requests) statuses.push((await other.send("POST", path, { body, from: "192.0.2.7" })).status);
    expect(statuses).toEqual([200, 200, 429, 429]);
    for (const email of ["flooded@larkfell.example", "nobody@larkfell.example"]) {
      const { body } = await other.send("POST", "/recover", { body: { email }, from: "192.0.2.7" });
      expect(body).toMatchObject({ error_code: "over_email_send_rate_limit", msg: "email rate limit exceeded" });
    }
    expect((await other.send("POST", "/recover", { body: { email: "flooded@larkfell.example" }, from: "192.0.2.8" })).status).toBe(200);
    await other.sql("delete from auth.rate_limits");
  });

  const email = "a@b.example";
  const types = "Missing one of these types: signup, email_change, sms, phone_change";
  const refused: [path: string, input: string, body: unknown, status: number, code: string, message: string][] = [
    ["/recover", "no address", {}, 400, "validation_failed", "Password recovery requires an email"],
    ["/recover", "a malformed address", { email: "a@" }, 400, "validation_failed", "Unable to validate email address: invalid format"],
    [
      "/recover",
      "an incomplete PKCE challenge",
      { email, code_challenge_method: "s256" },
      400,
      "validation_failed",
      "PKCE flow requires code_challenge_method and code_challenge",
    ],
    ["/resend", "no type", { email }, 400, "validation_failed", types],
    ["/resend", "an unknown type", { email, type: "recovery" }, 400, "validation_failed", types],
    ["/resend", "no address", { type: "signup" }, 400, "validation_failed", "Missing email address or phone number"],
    [
      "/resend",
      "two addresses",
      { type: "signup", email, phone: "1" },
      400,
      "validation_failed",
      "Only an email address or phone number should be provided on resend",
    ],
    [
      "/resend",
      "a phone for a mail",
      { type: "signup", phone: "447700900123" },
      400,
      "validation_failed",
      "Type provided requires an email address",
    ],
    ["/resend", "a mailbox for a message", { type: "sms", email }, 400, "validation_failed", "Type provided requires a phone number"],
    [
      "/resend",
      "a phone, without a hook",
      { type: "sms", phone: "447700900123" },
      400,
      "phone_provider_disabled",
      "Unsupported phone provider",
    ],
  ];
  test.each(refused)("%s with %s is refused", async (path, _input, body, status, code, message) => {
    const answer = await api.send("POST", path, { body });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  test("recover and resend are refused if mail is off", async () => {
    const off = await startAuth(database, { email: { enable_signup: false } });
    for (const [path, body] of [
      ["/recover", { email }],
      ["/resend", { email, type: "signup" }],
    ] as const)
      expect((await off.send("POST", path, { body })).body).toMatchObject({ code: 400, error_code: "email_provider_disabled" });
  });

  test("single sign-on accounts get no mail", async () => {
    const { user } = await api.signIn("sso@larkfell.example");
    await api.sql("update auth.users set is_sso_user = true where id = $1", [user.id]);
    expect((await api.send("POST", "/recover", { body: { email: "sso@larkfell.example" } })).status).toBe(200);
    expect(await takeMails(api, "sso@larkfell.example")).toEqual([]);
  });
});
