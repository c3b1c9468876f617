import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { PASSWORD, startAuth, type Answer, type TestAuth } from "../fixture.ts";
import { openLink, takeMail, takeMails, fragmentOf } from "../mail/outbox-fixture.ts";

const HALF = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

describeDatabases("changing an email address", (open) => {
  let database: Database;
  let api: TestAuth;
  let accounts = 0;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { email: { max_frequency: "0s" } });
  });

  /** Signs somebody in and asks for another address. */
  async function ask(from: TestAuth = api): Promise<{ old: string; next: string; token: string; answer: Answer }> {
    accounts += 1;
    const [old, next] = [`old${accounts}@larkfell.example`, `new${accounts}@larkfell.example`];
    const { access_token: token } = await from.signIn(old);
    return { old, next, token, answer: await from.send("PUT", "/user", { token, body: { email: next } }) };
  }

  test("requires a confirmation from both addresses, in any order", async () => {
    const { old, next, token, answer } = await ask();
    expect(answer.body).toMatchObject({ email: old, new_email: next, email_change_sent_at: expect.any(String) });
    const [toOld, toNew] = [await takeMail(api, old), await takeMail(api, next)];
    expect(toOld.hash).not.toBe(toNew.hash);
    const half = await api.send("POST", "/verify", { body: { token_hash: toNew.hash, type: "email_change" } });
    expect([half.status, half.body]).toEqual([200, { msg: HALF, code: "200" }]);
    expect((await api.send("GET", "/user", { token })).body).toMatchObject({ email: old, new_email: next });
    const { data, error } = await api.client().auth.verifyOtp({ token_hash: toOld.hash, type: "email_change" });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: next });
    expect(data.user?.new_email).toBeUndefined();
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email: next, email_verified: true });
    expect((await api.client().auth.signInWithPassword({ email: old, password: PASSWORD })).error?.code).toBe("invalid_credentials");
    expect((await api.client().auth.signInWithPassword({ email: next, password: PASSWORD })).error).toBeNull();
  });

  test("does not accept two confirmations from one address", async () => {
    const { old } = await ask();
    const { hash, link } = await takeMail(api, old);
    expect(fragmentOf(await openLink(api, link))).toEqual({ message: HALF, sb: "" });
    const again = await api.send("POST", "/verify", { body: { token_hash: hash, type: "email_change" } });
    expect([again.status, again.body.error_code]).toEqual([403, "otp_expired"]);
  });

  test("accepts a code only for the address that it was sent to", async () => {
    const { old, next } = await ask();
    const [toOld, toNew] = [await takeMail(api, old), await takeMail(api, next)];
    const crossed = await api.send("POST", "/verify", { body: { email: next, token: toOld.code, type: "email_change" } });
    expect(crossed.body.error_code).toBe("otp_expired");
    const first = await api.send("POST", "/verify", { body: { email: old, token: toOld.code, type: "email_change" } });
    expect(first.body.code).toBe("200");
    const { data } = await api.client().auth.verifyOtp({ email: next, token: toNew.code, type: "email_change" });
    expect(data.user?.email).toBe(next);
  });

  test("discards confirmations of an earlier request", async () => {
    const { old, next, token } = await ask();
    const [toOld, toNew] = [await takeMail(api, old), await takeMail(api, next)];
    await api.send("POST", "/verify", { body: { token_hash: toOld.hash, type: "email_change" } });
    await api.send("PUT", "/user", { token, body: { email: `else-${next}` } });
    expect((await api.send("POST", "/verify", { body: { token_hash: toNew.hash, type: "email_change" } })).body.error_code).toBe(
      "otp_expired",
    );
    const other = await takeMail(api, `else-${next}`);
    const half = await api.send("POST", "/verify", { body: { token_hash: other.hash, type: "email_change" } });
    expect(half.body.code).toBe("200");
  });

  test("mails both addresses again on resend", async () => {
    const { old, next } = await ask();
    const before = [await takeMail(api, old), await takeMail(api, next)];
    expect((await api.client().auth.resend({ type: "email_change", email: old })).error).toBeNull();
    await takeMail(api, old);
    const { hash } = await takeMail(api, next);
    expect((await api.send("POST", "/verify", { body: { token_hash: before[1]?.hash, type: "email_change" } })).status).toBe(403);
    expect((await api.send("POST", "/verify", { body: { token_hash: hash, type: "email_change" } })).status).toBe(200);
  });

  test("requires only the new address if the project is configured so", async () => {
    const single = await startAuth(database, { email: { double_confirm_changes: false, max_frequency: "0s" } });
    const { old, next } = await ask(single);
    expect(await takeMails(single, old)).toEqual([]);
    const { hash } = await takeMail(single, next);
    const { data } = await single.client().auth.verifyOtp({ token_hash: hash, type: "email_change" });
    expect(data.user?.email).toBe(next);
  });

  test("fails if another account took the address in the meantime", async () => {
    const single = await startAuth(database, { email: { double_confirm_changes: false, max_frequency: "0s" } });
    const { next } = await ask(single);
    const { hash } = await takeMail(single, next);
    await single.signIn(next);
    const answer = await single.send("POST", "/verify", { body: { token_hash: hash, type: "email_change" } });
    expect([answer.status, answer.body.error_code]).toEqual([422, "email_exists"]);
  });

  test("a password change invalidates the links", async () => {
    const { next, token } = await ask();
    const { hash } = await takeMail(api, next);
    await api.send("PUT", "/user", { token, body: { password: "another good password" } });
    expect((await api.send("POST", "/verify", { body: { token_hash: hash, type: "email_change" } })).status).toBe(403);
  });

  test("is limited to one request per minute and account", async () => {
    const slow = await startAuth(database);
    const { token, next } = await ask(slow);
    const again = await slow.send("PUT", "/user", { token, body: { email: `x${next}` } });
    expect([again.status, again.body.error_code]).toEqual([429, "over_email_send_rate_limit"]);
  });
});
