import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { PASSWORD, SECRET_KEY, startAuth, type Answer, type TestAuth } from "../fixture.ts";
import { takeMail } from "../mail/outbox-fixture.ts";

describeDatabases("changing a password with reauthentication", (open) => {
  let database: Database;
  let api: TestAuth;
  let accounts = 0;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { email: { secure_password_change: true, max_frequency: "0s" } });
  });

  const freshEmail = (): string => `person${(accounts += 1)}@larkfell.example`;
  const age = (session: string): Promise<unknown> =>
    api.sql("update auth.sessions set created_at = now() - interval '25 hours' where user_id = $1", [session]);

  test("an old session needs the mailed code, which works once", async () => {
    const email = freshEmail();
    const session = await api.signIn(email);
    const client = api.client();
    await client.auth.setSession(session);
    await age(session.user.id);
    const refused = await client.auth.updateUser({ password: "another good password" });
    expect(refused.error).toMatchObject({ status: 400, code: "reauthentication_needed" });
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const mail = await takeMail(api, email);
    expect(mail).toMatchObject({ kind: "reauthentication", link: "" });
    const wrong = await client.auth.updateUser({ password: "another good password", nonce: mail.code === "000000" ? "1" : "000000" });
    expect(wrong.error).toMatchObject({ status: 422, code: "reauthentication_not_valid" });
    expect((await client.auth.updateUser({ password: "another good password", nonce: mail.code })).error).toBeNull();
    const again = await client.auth.updateUser({ password: "a third good password", nonce: mail.code });
    expect(again.error?.code).toBe("reauthentication_not_valid");
    expect((await api.client().auth.signInWithPassword({ email, password: "another good password" })).error).toBeNull();
  });

  test("the code of one person does not work for another", async () => {
    const [mine, theirs] = [freshEmail(), freshEmail()];
    const [me, them] = [await api.signIn(mine), await api.signIn(theirs)];
    await age(me.user.id);
    await api.send("GET", "/reauthenticate", { token: them.access_token });
    const { code } = await takeMail(api, theirs);
    const answer = await api.send("PUT", "/user", { token: me.access_token, body: { password: "another good password", nonce: code } });
    expect(answer.body.error_code).toBe("reauthentication_not_valid");
  });

  test("guesses of strangers at the codes of an address do not delay the change of its password", async () => {
    const email = freshEmail();
    const { access_token: token, user } = await api.signIn(email);
    await age(user.id);
    const guess = { body: { email, token: "000000", type: "email" } };
    await Promise.all(Array.from({ length: 30 }, () => api.send("POST", "/verify", guess)));
    await api.send("GET", "/reauthenticate", { token });
    const change = (nonce: string): Promise<Answer> =>
      api.send("PUT", "/user", { token, body: { password: "another good password", nonce } });
    const { code } = await takeMail(api, email);
    expect((await change(code)).status).toBe(200);
    await age(user.id);
    const answers = await Promise.all(Array.from({ length: 30 }, () => change("000000")));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  test("a fresh session needs no code", async () => {
    const client = api.client();
    await client.auth.setSession(await api.signIn(freshEmail()));
    expect((await client.auth.updateUser({ password: "another good password" })).error).toBeNull();
  });

  test("the old password is required if the project is configured so", async () => {
    const asking = await startAuth(database, { email: { require_current_password: true } });
    const { access_token: token } = await asking.signIn(freshEmail());
    const put = async (body: object): Promise<unknown> =>
      (await asking.send("PUT", "/user", { token, body: { password: "another good password", ...body } })).body.error_code;
    expect(await put({})).toBe("current_password_required");
    expect(await put({ current_password: "wrong" })).toBe("current_password_invalid");
    expect(await put({ current_password: PASSWORD })).toBeUndefined();
  });

  test("a session that a mailed link opened needs no old password", async () => {
    const asking = await startAuth(database, { email: { require_current_password: true, max_frequency: "0s" } });
    const email = freshEmail();
    await asking.signIn(email);
    const client = asking.client();
    await client.auth.resetPasswordForEmail(email);
    const { hash } = await takeMail(asking, email);
    expect((await client.auth.verifyOtp({ type: "recovery", token_hash: hash })).error).toBeNull();
    expect((await client.auth.updateUser({ password: "another good password" })).error).toBeNull();
  });

  test("an account without a confirmed address gets no code", async () => {
    const anonymous = await startAuth(database, { enable_anonymous_sign_ins: true });
    const { data } = await anonymous.client().auth.signInAnonymously();
    const nowhere = await anonymous.send("GET", "/reauthenticate", { token: data.session?.access_token ?? "" });
    expect([nowhere.status, nowhere.body.error_code]).toEqual([400, "validation_failed"]);
    for (const [column, code, text] of [
      ["email", "email_not_confirmed", "Please verify your email first."],
      ["phone", "phone_not_confirmed", "Please verify your phone first."],
    ] as const) {
      const { access_token: token, user } = await api.signIn(freshEmail());
      if (column === "phone") await api.sql("update auth.users set email = null, phone = '447700900777' where id = $1", [user.id]);
      await api.sql("update auth.users set email_confirmed_at = null where id = $1", [user.id]);
      const answer = await api.send("GET", "/reauthenticate", { token });
      expect(answer.body).toMatchObject({ code: 422, error_code: code, msg: text });
    }
    expect((await api.send("GET", "/reauthenticate", { headers: { apikey: SECRET_KEY } })).status).toBe(401);
  });
});
