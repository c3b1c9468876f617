import { createHash } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { PASSWORD, SITE_URL, startAuth, type TestAuth } from "../fixture.ts";
import { openLink, takeMail, takeMails, fragmentOf } from "../mail/outbox-fixture.ts";
import { newOtp } from "./one-time-tokens.ts";

describeDatabases("sign-in by mail", (open) => {
  let database: Database;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { email: { max_frequency: "0s" } });
  });

  test("a code signs a new person in once", async () => {
    const email = "new@larkfell.example";
    const client = api.client();
    const response = await client.auth.signInWithOtp({ email: "New@Larkfell.Example", options: { data: { name: "Ada" } } });
    expect(response).toMatchObject({ error: null, data: { user: null, session: null } });
    const { code } = await takeMail(api, email);
    expect(code).toMatch(/^\d{6}$/);
    const { data, error } = await client.auth.verifyOtp({ email, token: code, type: "email" });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { name: "Ada", email_verified: true } });
    expect(data.user?.email_confirmed_at).toBeDefined();
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ amr: [{ method: "otp" }], aal: "aal1" });
    const again = await api.client().auth.verifyOtp({ email, token: code, type: "email" });
    expect(again.error).toMatchObject({ status: 403, code: "otp_expired", message: "Token has expired or is invalid" });
    const written = await api.sql("select payload ->> 'action' as action from auth.audit_log_entries order by created_at desc limit 3");
    expect(written.map(({ action }) => action)).toContain("login_failed");
  });

  test("a link signs a known person in and redirects to the requested page", async () => {
    const { user } = await api.signIn("known@larkfell.example");
    const response = await api
      .client()
      .auth.signInWithOtp({ email: "known@larkfell.example", options: { emailRedirectTo: `${SITE_URL}/admin` } });
    expect(response.error).toBeNull();
    const { kind, link } = await takeMail(api, "known@larkfell.example");
    expect(kind).toBe("magic_link");
    const page = await openLink(api, link);
    expect(page.href.replace(/#.*/, "")).toBe(`${SITE_URL}/admin`);
    const { access_token, refresh_token, ...rest } = fragmentOf(page);
    expect(rest).toMatchObject({ token_type: "bearer", type: "magiclink", expires_in: "3600", sb: "" });
    const client = api.client();
    await client.auth.setSession({ access_token: access_token ?? "", refresh_token: refresh_token ?? "" });
    expect((await client.auth.getUser()).data.user?.id).toBe(user.id);
  });

  test("the hash of a link signs in", async () => {
    await api.client().auth.signInWithOtp({ email: "hash@larkfell.example" });
    const { hash } = await takeMail(api, "hash@larkfell.example");
    const { data, error } = await api.client().auth.verifyOtp({ token_hash: hash, type: "email" });
    expect(error).toBeNull();
    expect(data.session?.user.email).toBe("hash@larkfell.example");
  });

  test("a new code replaces the previous one", async () => {
    const email = "twice@larkfell.example";
    await api.client().auth.signInWithOtp({ email });
    await api.client().auth.signInWithOtp({ email });
    const [first, second] = await takeMails(api, email);
    expect((await api.client().auth.verifyOtp({ token_hash: first?.hash ?? "", type: "email" })).error?.code).toBe("otp_expired");
    expect((await api.client().auth.verifyOtp({ token_hash: second?.hash ?? "", type: "email" })).error).toBeNull();
  });

  test("an expired code is refused, and only its hash is stored", async () => {
    const email = "late@larkfell.example";
    await api.client().auth.signInWithOtp({ email });
    const { code } = await takeMail(api, email);
    const [row] = await api.sql("select token_hash, relates_to from auth.one_time_tokens where relates_to = $1", [email]);
    expect(row?.token_hash).toMatch(/^[0-9a-f]{56}$/);
    await api.sql("update auth.one_time_tokens set created_at = created_at - interval '3601 seconds' where relates_to = $1", [email]);
    const { error } = await api.client().auth.verifyOtp({ email, token: code, type: "email" });
    expect(error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("ten concurrent uses of one code open one session", async () => {
    const email = "race@larkfell.example";
    await api.client().auth.signInWithOtp({ email });
    const { code } = await takeMail(api, email);
    const body = { email, token: code, type: "email" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.send("POST", "/verify", { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body: { error_code: slug } }) => slug === "otp_expired")).toHaveLength(9);
  });

  test("guesses at a code are counted together, except those of a network from which somebody signed in before", async () => {
    const email = "guessed@larkfell.example";
    const [home, hotel] = ["198.51.100.1", "198.51.100.2"];
    const enter = async (code: string, from: string): Promise<number> =>
      (await api.send("POST", "/verify", { body: { email, token: code, type: "email" }, from })).status;
    await api.client().auth.signInWithOtp({ email });
    expect(await enter((await takeMail(api, email)).code, home)).toBe(200);
    await api.client().auth.signInWithOtp({ email });
    const { code } = await takeMail(api, email);
    const wrong = code === "000000" ? "1" : "000000";
    const answers = await Promise.all(Array.from({ length: 30 }, (_, network) => enter(wrong, `203.0.113.${network}`)));
    expect(answers.filter((status) => status === 429)).toHaveLength(1);
    expect(await enter(code, hotel)).toBe(429);
    for (let guess = 0; guess < 10; guess += 1) expect(await enter(wrong, home)).toBe(403);
    expect(await enter(code, home)).toBe(200);
  });

  test("guesses cannot be tried as hashes of links", async () => {
    const email = "hashed@larkfell.example";
    await api.client().auth.signInWithOtp({ email });
    const { code, hash } = await takeMail(api, email);
    const guess = createHash("sha224").update(`${email}${code}`).digest("hex");
    const { status, body } = await api.send("POST", "/verify", { body: { token_hash: guess, type: "email" } });
    expect([status, body.error_code]).toEqual([403, "otp_expired"]);
    expect((await api.client().auth.verifyOtp({ token_hash: hash, type: "email" })).error).toBeNull();
  });

  test("codes have the configured length, with leading zeros", async () => {
    const long = await startAuth(database, { email: { otp_length: 10, max_frequency: "0s" } });
    await long.client().auth.signInWithOtp({ email: "long@larkfell.example" });
    const { code } = await takeMail(long, "long@larkfell.example");
    expect(code).toMatch(/^\d{10}$/);
    expect((await long.client().auth.verifyOtp({ email: "long@larkfell.example", token: code, type: "email" })).error).toBeNull();
    const codes = Array.from({ length: 500 }, () => newOtp(6));
    expect(codes.filter((made) => !/^\d{6}$/.test(made))).toEqual([]);
    expect(codes.some((made) => made.startsWith("0"))).toBe(true);
  });

  test("a password that was set before the address was proven is deleted", async () => {
    const email = "claimed@larkfell.example";
    const strict = await startAuth(database, { email: { enable_confirmations: true, max_frequency: "0s" } });
    await strict.client().auth.signUp({ email, password: "the squatter's password" });
    await strict.client().auth.resetPasswordForEmail(email);
    const recovery = (await takeMails(api, email)).find(({ kind }) => kind === "recovery");
    expect((await strict.client().auth.verifyOtp({ token_hash: recovery?.hash ?? "", type: "recovery" })).error).toBeNull();
    const { error } = await strict.client().auth.signInWithPassword({ email, password: "the squatter's password" });
    expect(error?.code).toBe("invalid_credentials");
  });

  test("a banned account gets no session", async () => {
    const { user } = await api.signIn("banned@larkfell.example");
    await api.client().auth.signInWithOtp({ email: "banned@larkfell.example" });
    await api.sql("update auth.users set banned_until = now() + interval '1 hour' where id = $1", [user.id]);
    const { code } = await takeMail(api, "banned@larkfell.example");
    const { error } = await api.client().auth.verifyOtp({ email: "banned@larkfell.example", token: code, type: "email" });
    expect(error).toMatchObject({ status: 403, code: "user_banned" });
  });

  const email = "a@b.example";
  const challenge = "c".repeat(43);
  const refusedOtp: [input: string, body: unknown, status: number, code: string, message: string][] = [
    ["no address", {}, 400, "validation_failed", "One of email or phone must be set"],
    ["two addresses", { email, phone: "1" }, 400, "validation_failed", "Only an email address or phone number should be provided"],
    ["a channel for mail", { email, channel: "sms" }, 400, "validation_failed", "Channel should only be specified with Phone OTP"],
    ["an invalid address", { email: "a@" }, 400, "validation_failed", "Unable to validate email address: invalid format"],
    ["a phone, without a hook", { phone: "+447700900123" }, 400, "phone_provider_disabled", "Unsupported phone provider"],
    ["an unknown address", { email: "nobody@b.example", create_user: false }, 422, "otp_disabled", "Signups not allowed for otp"],
    [
      "an incomplete PKCE challenge",
      { email, code_challenge: challenge },
      400,
      "validation_failed",
      "PKCE flow requires code_challenge_method and code_challenge",
    ],
    [
      "a short challenge",
      { email, code_challenge: "c".repeat(42), code_challenge_method: "s256" },
      400,
      "validation_failed",
      "code challenge has to be 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~",
    ],
    [
      "an unknown challenge method",
      { email, code_challenge: challenge, code_challenge_method: "md5" },
      400,
      "validation_failed",
      "Invalid code_challenge_method: only s256 and plain are known",
    ],
  ];
  test.each(refusedOtp)("otp for %s is refused", async (_input, body, status, code, message) => {
    const answer = await api.send("POST", "/otp", { body });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  test("ten answers reveal to a network that an address is unknown; then known addresses get a 429 too", async () => {
    await api.signIn("hidden@larkfell.example");
    const ask = (address: string): ReturnType<TestAuth["send"]> =>
      api.send("POST", "/otp", { body: { email: address, create_user: false }, from: "192.0.2.90" });
    for (let guess = 0; guess < 10; guess += 1) expect((await ask(`guess${guess}@b.example`)).body.error_code).toBe("otp_disabled");
    for (const address of ["guess10@b.example", "hidden@larkfell.example"]) {
      const { status, headers, body } = await ask(address);
      expect([status, body.error_code]).toEqual([429, "over_request_rate_limit"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(300);
    }
    expect(
      (await api.client().auth.signInWithOtp({ email: "hidden@larkfell.example", options: { shouldCreateUser: false } })).error,
    ).toBeNull();
  });

  test("otp is refused if sign-in by email is off, and for unknown addresses if sign-up is off", async () => {
    const off = await startAuth(database, { email: { enable_signup: false } });
    expect((await off.send("POST", "/otp", { body: { email } })).body).toMatchObject({ code: 422, error_code: "email_provider_disabled" });
    const closed = await startAuth(database, { enable_signup: false });
    const answer = await closed.send("POST", "/otp", { body: { email: "stranger@b.example" } });
    expect(answer.body).toMatchObject({ code: 422, error_code: "signup_disabled" });
  });

  const wrong = [403, "otp_expired", "Token has expired or is invalid"] as const;
  const refusedVerify: [input: string, body: unknown, status: number, code: string, message: string][] = [
    ["no type", { email, token: "1" }, 400, "validation_failed", "Verify requires a verification type"],
    ["no token", { email, type: "email" }, 400, "validation_failed", "Verify requires either a token or a token hash"],
    [
      "an address and a token hash",
      { email, token_hash: "1", type: "email" },
      400,
      "validation_failed",
      "Only the token_hash and type should be provided",
    ],
    [
      "a token and a token hash",
      { token: "1", token_hash: "1", type: "email" },
      400,
      "validation_failed",
      "Verify requires either a token or a token hash",
    ],
    [
      "a malformed phone number",
      { phone: "+44 7700 x", token: "123456", type: "sms" },
      400,
      "validation_failed",
      "Invalid phone number format (E.164 required)",
    ],
    [
      "two addresses",
      { email, phone: "1", token: "1", type: "email" },
      400,
      "validation_failed",
      "Only an email address or phone number should be provided on verify",
    ],
    ["an unknown type", { email, token: "1", type: "fax" }, 400, "validation_failed", "Invalid email verification type"],
    [
      "an email type for a phone",
      { phone: "447700900123", token: "1", type: "email" },
      400,
      "validation_failed",
      "Unsupported verification type",
    ],
    ["an invalid address", { email: "a@", token: "1", type: "email" }, 422, "validation_failed", "Invalid email format"],
    ["an unknown address", { email: "unknown@b.example", token: "123456", type: "email" }, ...wrong],
    ["a wrong code", { email: "known@larkfell.example", token: "000000", type: "magiclink" }, ...wrong],
    ["an unknown hash", { token_hash: "f".repeat(56), type: "magiclink" }, 403, "otp_expired", "Email link is invalid or has expired"],
    ["a list of hashes", { token_hash: "a,b,c", type: "magiclink" }, 403, "otp_expired", "Email link is invalid or has expired"],
  ];
  test.each(refusedVerify)("verify with %s is refused", async (_input, body, status, code, message) => {
    const answer = await api.send("POST", "/verify", { body });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  const links: [input: string, query: string, expected: Record<string, string>][] = [
    ["an unknown token", "token=ff&type=magiclink", { error: "access_denied", error_code: "otp_expired" }],
    ["no type", "token=ff", { error: "invalid_request", error_code: "validation_failed" }],
    ["a phone type", "token=ff&type=sms", { error: "invalid_request", error_code: "validation_failed" }],
  ];
  test.each(links)("a link with %s redirects with the error", async (_input, query, expected) => {
    const page = await openLink(api, `${SITE_URL}/auth/v1/verify?${query}&redirect_to=${encodeURIComponent(`${SITE_URL}/in?x=1`)}`);
    expect(page.pathname + page.search).toBe("/in?x=1");
    expect(fragmentOf(page)).toMatchObject({ ...expected, sb: "", error_description: expect.any(String) });
  });

  test("a link redirects only to allowed addresses", async () => {
    await api.client().auth.signInWithOtp({ email: "phished@larkfell.example", options: { emailRedirectTo: "https://evil.example/" } });
    const { link } = await takeMail(api, "phished@larkfell.example");
    expect(new URL(link).searchParams.get("redirect_to")).toBe(SITE_URL);
    const page = await openLink(api, link.replace(/redirect_to=[^&]*/, "redirect_to=https%3A%2F%2Fevil.example%2F"));
    expect(page.origin).toBe(SITE_URL);
  });

  test("no code, link or password is logged", () => {
    const all = api.logged.join("\n");
    expect(all).toContain("auth.mail_outbox");
    expect(all).not.toMatch(/verify\?|token=|@larkfell\.example|"\d{6}"/);
    expect(all).not.toContain(PASSWORD);
  });
});
