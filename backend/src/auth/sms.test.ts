import { createServer, type Server } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { describeDatabases } from "../../test/database.ts";
import type { Database } from "../db/database.ts";
import { PASSWORD, SMS_SECRET, startAuth, type Answer, type TestAuth } from "./fixture.ts";

const eventSchema = z.object({
  user: z.object({ id: z.string() }).loose(),
  sms: z.object({ otp: z.string(), sms_type: z.string(), phone: z.string(), message: z.string() }),
});

/** An SMS hook on loopback; it refuses requests without a valid signature. */
async function startHook(): Promise<{ server: Server; url: string; taken: z.infer<typeof eventSchema>[]; fail: { with: number } }> {
  const taken: z.infer<typeof eventSchema>[] = [];
  const fail = { with: 0 };
  const webhook = new Webhook(SMS_SECRET.replace("v1,", ""));
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const event = eventSchema.parse(webhook.verify(Buffer.concat(chunks).toString(), headers));
      if (fail.with === 0) taken.push(event);
      response.writeHead(fail.with || 200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The hook has no port");
  return { server, url: `http://127.0.0.1:${address.port}/sms`, taken, fail };
}

describeDatabases("sign-in by phone", (open) => {
  let database: Database;
  let hook: Awaited<ReturnType<typeof startHook>>;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    hook = await startHook();
    api = await phones({ test_otp: { "447700900999": "424242" } });
  });
  afterAll(() => new Promise((resolve) => hook.server.close(resolve)));

  const phones = (sms: object = {}): Promise<TestAuth> =>
    startAuth(
      database,
      { sms: { enable_signup: true, max_frequency: "0s", ...sms } },
      { smsHook: { url: hook.url, secrets: `v1,whsec_${Buffer.from("a secret being replaced by now").toString("base64")}|${SMS_SECRET}` } },
    );
  const codeFor = (phone: string): string => hook.taken.findLast(({ sms }) => sms.phone === phone)?.sms.otp ?? "";

  test("a code from a signed message signs a new person in, once", async () => {
    const { error } = await api.client().auth.signInWithOtp({ phone: "+44 7700 900001", options: { data: { name: "Ada" } } });
    expect(error).toBeNull();
    const token = codeFor("447700900001");
    expect(token).toMatch(/^\d{6}$/);
    expect(hook.taken.at(-1)?.sms.message).toBe(`Your code is ${token}`);
    const { data } = await api.client().auth.verifyOtp({ phone: "+447700900001", token, type: "sms" });
    expect(data.user).toMatchObject({ phone: "447700900001", email: "", user_metadata: { name: "Ada", phone_verified: true } });
    expect(data.user?.phone_confirmed_at).toBeDefined();
    expect(hook.taken.at(-1)).toMatchObject({ user: { id: data.user?.id }, sms: { sms_type: "sms" } });
    const again = await api.client().auth.verifyOtp({ phone: "+447700900001", token, type: "sms" });
    expect(again.error).toMatchObject({ status: 403, code: "otp_expired" });
  });

  test("an account with a number and a password can sign in after the number is confirmed", async () => {
    const phone = "+447700900002";
    const { data } = await api.client().auth.signUp({ phone, password: PASSWORD });
    expect(data).toMatchObject({ session: null, user: { phone: "447700900002" } });
    expect((await api.client().auth.signInWithPassword({ phone, password: PASSWORD })).error?.code).toBe("phone_not_confirmed");
    expect((await api.client().auth.resend({ type: "sms", phone })).error).toBeNull();
    await expect.poll(() => hook.taken.filter(({ sms }) => sms.phone === "447700900002")).toHaveLength(2);
    await api.client().auth.verifyOtp({ phone, token: codeFor("447700900002"), type: "sms" });
    expect((await api.client().auth.signInWithPassword({ phone, password: PASSWORD })).error).toBeNull();
    const { data: veiled } = await api.client().auth.signUp({ phone, password: "another password" });
    expect(veiled.user).toMatchObject({ role: "", identities: [] });
  });

  test("with confirmations off, sign-up opens a session at once", async () => {
    const trusting = await phones({ enable_confirmations: false });
    const { data } = await trusting.client().auth.signUp({ phone: "+447700900003", password: PASSWORD });
    expect(data.session?.user.phone).toBe("447700900003");
    const again = await trusting.client().auth.signUp({ phone: "+447700900003", password: PASSWORD });
    expect(again.error).toMatchObject({ status: 422, code: "user_already_exists" });
  });

  test("a test number has a fixed code and gets no message", async () => {
    const before = hook.taken.length;
    await api.client().auth.signInWithOtp({ phone: "+447700900999" });
    expect(hook.taken).toHaveLength(before);
    expect((await api.client().auth.verifyOtp({ phone: "+447700900999", token: "424242", type: "sms" })).error).toBeNull();
  });

  test("a new number replaces the old one after it is confirmed", async () => {
    const { access_token: token } = await api.signIn("caller@larkfell.example");
    const requested = await api.send("PUT", "/user", { token, body: { phone: "+447700900005" } });
    expect(requested.body).toMatchObject({ phone: "", new_phone: "447700900005" });
    expect(hook.taken.at(-1)?.sms.sms_type).toBe("phone_change");
    const body = { phone: "+447700900005", token: codeFor("447700900005"), type: "phone_change" };
    expect((await api.send("POST", "/verify", { body: { ...body, type: "sms" } })).status).toBe(403);
    // The new number belongs to no account yet, so no code is pending.
    const other = await api.send("POST", "/resend", { body: { type: "phone_change", phone: "+447700900005" } });
    expect([other.status, other.body]).toEqual([200, {}]);
    const { body: won } = await api.send("POST", "/verify", { body });
    expect(won.user).toMatchObject({ phone: "447700900005", email: "caller@larkfell.example" });
    expect(won.user).not.toHaveProperty("new_phone");
    expect(won.user).toMatchObject({
      app_metadata: { provider: "email", providers: ["email", "phone"] },
      identities: [{ provider: "email" }, { provider: "phone", identity_data: { phone: "447700900005", phone_verified: true } }],
    });
    const next = String((await api.send("PUT", "/user", { token, body: { phone: "+447700900015" } })).body.new_phone);
    const before = codeFor(next);
    expect((await api.client().auth.resend({ type: "phone_change", phone: "+447700900005" })).error).toBeNull();
    await expect.poll(() => codeFor(next)).not.toBe(before);
    const taken = await api.send("PUT", "/user", { token, body: { phone: "+447700900001" } });
    expect([taken.status, taken.body.error_code]).toEqual([422, "phone_exists"]);
  });

  test("a message that the hook does not accept is reported as failed", async () => {
    hook.fail.with = 500;
    const { error } = await api.client().auth.signInWithOtp({ phone: "+447700900006" });
    expect(error).toMatchObject({ status: 422, code: "sms_send_failed" });
    hook.fail.with = 0;
    expect(api.logged.join("\n")).toContain('"reason":"500"');
    expect(api.logged.join("\n")).not.toContain("447700900006");
  });

  test("a number gets one message a minute", async () => {
    const slow = await phones({ max_frequency: "60s" });
    expect((await slow.client().auth.signInWithOtp({ phone: "+447700900007" })).error).toBeNull();
    const { error } = await slow.client().auth.signInWithOtp({ phone: "+447700900007" });
    expect(error).toMatchObject({ status: 429, code: "over_sms_send_rate_limit" });
    expect(error?.message).toMatch(/^For security purposes, you can only request this after ([345]\d|60) seconds\.$/);
  });

  test("the hourly limit of messages counts all numbers together, known or not", async () => {
    const few = await startAuth(
      database,
      { sms: { enable_signup: true, max_frequency: "0s" }, rate_limit: { sms_sent: 2 } },
      { smsHook: { url: hook.url, secrets: SMS_SECRET } },
    );
    await few.sql("delete from auth.rate_limits");
    const ask = (last: number): Promise<Answer> => few.send("POST", "/otp", { body: { phone: `+4477009000${last}` } });
    expect([(await ask(20)).status, (await ask(21)).status]).toEqual([200, 200]);
    const { status, headers, body } = await ask(22);
    expect(body).toEqual({ code: 429, error_code: "over_sms_send_rate_limit", msg: "SMS rate limit exceeded" });
    expect([status, Number(headers.get("retry-after")) > 1700]).toEqual([429, true]);
    expect((await few.send("POST", "/resend", { body: { type: "sms", phone: "+447700900020" } })).body.msg).toBe("SMS rate limit exceeded");
    await few.sql("delete from auth.rate_limits");
  });

  test("an account without an email address gets the code for a new password by text message", async () => {
    const strict = await startAuth(
      database,
      { email: { secure_password_change: true }, sms: { enable_signup: true, max_frequency: "0s" } },
      { smsHook: { url: hook.url, secrets: SMS_SECRET } },
    );
    await strict.client().auth.signInWithOtp({ phone: "+447700900030" });
    const client = strict.client();
    const { data } = await client.auth.verifyOtp({ phone: "+447700900030", token: codeFor("447700900030"), type: "sms" });
    await strict.sql("update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1", [data.user?.id ?? ""]);
    expect((await client.auth.updateUser({ password: PASSWORD })).error?.code).toBe("reauthentication_needed");
    expect((await client.auth.reauthenticate()).error).toBeNull();
    expect(hook.taken.at(-1)?.sms.sms_type).toBe("reauthentication");
    const nonce = codeFor("447700900030");
    expect((await client.auth.updateUser({ password: PASSWORD, nonce })).error).toBeNull();
    expect((await strict.client().auth.signInWithPassword({ phone: "+447700900030", password: PASSWORD })).error).toBeNull();
  });

  const phone = "+447700900008";
  const refused: [path: string, input: string, body: unknown, status: number, code: string, message: string][] = [
    ["/otp", "an invalid number", { phone: "0-800" }, 400, "validation_failed", "Invalid phone number format (E.164 required)"],
    [
      "/otp",
      "an unknown channel",
      { phone, channel: "fax" },
      400,
      "validation_failed",
      "Invalid channel, supported values are 'sms' or 'whatsapp'",
    ],
    ["/otp", "an unknown number", { phone, create_user: false }, 422, "otp_disabled", "Signups not allowed for otp"],
    [
      "/signup",
      "PKCE and a number",
      { phone, password: PASSWORD, code_challenge: "c".repeat(43), code_challenge_method: "s256" },
      400,
      "validation_failed",
      "PKCE not supported for phone signups",
    ],
  ];
  test.each(refused)("%s with %s is refused", async (path, _input, body, status, code, message) => {
    const answer = await api.send("POST", path, { body });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
  });

  test("without a hook, sign-in by phone is off", async () => {
    const off = await startAuth(database, { sms: { enable_signup: true } });
    const login = await off.send("POST", "/token?grant_type=password", { body: { phone, password: PASSWORD } });
    expect([login.status, login.body.error_code, login.body.msg]).toEqual([422, "phone_provider_disabled", "Phone logins are disabled"]);
    expect((await off.send("GET", "/settings")).body).toMatchObject({ external: { phone: false }, sms_provider: "" });
    expect((await api.send("GET", "/settings")).body).toMatchObject({ external: { phone: true }, sms_provider: "hook" });
  });
});
