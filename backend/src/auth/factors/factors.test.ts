import { beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { SECRET_KEY, startAuth, type TestAuth } from "../fixture.ts";
import { codeOf, payloadOf, factorCalls, type FactorCalls } from "./factor-fixture.ts";

describeDatabases("second factors", (open) => {
  let database: Database;
  let api: TestAuth;
  let as: FactorCalls;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
    as = factorCalls(api);
  });
  beforeEach(() => void as.move());

  test("an enrolment expires after five minutes and releases its name", async () => {
    const session = await api.signIn(as.freshEmail());
    const { id } = await as.enroll(session, "slow");
    await api.sql("update auth.mfa_factors set created_at = now() - interval '301 seconds' where id = $1", [id]);
    expect((await as.post(session, `/factors/${id}/challenge`)).body.error_code).toBe("mfa_factor_not_found");
    await as.enroll(session, "slow");
    expect(await api.sql("select from auth.mfa_factors where user_id = $1", [session.user.id])).toHaveLength(1);
  });

  test("an expired enrolment is listed until it is removed, also by its owner or an administrator", async () => {
    const session = await api.signIn(as.freshEmail());
    const client = api.client();
    await client.auth.setSession(session);
    const admin = api.client(SECRET_KEY).auth.admin.mfa;
    for (const remove of [
      (id: string) => client.auth.mfa.unenroll({ factorId: id }),
      (id: string) => admin.deleteFactor({ userId: session.user.id, id }),
    ]) {
      const { id } = await as.enroll(session, "slow");
      await api.sql("update auth.mfa_factors set created_at = now() - interval '301 seconds' where id = $1", [id]);
      expect((await client.auth.mfa.listFactors()).data?.all).toEqual([expect.objectContaining({ id, status: "unverified" })]);
      expect((await remove(id)).error).toBeNull();
      expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
    }
  });

  test("the number of factors is limited", async () => {
    const session = await api.signIn(as.freshEmail());
    const few = await startAuth(database, { mfa: { max_enrolled_factors: 1 } });
    await as.enroll(session);
    const body = { factor_type: "totp", friendly_name: "one too many" };
    const { status, body: refused } = await few.send("POST", "/factors", { token: session.access_token, body });
    expect([status, refused.error_code, refused.msg]).toEqual([
      422,
      "too_many_enrolled_mfa_factors",
      "Maximum number of verified factors reached, unenroll to continue",
    ]);
  });

  const NOWHERE = "11111111-1111-4111-8111-111111111111";
  const rows: [what: string, method: string, path: string, body: unknown, status: number, code: string, message: string][] = [
    ["no type", "POST", "/factors", {}, 400, "validation_failed", "factor_type needs to be totp, phone, or webauthn"],
    [
      "an odd type",
      "POST",
      "/factors",
      { factor_type: "sms" },
      400,
      "validation_failed",
      "factor_type needs to be totp, phone, or webauthn",
    ],
    [
      "an issuer too long for a QR code",
      "POST",
      "/factors",
      { factor_type: "totp", issuer: "€".repeat(56) },
      400,
      "validation_failed",
      "issuer is too long",
    ],
    ["phone", "POST", "/factors", { factor_type: "phone" }, 422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone"],
    [
      "webauthn",
      "POST",
      "/factors",
      { factor_type: "webauthn" },
      422,
      "mfa_webauthn_enroll_not_enabled",
      "MFA enroll is disabled for WebAuthn",
    ],
    ["a bad id", "POST", "/factors/x/challenge", {}, 404, "validation_failed", "factor_id must be an UUID"],
    ["an unknown id", "POST", `/factors/${NOWHERE}/challenge`, {}, 404, "mfa_factor_not_found", "Factor not found"],
    ["a bad id to verify", "POST", "/factors/x/verify", {}, 404, "validation_failed", "factor_id must be an UUID"],
    ["an unknown id to verify", "POST", `/factors/${NOWHERE}/verify`, {}, 404, "mfa_factor_not_found", "Factor not found"],
    ["a bad id to remove", "DELETE", "/factors/x", undefined, 404, "validation_failed", "factor_id must be an UUID"],
    ["an unknown id to remove", "DELETE", `/factors/${NOWHERE}`, undefined, 404, "mfa_factor_not_found", "Factor not found"],
  ];
  test.each(rows)("%s is refused as in the wire contract", async (_what, method, path, body, status, code, message) => {
    const session = await api.signIn(as.freshEmail());
    const answer = await api.send(method, path, { token: session.access_token, body });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  test("the longest issuer and address fit a QR code, even with half a surrogate pair", async () => {
    const session = await api.signIn(`${"+".repeat(240)}@b.example`);
    for (const issuer of ["€".repeat(55), "Larkfell \ud800"]) {
      const { status, body } = await as.post(session, "/factors", { factor_type: "totp", friendly_name: issuer, issuer });
      expect(status).toBe(200);
      expect(body.totp).toMatchObject({ qr_code: expect.stringMatching(/^<svg /), uri: expect.stringMatching(/^otpauth:\/\/totp\//) });
    }
  });

  test("names are unique per account, including the empty name", async () => {
    const session = await api.signIn(as.freshEmail());
    for (const name of ["", "App"]) {
      await as.enroll(session, name);
      const { status, body } = await as.post(session, "/factors", { factor_type: "totp", friendly_name: name });
      expect([status, body.error_code]).toEqual([422, "mfa_factor_name_conflict"]);
    }
    expect((await as.enroll(await api.signIn(as.freshEmail()), "App")).id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("another account's factor, an invalid code and an invalid challenge are refused", async () => {
    const mine = await api.signIn(as.freshEmail());
    const theirs = await api.signIn(as.freshEmail());
    const { id } = await as.enroll(theirs);
    for (const [method, path] of [
      ["POST", `/factors/${id}/challenge`],
      ["POST", `/factors/${id}/verify`],
      ["DELETE", `/factors/${id}`],
    ] as const)
      expect((await api.send(method, path, { token: mine.access_token, body: {} })).body.error_code).toBe("mfa_factor_not_found");
    expect((await as.post(theirs, `/factors/${id}/verify`, { challenge_id: id })).body).toMatchObject({
      error_code: "validation_failed",
      msg: "Code needs to be non-empty",
    });
    for (const challenge_id of [id, "x", undefined]) {
      const { status, body } = await as.post(theirs, `/factors/${id}/verify`, { challenge_id, code: "123456" });
      expect([status, body.error_code]).toEqual([422, "mfa_factor_not_found"]);
    }
  });

  test("config.toml disables enrolment and verification", async () => {
    const closed = await startAuth(database, { mfa: { totp: { enroll_enabled: false, verify_enabled: false } } });
    const session = await api.signIn(as.freshEmail());
    const { id } = await as.enroll(session);
    const token = session.access_token;
    const rowsOff = [
      [await closed.send("POST", "/factors", { token, body: { factor_type: "totp" } }), "mfa_totp_enroll_not_enabled"],
      [await closed.send("POST", `/factors/${id}/challenge`, { token, body: {} }), "mfa_totp_verify_not_enabled"],
      [await closed.send("POST", `/factors/${id}/verify`, { token, body: { code: "1" } }), "mfa_totp_verify_not_enabled"],
    ] as const;
    for (const [{ status, body }, code] of rowsOff) expect([status, body.error_code]).toEqual([422, code]);
  });

  test("anonymous accounts and tokens without a session cannot use factors", async () => {
    const anonymous = await startAuth(database, { enable_anonymous_sign_ins: true });
    const { data } = await anonymous.client().auth.signInAnonymously();
    const { status, body } = await api.send("POST", "/factors", { token: data.session?.access_token ?? "", body: { factor_type: "totp" } });
    expect([status, body.error_code, body.msg]).toEqual([403, "no_authorization", "Anonymous user not allowed to perform these actions"]);
  });

  test("an administrator lists and removes the factors of an account", async () => {
    const { session, factor } = await as.protectedMember();
    const admin = api.client(SECRET_KEY).auth.admin.mfa;
    const userId = session.user.id;
    const listed = await admin.listFactors({ userId });
    expect(listed.data?.factors).toEqual([expect.objectContaining({ id: factor.id, factor_type: "totp", status: "verified" })]);
    expect(JSON.stringify(listed.data)).not.toContain(factor.secret);
    expect((await admin.deleteFactor({ userId, id: factor.id })).error).toBeNull();
    expect((await admin.listFactors({ userId })).data?.factors).toEqual([]);
    expect((await admin.deleteFactor({ userId, id: factor.id })).error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
    expect((await admin.listFactors({ userId: NOWHERE })).error).toMatchObject({ status: 404, code: "user_not_found" });
    for (const [method, path, code] of [
      ["GET", "/admin/users/x/factors", "validation_failed"],
      ["DELETE", `/admin/users/${userId}/factors/x`, "validation_failed"],
      ["DELETE", `/admin/users/${NOWHERE}/factors/${factor.id}`, "user_not_found"],
    ] as const) {
      const { status, body } = await api.send(method, path, { headers: { apikey: SECRET_KEY } });
      expect([status, body.error_code]).toEqual([404, code]);
    }
    const { body } = await as.refresh(session.refresh_token);
    expect(payloadOf(body.access_token).aal).toBe("aal1");
  });

  test("the audit log records factors, and no log contains a secret or code", async () => {
    const session = await api.signIn(as.freshEmail());
    const factor = await as.enroll(session);
    await as.prove(session, factor, "000000");
    const code = await codeOf(factor.secret);
    await as.prove(session, factor, code);
    const entries = await api.sql(
      `select payload ->> 'action' as action, payload -> 'traits' ->> 'outcome' as outcome from auth.audit_log_entries
        where payload ->> 'actor_id' = $1 and payload ->> 'log_type' = 'factor' order by created_at`,
      [session.user.id],
    );
    expect(entries.map(({ action, outcome }) => [action, outcome])).toEqual([
      ["factor_in_progress", null],
      ["challenge_created", null],
      ["verification_attempted", "refused"],
      ["challenge_created", null],
      ["verification_attempted", "verified"],
    ]);
    const all = JSON.stringify(await api.sql("select payload from auth.audit_log_entries")) + api.logged.join("");
    expect(all).not.toContain(factor.secret);
  });
});
