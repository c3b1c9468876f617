import { beforeAll, beforeEach, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { startAuth, type TestAuth } from "../fixture.ts";
import { codeOf, payloadOf, factorCalls, type FactorCalls } from "./factor-fixture.ts";

describeDatabases("assurance levels", (open) => {
  let api: TestAuth;
  let as: FactorCalls;

  beforeAll(async () => {
    api = await startAuth(await open());
    as = factorCalls(api);
  });
  beforeEach(() => void as.move());

  test("supabase-js enrols an app, verifies it and reaches aal2 in the same session", async () => {
    const email = as.freshEmail();
    const session = await api.signIn(email);
    const client = api.client(undefined, as.move());
    await client.auth.setSession(session);
    const enrolled = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Phone" });
    expect(enrolled.error).toBeNull();
    if (enrolled.data?.type !== "totp") throw new Error("not enrolled");
    const { id, friendly_name: name, totp } = enrolled.data;
    expect(name).toBe("Phone");
    expect(totp.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(totp.uri)).toMatchObject({ protocol: "otpauth:", host: "totp" });
    expect(decodeURIComponent(totp.uri)).toContain(`larkfell.example:${email}`);
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/);
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });

    const proven = await client.auth.mfa.challengeAndVerify({ factorId: id, code: await codeOf(totp.secret) });
    expect(proven.error).toBeNull();
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal2",
      nextLevel: "aal2",
      currentAuthenticationMethods: [{ method: "totp" }, { method: "password" }],
    });
    const claims = (await client.auth.getClaims()).data?.claims;
    expect(claims?.session_id).toBe(payloadOf(session.access_token)["session_id"]);
    expect((await client.auth.mfa.listFactors()).data?.totp).toEqual([
      expect.objectContaining({ id, friendly_name: "Phone", status: "verified" }),
    ]);
    expect(JSON.stringify((await client.auth.getUser()).data)).not.toContain(totp.secret);
  });

  test("after the first verification a refresh keeps aal2, and older refresh tokens are invalid", async () => {
    const session = await api.signIn(as.freshEmail());
    const first = session.refresh_token;
    const second = (await as.refresh(first)).body.refresh_token;
    const { body } = await as.prove(session, await as.enroll(session));
    for (const old of [first, String(second)]) expect((await as.refresh(old)).body.error_code).toBe("refresh_token_not_found");
    const { status, body: refreshed } = await as.refresh(String(body.refresh_token));
    expect(status).toBe(200);
    expect(payloadOf(refreshed.access_token).aal).toBe("aal2");
  });

  test("the first verification ends other sessions below aal2 and deletes unverified factors", async () => {
    const email = as.freshEmail();
    const session = await api.signIn(email);
    const elsewhere = await as.signInAgain(email);
    const factor = await as.enroll(session);
    await as.enroll(session, "Another");
    expect((await as.prove(session, factor)).status).toBe(200);
    expect((await api.send("GET", "/user", { token: elsewhere.access_token })).body.error_code).toBe("session_not_found");
    const { body } = await api.send("GET", "/user", { token: session.access_token });
    expect(body.factors).toEqual([expect.objectContaining({ id: factor.id, status: "verified" })]);
  });

  test("a later sign-in is at aal1 until a code is verified, and does not change other sessions", async () => {
    const email = as.freshEmail();
    const { session, factor } = await as.protectedMember(email);
    const fresh = await as.signInAgain(email);
    expect(payloadOf(fresh.access_token)["aal"]).toBe("aal1");
    const { body } = await as.prove(fresh, factor);
    expect(payloadOf(body.access_token).aal).toBe("aal2");
    expect((await api.send("GET", "/user", { token: session.access_token })).status).toBe(200);
  });

  test("an account with a verified factor needs aal2 to change factors or its password", async () => {
    const email = as.freshEmail();
    const { session, factor } = await as.protectedMember(email);
    const low = await as.signInAgain(email);
    const refused = await as.post(low, "/factors", { factor_type: "totp", friendly_name: "second" });
    expect([refused.status, refused.body.error_code, refused.body.msg]).toEqual([
      403,
      "insufficient_aal",
      "AAL2 required to enroll a new factor",
    ]);
    const refusal = await api.send("DELETE", `/factors/${factor.id}`, { token: low.access_token });
    expect([refusal.status, refusal.body.error_code, refusal.body.msg]).toEqual([
      422,
      "insufficient_aal",
      "AAL2 required to unenroll verified factor",
    ]);
    const put = await api.send("PUT", "/user", { token: low.access_token, body: { password: "another good password" } });
    expect([put.status, put.body.error_code]).toEqual([401, "insufficient_aal"]);
    expect((await as.enroll(session, "second")).id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("a factor that is verified twice in a session appears once, with the latest time", async () => {
    const { session, factor } = await as.protectedMember();
    await api.sql("update auth.mfa_amr_claims set updated_at = now() - interval '1 hour'");
    const { body } = await as.prove(session, factor);
    const { amr } = payloadOf(body.access_token);
    expect(amr).toEqual([
      { method: "totp", timestamp: expect.any(Number) },
      { method: "password", timestamp: expect.any(Number) },
    ]);
    expect(Array.isArray(amr) && amr[0].timestamp - amr[1].timestamp).toBeGreaterThan(3500);
  });

  test("a token from before the verification stays at aal1 although its session is at aal2", async () => {
    const session = await api.signIn(as.freshEmail());
    const factor = await as.enroll(session);
    expect((await as.prove(session, factor)).status).toBe(200);
    const refusal = await api.send("DELETE", `/factors/${factor.id}`, { token: session.access_token });
    expect(refusal.body.error_code).toBe("insufficient_aal");
  });

  test("unenrolling returns the id, and the sessions of the factor fall back to aal1", async () => {
    const { session, factor } = await as.protectedMember();
    const client = api.client();
    await client.auth.setSession(session);
    expect(await client.auth.mfa.unenroll({ factorId: factor.id })).toMatchObject({ data: { id: factor.id }, error: null });
    const { body } = await as.refresh(session.refresh_token);
    expect(payloadOf(body.access_token)).toMatchObject({ aal: "aal1", amr: [{ method: "password" }] });
    expect(await api.sql("select aal, factor_id from auth.sessions where user_id = $1", [session.user.id])).toEqual([
      { aal: "aal1", factor_id: null },
    ]);
  });
});
