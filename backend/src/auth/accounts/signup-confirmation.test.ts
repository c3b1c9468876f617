import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { PASSWORD, startAuth, type TestAuth } from "../fixture.ts";
import { openLink, takeMail, takeMails, fragmentOf } from "../mail/outbox-fixture.ts";

describeDatabases("sign-up with confirmation", (open) => {
  let api: TestAuth;

  beforeAll(async () => {
    api = await startAuth(await open(), { email: { enable_confirmations: true, max_frequency: "0s" } });
  });

  test("an account can sign in after its address is confirmed", async () => {
    const email = "new@larkfell.example";
    const { data, error } = await api.client().auth.signUp({ email, password: PASSWORD, options: { data: { name: "Ada" } } });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, role: "authenticated", user_metadata: { name: "Ada", email_verified: false } });
    expect(data.user?.identities).toHaveLength(1);
    expect(data.user?.confirmation_sent_at).toBeDefined();
    const early = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(early.error).toMatchObject({ status: 400, code: "email_not_confirmed" });

    const { kind, link } = await takeMail(api, email);
    expect(kind).toBe("confirmation");
    expect(fragmentOf(await openLink(api, link))).toMatchObject({ type: "signup", token_type: "bearer" });
    expect(fragmentOf(await openLink(api, link))).toMatchObject({ error: "access_denied", error_code: "otp_expired" });
    const late = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(late.data.user).toMatchObject({ id: data.user?.id, user_metadata: { email_verified: true } });
    expect(late.data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true });
  });

  test("an existing account is neither changed nor mailed, and the response has no identities", async () => {
    const email = "there@larkfell.example";
    const { user } = await api.signIn(email);
    const { data, error } = await api.client().auth.signUp({ email, password: "another password", options: { data: { name: "Eve" } } });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({ email, role: "", identities: [], user_metadata: { name: "Eve" } });
    expect(data.user?.id).not.toBe(user.id);
    expect(data.user?.last_sign_in_at).toBeUndefined();
    expect(await takeMails(api, email)).toEqual([]);
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("an unconfirmed account gets another mail and keeps its password", async () => {
    const email = "pending@larkfell.example";
    const { data: first } = await api.client().auth.signUp({ email, password: PASSWORD });
    const { data: second } = await api.client().auth.signUp({ email, password: "another password" });
    expect(second.user?.id).toBe(first.user?.id);
    const [, mail] = await takeMails(api, email);
    expect((await api.client().auth.verifyOtp({ email, token: mail?.code ?? "", type: "signup" })).error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("resend mails the confirmation again, only if one is pending", async () => {
    const email = "lost@larkfell.example";
    await api.client().auth.signUp({ email, password: PASSWORD });
    const first = await takeMail(api, email);
    expect((await api.client().auth.resend({ type: "signup", email })).error).toBeNull();
    const second = await takeMail(api, email);
    expect((await api.client().auth.verifyOtp({ token_hash: first.hash, type: "signup" })).error?.code).toBe("otp_expired");
    expect((await api.client().auth.verifyOtp({ token_hash: second.hash, type: "signup" })).error).toBeNull();
    expect((await api.client().auth.resend({ type: "signup", email })).error).toBeNull();
    expect((await api.client().auth.resend({ type: "email_change", email })).error).toBeNull();
    expect(await takeMails(api, email)).toEqual([]);
  });

  test("a sign-in code confirms the account too", async () => {
    const email = "otp@larkfell.example";
    await api.client().auth.signInWithOtp({ email });
    const { kind, code } = await takeMail(api, email);
    expect(kind).toBe("confirmation");
    const { data } = await api.client().auth.verifyOtp({ email, token: code, type: "email" });
    expect(data.user?.email_confirmed_at).toBeDefined();
  });

  test("an anonymous account gets an address after its confirmation", async () => {
    const anonymous = await startAuth(await open(), { enable_anonymous_sign_ins: true, email: { enable_confirmations: true } });
    const client = anonymous.client();
    const { data: before } = await client.auth.signInAnonymously();
    const { data, error } = await client.auth.updateUser({ email: "known@larkfell.example", password: PASSWORD });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ is_anonymous: true, email: "", new_email: "known@larkfell.example" });
    const { hash } = await takeMail(anonymous, "known@larkfell.example");
    const after = await anonymous.client().auth.verifyOtp({ token_hash: hash, type: "email_change" });
    expect(after.data.user).toMatchObject({ id: before.user?.id, is_anonymous: false, email: "known@larkfell.example" });
    expect(after.data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
    const { error: wrong } = await anonymous.client().auth.signInWithPassword({ email: "known@larkfell.example", password: PASSWORD });
    expect(wrong).toBeNull();
  });
});
