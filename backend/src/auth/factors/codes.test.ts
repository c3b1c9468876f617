import { beforeAll, beforeEach, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { startAuth, type TestAuth } from "../fixture.ts";
import { codeOf, factorCalls, type FactorCalls } from "./factor-fixture.ts";

describeDatabases("codes of second factors", (open) => {
  let api: TestAuth;
  let as: FactorCalls;

  beforeAll(async () => {
    api = await startAuth(await open());
    as = factorCalls(api);
  });
  beforeEach(() => void as.move());

  test.each([-1, 0, 1])("a code %i steps away is accepted", async (steps) => {
    const session = await api.signIn(as.freshEmail());
    const factor = await as.enroll(session);
    expect((await as.prove(session, factor, await codeOf(factor.secret, steps))).status).toBe(200);
  });

  test.each([-3, 3])("a code %i steps away is refused", async (steps) => {
    const session = await api.signIn(as.freshEmail());
    const factor = await as.enroll(session);
    const { status, body } = await as.prove(session, factor, await codeOf(factor.secret, steps));
    expect([status, body.error_code, body.msg]).toEqual([422, "mfa_verification_failed", "Invalid TOTP code entered"]);
  });

  test("a code works once, and no earlier code works after it", async () => {
    const email = as.freshEmail();
    const session = await api.signIn(email);
    const factor = await as.enroll(session);
    const code = await codeOf(factor.secret);
    expect((await as.prove(session, factor, code)).status).toBe(200);
    const again = await as.signInAgain(email);
    expect((await as.prove(again, factor, code)).body.error_code).toBe("mfa_verification_failed");
    expect((await as.prove(again, factor, await codeOf(factor.secret, -1))).body.error_code).toBe("mfa_verification_failed");
    expect((await as.prove(again, factor, await codeOf(factor.secret, 1))).status).toBe(200);
  });

  test("one of ten concurrent attempts with one code succeeds", async () => {
    const session = await api.signIn(as.freshEmail());
    const factor = await as.enroll(session);
    const code = await codeOf(factor.secret);
    const answers = await Promise.all(Array.from({ length: 10 }, () => as.prove(session, factor, code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test("a challenge works once, for five minutes, from one address and for one factor", async () => {
    const session = await api.signIn(as.freshEmail());
    const factor = await as.enroll(session, "one");
    const other = await as.enroll(session, "two");
    const path = `/factors/${factor.id}/verify`;
    const challenge = async (): Promise<unknown> => (await as.post(session, `/factors/${factor.id}/challenge`)).body.id;
    const code = await codeOf(factor.secret);

    const { body: opened } = await as.post(session, `/factors/${factor.id}/challenge`);
    expect(opened).toMatchObject({ type: "totp", expires_at: expect.any(Number) });
    expect(Number(opened.expires_at) - Date.now() / 1000).toBeGreaterThan(290);

    const wrongFactor = await as.post(session, `/factors/${other.id}/verify`, { challenge_id: opened.id, code });
    expect([wrongFactor.status, wrongFactor.body.error_code]).toEqual([422, "mfa_factor_not_found"]);

    const body = { challenge_id: await challenge(), code };
    const elsewhere = await api.send("POST", path, { token: session.access_token, body, from: "192.0.2.99" });
    expect([elsewhere.status, elsewhere.body.error_code]).toEqual([422, "mfa_ip_address_mismatch"]);

    const late = await challenge();
    await api.sql("update auth.mfa_challenges set created_at = now() - interval '301 seconds' where id = $1", [String(late)]);
    const expired = await as.post(session, path, { challenge_id: late, code });
    expect([expired.status, expired.body.error_code]).toEqual([422, "mfa_challenge_expired"]);
    expect(expired.body.msg).toBe(`MFA challenge ${String(late)} has expired, verify against another challenge or create a new challenge.`);

    expect((await as.post(session, path, { challenge_id: opened.id, code })).status).toBe(200);
    const spent = await as.post(session, path, { challenge_id: opened.id, code: await codeOf(factor.secret, 1) });
    expect([spent.status, spent.body.error_code]).toEqual([422, "mfa_ip_address_mismatch"]);
  });
});
