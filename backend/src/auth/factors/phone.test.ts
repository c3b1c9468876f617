import { createServer, type Server } from "node:http";
import type { Session } from "@supabase/supabase-js";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { SMS_SECRET, startAuth, type Answer, type TestAuth } from "../fixture.ts";
import { listen } from "../optional/oidc/issuer-fixture.ts";

describeDatabases("a phone as second factor", (open) => {
  let database: Database;
  let hook: Server;
  let url: string;
  let api: TestAuth;
  let people = 0;
  let home = "";
  const messages: { user: { id: string }; sms: { otp: string; sms_type: string; phone: string; message: string } }[] = [];

  const withPhones = (frequency = "0s"): Promise<TestAuth> =>
    startAuth(
      database,
      {
        mfa: { phone: { enroll_enabled: true, verify_enabled: true, max_frequency: frequency, template: "{{.Code}} opens Larkfell" } },
      },
      { smsHook: { url, secrets: SMS_SECRET } },
    );

  beforeAll(async () => {
    hook = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        messages.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.end("{}");
      });
    });
    url = await listen(hook);
    database = await open();
    api = await withPhones();
  });
  afterAll(() => new Promise((resolve) => hook.close(resolve)));
  beforeEach(() => {
    home = `192.0.2.${(people += 1)}`;
  });

  const signIn = (): Promise<Session> => api.signIn(`caller${people}@larkfell.example`);
  const post = (session: Session, path: string, body: unknown = {}, at = api): Promise<Answer> =>
    at.send("POST", path, { token: session.access_token, body, from: home });
  const enroll = (session: Session, phone: string, name = ""): Promise<Answer> =>
    post(session, "/factors", { factor_type: "phone", phone, friendly_name: name });

  test("supabase-js enrols a phone number, receives a code and reaches aal2 with it once", async () => {
    const client = api.client(undefined, home);
    const session = await signIn();
    await client.auth.setSession(session);
    const enrolled = await client.auth.mfa.enroll({ factorType: "phone", friendlyName: "Mine", phone: "+44 7700 900001" });
    expect(enrolled.data).toMatchObject({ type: "phone", friendly_name: "Mine", phone: "447700900001" });
    const factorId = enrolled.data?.id ?? "";
    const challenge = await client.auth.mfa.challenge({ factorId, channel: "sms" });
    expect(messages.at(-1)).toMatchObject({ user: { id: session.user.id }, sms: { sms_type: "mfa", phone: "447700900001" } });
    const code = messages.at(-1)?.sms.otp ?? "";
    expect(code).toMatch(/^\d{6}$/);
    expect(messages.at(-1)?.sms.message).toBe(`${code} opens Larkfell`);
    const challengeId = challenge.data?.id ?? "";
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error).toBeNull();
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal2",
      currentAuthenticationMethods: [{ method: "mfa/phone" }, { method: "password" }],
    });
    expect((await client.auth.mfa.verify({ factorId, challengeId, code })).error?.code).toBe("mfa_ip_address_mismatch");
    const stored = JSON.stringify(await api.sql("select otp_code from auth.mfa_challenges")) + api.logged.join("");
    expect(stored).not.toContain(code);
  });

  test("the code of another challenge and a wrong code are refused", async () => {
    const session = await signIn();
    const { body: factor } = await enroll(session, "+447700900002");
    const path = `/factors/${String(factor.id)}`;
    const { body: first } = await post(session, `${path}/challenge`);
    const firstCode = messages.at(-1)?.sms.otp ?? "";
    const { body: second } = await post(session, `${path}/challenge`);
    const wrong = String((Number(firstCode) + 1) % 1_000_000).padStart(6, "0");
    const refused = await post(session, `${path}/verify`, { challenge_id: first.id, code: wrong });
    expect([refused.status, refused.body.error_code, refused.body.msg]).toEqual([
      422,
      "mfa_verification_failed",
      "Invalid MFA Phone code entered",
    ]);
    if (messages.at(-1)?.sms.otp !== firstCode) {
      const other = await post(session, `${path}/verify`, { challenge_id: second.id, code: firstCode });
      expect(other.body.error_code).toBe("mfa_verification_failed");
    }
    expect((await post(session, `${path}/verify`, { challenge_id: first.id, code: firstCode })).status).toBe(200);
    const again = await enroll(session, "+447700900002", "again");
    expect([again.status, again.body.error_code]).toEqual([422, "mfa_verified_factor_exists"]);
  });

  test("a new enrolment of the same number replaces the old one", async () => {
    const session = await signIn();
    await enroll(session, "+447700900003");
    expect((await enroll(session, "447700900003")).status).toBe(200);
    expect(await api.sql("select phone from auth.mfa_factors where user_id = $1", [session.user.id])).toEqual([{ phone: "447700900003" }]);
  });

  test("numbers and channels are validated, and messages are limited", async () => {
    const session = await signIn();
    expect((await enroll(session, "")).body.msg).toBe("Phone number required to enroll Phone factor");
    expect((await enroll(session, "0123")).body.msg).toBe("Invalid phone number format (E.164 required)");
    const { body: factor } = await enroll(session, "+447700900004");
    const path = `/factors/${String(factor.id)}/challenge`;
    expect((await post(session, path, { channel: "pigeon" })).body.error_code).toBe("validation_failed");
    const slow = await withPhones("40s");
    expect((await post(session, path, {}, slow)).status).toBe(200);
    const tooSoon = await post(session, path, {}, slow);
    expect([tooSoon.status, tooSoon.body.error_code]).toEqual([429, "over_sms_send_rate_limit"]);
    expect(tooSoon.body.msg).toMatch(/^For security purposes, you can only request this after ([123]\d|40) seconds\.$/);
  });

  test("is off without an SMS hook, whatever config.toml says", async () => {
    const silent = await startAuth(database, { mfa: { phone: { enroll_enabled: true, verify_enabled: true } } });
    const session = await signIn();
    const { body: factor } = await enroll(session, "+447700900005");
    const enrolled = await post(session, "/factors", { factor_type: "phone", phone: "+447700900006" }, silent);
    expect(enrolled.body.error_code).toBe("mfa_phone_enroll_not_enabled");
    const challenged = await post(session, `/factors/${String(factor.id)}/challenge`, {}, silent);
    expect(challenged.body).toMatchObject({ error_code: "mfa_phone_verify_not_enabled", msg: "MFA verification is disabled for Phone" });
  });
});
