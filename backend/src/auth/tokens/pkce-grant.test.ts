import { createHash } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { PASSWORD, PUBLISHABLE_KEY, SECRET_KEY, SITE_URL, startAuth, type TestAuth } from "../fixture.ts";
import { openLink, takeMail, fragmentOf } from "../mail/outbox-fixture.ts";

describeDatabases("PKCE by mail", (open) => {
  let api: TestAuth;
  const verifier = "v".repeat(64);
  const s256 = { code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "s256" };
  let accounts = 0;

  beforeAll(async () => {
    api = await startAuth(await open(), { email: { enable_confirmations: true, max_frequency: "0s" } });
  });

  const freshEmail = (): string => `person${(accounts += 1)}@larkfell.example`;

  /** Creates supabase-js as a server-rendered site uses it; it stores the code verifier. */
  function pkceClient(): ReturnType<TestAuth["client"]> {
    const items = new Map<string, string>();
    const storage = {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void items.set(key, value),
      removeItem: (key: string) => void items.delete(key),
    };
    return createClient(SITE_URL, PUBLISHABLE_KEY, {
      auth: { flowType: "pkce", storage, persistSession: true, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => api.fetch(new Request(input, init)) },
    });
  }

  async function codeBehind(link: string): Promise<string> {
    const page = await openLink(api, link);
    expect(page.hash).toBe("");
    return page.searchParams.get("code") ?? "";
  }

  /** Starts a recovery and opens its link. */
  async function recover(challenge: object): Promise<string> {
    const email = freshEmail();
    await api.signIn(email);
    expect((await api.send("POST", "/recover", { body: { email, ...challenge } })).status).toBe(200);
    return codeBehind((await takeMail(api, email)).link);
  }

  const exchange = (code: string, secret: string): ReturnType<TestAuth["send"]> =>
    api.send("POST", "/token?grant_type=pkce", { body: { auth_code: code, code_verifier: secret } });

  test("supabase-js recovers an account with PKCE, and the token contains the method of the flow", async () => {
    const email = freshEmail();
    await api.signIn(email);
    const client = pkceClient();
    await client.auth.resetPasswordForEmail(email, { redirectTo: `${SITE_URL}/new-password?step=2` });
    const { link, hash } = await takeMail(api, email);
    expect(hash).toMatch(/^pkce_[0-9a-f]{56}$/);
    const page = await openLink(api, link);
    expect(page.pathname).toBe("/new-password");
    expect(page.searchParams.get("step")).toBe("2");
    const { data, error } = await client.auth.exchangeCodeForSession(page.searchParams.get("code") ?? "");
    expect(error).toBeNull();
    expect(data.user?.email).toBe(email);
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ amr: [{ method: "recovery" }] });
  });

  test.each([
    ["signUp", "email/signup"],
    ["signInWithOtp", "magiclink"],
  ])("%s with PKCE opens a session with the method %s", async (way, method) => {
    const email = freshEmail();
    const client = pkceClient();
    if (way === "signUp") await client.auth.signUp({ email, password: PASSWORD });
    else {
      await api.signIn(email);
      await client.auth.signInWithOtp({ email });
    }
    const code = await codeBehind((await takeMail(api, email)).link);
    expect((await client.auth.exchangeCodeForSession(code)).error).toBeNull();
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ amr: [{ method }] });
  });

  test("an email change with PKCE also results in a code", async () => {
    const [old, next] = [freshEmail(), freshEmail()];
    const client = pkceClient();
    await api.signIn(old);
    await client.auth.signInWithPassword({ email: old, password: PASSWORD });
    await client.auth.updateUser({ email: next });
    expect(fragmentOf(await openLink(api, (await takeMail(api, old)).link))).toMatchObject({ sb: "" });
    const code = await codeBehind((await takeMail(api, next)).link);
    expect((await client.auth.exchangeCodeForSession(code)).data.user?.email).toBe(next);
  });

  test("the mailed code of a PKCE flow works without the verifier", async () => {
    const email = freshEmail();
    const client = pkceClient();
    await client.auth.signInWithOtp({ email });
    const { code } = await takeMail(api, email);
    expect((await api.client().auth.verifyOtp({ email, token: code, type: "email" })).error).toBeNull();
  });

  test("a code works once, for five minutes, and only with its verifier", async () => {
    const used = await recover(s256);
    expect((await exchange(used, verifier)).status).toBe(200);
    expect((await exchange(used, verifier)).body).toMatchObject({ code: 404, error_code: "flow_state_not_found" });
    const stolen = await recover(s256);
    expect((await exchange(stolen, "w".repeat(64))).body).toMatchObject({ code: 400, error_code: "bad_code_verifier" });
    expect((await exchange(stolen, verifier)).body.error_code).toBe("flow_state_not_found");
    const old = await recover(s256);
    await api.sql("update auth.flow_state set auth_code_issued_at = now() - interval '301 seconds' where auth_code = $1", [old]);
    expect((await exchange(old, verifier)).body).toMatchObject({ code: 422, error_code: "flow_state_expired" });
    const plain = await recover({ code_challenge: verifier, code_challenge_method: "PLAIN" });
    expect((await exchange(plain, verifier)).status).toBe(200);
  });

  test.each([
    ["a change of password", (id: string) => api.client(SECRET_KEY).auth.admin.updateUserById(id, { password: "another good password" })],
    ["a soft deletion", (id: string) => api.client(SECRET_KEY).auth.admin.deleteUser(id, true)],
  ])("%s of the account ends an issued code", async (_, change) => {
    const code = await recover(s256);
    const [flow] = await api.sql("select user_id from auth.flow_state where auth_code = $1", [code]);
    expect((await change(String(flow?.user_id))).error).toBeNull();
    expect((await exchange(code, verifier)).body.error_code).toBe("flow_state_not_found");
  });

  test("a code is refused before the link of its flow was opened", async () => {
    const email = freshEmail();
    await api.signIn(email);
    await api.send("POST", "/recover", { body: { email, ...s256 } });
    const [row] = await api.sql("select auth_code from auth.flow_state where auth_code_issued_at is null order by created_at desc limit 1");
    expect((await exchange(String(row?.auth_code), verifier)).body.error_code).toBe("flow_state_not_found");
  });

  test("the code and the verifier are both required", async () => {
    for (const [code, secret] of [
      ["", verifier],
      ["code", ""],
    ] as const)
      expect((await exchange(code, secret)).body).toMatchObject({ code: 400, error_code: "validation_failed" });
  });

  test("an invalid link reports its error in the query too", async () => {
    const page = await openLink(api, `${SITE_URL}/auth/v1/verify?token=pkce_ff&type=recovery`);
    expect(page.searchParams.get("error_code")).toBe("otp_expired");
    expect(fragmentOf(page)).toMatchObject({ error: "access_denied", error_code: "otp_expired" });
  });
});
