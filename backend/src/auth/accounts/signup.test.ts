import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import type { authSchema } from "../../config/auth.ts";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { PASSWORD, SMS_SECRET, startAuth, type TestAuth } from "../fixture.ts";

describeDatabases("sign-up", (open) => {
  let database: Database;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { enable_anonymous_sign_ins: true });
  });

  test("signs an account in at once if no confirmation is required", async () => {
    const client = api.client();
    const { data, error } = await client.auth.signUp({
      email: "New@Larkfell.Example",
      password: PASSWORD,
      options: { data: { name: "Ada" } },
    });
    expect(error).toBeNull();
    expect(data.session?.user.user_metadata).toMatchObject({ name: "Ada", email: "new@larkfell.example", sub: data.user?.id });
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ name: "Ada", email: "new@larkfell.example", email_verified: true });
    expect((await client.auth.getUser()).data.user?.id).toBe(data.user?.id);
  });

  test("refuses a second account for an address", async () => {
    await api.client().auth.signUp({ email: "twice@larkfell.example", password: PASSWORD });
    const { error } = await api.client().auth.signUp({ email: "TWICE@larkfell.example", password: PASSWORD });
    expect(error).toMatchObject({ status: 422, code: "user_already_exists", message: "User already registered" });
  });

  test("ten concurrent sign-ups with one address create one account", async () => {
    const body = { email: "race@larkfell.example", password: PASSWORD };
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.send("POST", "/signup", { body })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body: { error_code: code } }) => code === "user_already_exists")).toHaveLength(9);
  });

  test("the data of a sign-up grants no rights", async () => {
    const { body } = await api.send("POST", "/signup", {
      body: {
        email: "sly@larkfell.example",
        password: PASSWORD,
        role: "service_role",
        app_metadata: { admin: true },
        data: { email_verified: "x" },
      },
    });
    expect(body.user).toMatchObject({ role: "authenticated", app_metadata: { provider: "email", providers: ["email"] } });
    expect(body.user).toMatchObject({ user_metadata: { email_verified: true } });
  });

  test("an anonymous account signs in without an address and becomes permanent with one", async () => {
    const client = api.client();
    const { data, error } = await client.auth.signInAnonymously({ options: { data: { theme: "dark" } } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ is_anonymous: true, email: "", app_metadata: {}, identities: [], user_metadata: { theme: "dark" } });
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ is_anonymous: true, amr: [{ method: "anonymous" }] });
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toMatchObject({ status: 422, code: "validation_failed" });

    const known = await client.auth.updateUser({ email: "known@larkfell.example", password: PASSWORD });
    expect(known.data.user).toMatchObject({ id: data.user?.id, is_anonymous: false, email: "known@larkfell.example" });
    expect(known.data.user?.identities).toHaveLength(1);
    expect((await api.client().auth.signInWithPassword({ email: "known@larkfell.example", password: PASSWORD })).error).toBeNull();
  });

  const refused: [input: string, settings: z.input<typeof authSchema>, body: unknown, status: number, code: string, message: string][] = [
    [
      "any address, with sign-up off",
      { enable_signup: false },
      { email: "a@b.example", password: PASSWORD },
      422,
      "signup_disabled",
      "Signups not allowed for this instance",
    ],
    [
      "nobody, with sign-up off",
      { enable_signup: false, enable_anonymous_sign_ins: true },
      {},
      422,
      "signup_disabled",
      "Signups not allowed for this instance",
    ],
    ["an anonymous account, by default", {}, {}, 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"],
    [
      "an address, with e-mail off",
      { email: { enable_signup: false, enable_confirmations: false } },
      { email: "a@b.example", password: PASSWORD },
      400,
      "email_provider_disabled",
      "Email signups are disabled",
    ],
    ["a phone number", {}, { phone: "+447700900123", password: PASSWORD }, 400, "phone_provider_disabled", "Phone signups are disabled"],
    [
      "two addresses",
      {},
      { email: "a@b.example", phone: "1", password: PASSWORD },
      400,
      "validation_failed",
      "Only an email address or phone number should be provided on signup.",
    ],
    [
      "an incomplete PKCE challenge",
      {},
      { email: "a@b.example", password: PASSWORD, code_challenge_method: "s256" },
      400,
      "validation_failed",
      "PKCE flow requires code_challenge_method and code_challenge",
    ],
    [
      "a malformed number",
      { sms: { enable_signup: true } },
      { phone: "0-800", password: PASSWORD },
      400,
      "validation_failed",
      "Invalid phone number format (E.164 required)",
    ],
    [
      "an address that is too long",
      {},
      { email: `${"a".repeat(250)}@b.example`, password: PASSWORD },
      400,
      "validation_failed",
      "An email address is too long",
    ],
    ["no password", {}, { email: "a@b.example" }, 400, "validation_failed", "Signup requires a valid password"],
    [
      "a short password",
      {},
      { email: "a@b.example", password: "short" },
      422,
      "weak_password",
      "Password should be at least 6 characters.",
    ],
    [
      "a malformed address",
      {},
      { email: "a@", password: PASSWORD },
      400,
      "validation_failed",
      "Unable to validate email address: invalid format",
    ],
  ];
  test.each(refused)("%s is refused", async (_input, settings, body, status, code, message) => {
    const configured = await startAuth(database, settings, { smsHook: { url: "http://127.0.0.1:1", secrets: SMS_SECRET } });
    const answer = await configured.send("POST", "/signup", { body });
    expect(answer.body).toMatchObject({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });
});
