import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import type { Database } from "../../db/database.ts";
import { PASSWORD, SECRET_KEY, SITE_URL, startAuth, type TestAuth } from "../fixture.ts";
import { openLink, takeMail, takeMails, fragmentOf } from "../mail/outbox-fixture.ts";

describeDatabases("invitations and links for staff", (open) => {
  let database: Database;
  let api: TestAuth;
  let admin: ReturnType<TestAuth["client"]>["auth"]["admin"];

  beforeAll(async () => {
    database = await open();
    // Nobody signs up here: that accounts come by invitation must not stop invitations.
    api = await startAuth(database, { enable_signup: false, email: { max_frequency: "0s" } });
    admin = api.client(SECRET_KEY).auth.admin;
    await api.signIn("known@larkfell.example");
  });

  test("an invitation opens an account, which then chooses a password", async () => {
    const email = "invited@larkfell.example";
    const { data, error } = await admin.inviteUserByEmail(email, { data: { team: "first aid" }, redirectTo: `${SITE_URL}/admin/welcome` });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { team: "first aid" } });
    expect(data.user?.invited_at).toBeDefined();
    expect(data.user?.confirmation_sent_at).toBeDefined();
    expect(data.user?.email_confirmed_at).toBeUndefined();
    const mail = await takeMail(api, email);
    expect(mail.kind).toBe("invite");
    const page = await openLink(api, mail.link);
    expect(page.pathname).toBe("/admin/welcome");
    const { access_token = "", refresh_token = "", type } = fragmentOf(page);
    expect(type).toBe("invite");
    const client = api.client();
    await client.auth.setSession({ access_token, refresh_token });
    expect((await client.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("an invitation can be repeated until the account is confirmed", async () => {
    const email = "twice@larkfell.example";
    const { data: first } = await admin.inviteUserByEmail(email);
    const { data: second } = await admin.inviteUserByEmail(email);
    expect(second.user?.id).toBe(first.user?.id);
    const [, mail] = await takeMails(api, email);
    expect((await api.client().auth.verifyOtp({ token_hash: mail?.hash ?? "", type: "invite" })).error).toBeNull();
    const { error } = await admin.inviteUserByEmail(email);
    expect(error).toMatchObject({ status: 422, code: "email_exists" });
  });

  test("an invitation deletes a password that was set before", async () => {
    const email = "claimed@larkfell.example";
    const squatted = await startAuth(database, { email: { enable_confirmations: true, max_frequency: "0s" } });
    await squatted.client().auth.signUp({ email, password: "the squatter's password" });
    await admin.inviteUserByEmail(email);
    const mail = (await takeMails(api, email)).find(({ kind }) => kind === "invite");
    expect((await api.client().auth.verifyOtp({ token_hash: mail?.hash ?? "", type: "invite" })).error).toBeNull();
    const { error } = await api.client().auth.signInWithPassword({ email, password: "the squatter's password" });
    expect(error?.code).toBe("invalid_credentials");
  });

  test.each(["magiclink", "recovery"] as const)("a %s link signs in, and no mail is sent", async (type) => {
    const { data, error } = await admin.generateLink({ type, email: "known@larkfell.example", options: { redirectTo: `${SITE_URL}/in` } });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email: "known@larkfell.example" });
    expect(data.properties).toMatchObject({ verification_type: type, redirect_to: `${SITE_URL}/in` });
    expect(data.properties?.action_link).toContain(`${SITE_URL}/auth/v1/verify?token=${data.properties?.hashed_token}&type=${type}`);
    expect(await takeMails(api, "known@larkfell.example")).toEqual([]);
    expect(fragmentOf(await openLink(api, data.properties?.action_link ?? "")).type).toBe(type);
  });

  test("the code of a link signs in", async () => {
    const { data } = await admin.generateLink({ type: "magiclink", email: "known@larkfell.example" });
    const token = data.properties?.email_otp ?? "";
    expect((await api.client().auth.verifyOtp({ email: "known@larkfell.example", token, type: "email" })).error).toBeNull();
  });

  test("a sign-up link creates an account with its password", async () => {
    const email = "made@larkfell.example";
    const { data, error } = await admin.generateLink({ type: "signup", email, password: PASSWORD, options: { data: { name: "Ada" } } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toMatchObject({ name: "Ada" });
    await openLink(api, data.properties?.action_link ?? "");
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  });

  test("a sign-in link for an unknown address creates an account", async () => {
    const { data } = await admin.generateLink({ type: "magiclink", email: "stranger@larkfell.example" });
    expect(data.properties?.verification_type).toBe("signup");
  });

  test("an invitation link records its time", async () => {
    const { data } = await admin.generateLink({ type: "invite", email: "linked@larkfell.example" });
    expect(data.user?.invited_at).toBeDefined();
    expect(data.properties?.verification_type).toBe("invite");
  });

  test("each link of an email change is valid for its own address", async () => {
    await api.signIn("moving@larkfell.example");
    const change = { email: "moving@larkfell.example", newEmail: "moved@larkfell.example" };
    const { data: current } = await admin.generateLink({ type: "email_change_current", ...change });
    const { data: next } = await admin.generateLink({ type: "email_change_new", ...change });
    expect(fragmentOf(await openLink(api, current.properties?.action_link ?? "")).message).toMatch(/^Confirmation link accepted/);
    expect(fragmentOf(await openLink(api, next.properties?.action_link ?? "")).type).toBe("email_change");
    expect((await api.client().auth.signInWithPassword({ email: "moved@larkfell.example", password: PASSWORD })).error).toBeNull();
  });

  test("an administrator ends all sessions of an account", async () => {
    const session = await api.signIn("leaving@larkfell.example");
    const path = `/admin/users/${session.user.id}/logout`;
    expect((await api.send("POST", path, { token: session.access_token })).body.error_code).toBe("not_admin");
    expect((await api.send("POST", path, { token: SECRET_KEY })).status).toBe(204);
    expect((await api.send("GET", "/user", { token: session.access_token })).body.error_code).toBe("session_not_found");
    expect((await api.send("POST", "/admin/users/x/logout", { token: SECRET_KEY })).status).toBe(404);
  });

  test("supabase-js with the secret key ends the other sessions of a given token's account", async () => {
    const email = "guarded@larkfell.example";
    const here = await api.signIn(email);
    const { data: there } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect((await admin.signOut(here.access_token, "others")).error).toBeNull();
    expect((await api.send("GET", "/user", { token: here.access_token })).status).toBe(200);
    expect((await api.send("GET", "/user", { token: there.session?.access_token ?? "" })).status).toBe(403);
  });

  const known = "known@larkfell.example";
  const refused: [path: string, input: string, body: unknown, status: number, code: string, message: string][] = [
    ["/invite", "no address", {}, 400, "validation_failed", "An email address is required"],
    ["/invite", "a malformed address", { email: "a@" }, 400, "validation_failed", "Unable to validate email address: invalid format"],
    [
      "/invite",
      "the address of a confirmed account",
      { email: known },
      422,
      "email_exists",
      "A user with this email address has already been registered",
    ],
    [
      "/admin/generate_link",
      "an unknown type",
      { email: known, type: "fax" },
      400,
      "validation_failed",
      "Invalid email action link type requested: fax",
    ],
    [
      "/admin/generate_link",
      "a code's type",
      { email: known, type: "reauthentication" },
      400,
      "validation_failed",
      "Invalid email action link type requested: reauthentication",
    ],
    ["/admin/generate_link", "no address", { type: "magiclink" }, 400, "validation_failed", "An email address is required"],
    [
      "/admin/generate_link",
      "no password to sign up with",
      { email: "x@b.example", type: "signup" },
      400,
      "validation_failed",
      "Signup requires a valid password",
    ],
    [
      "/admin/generate_link",
      "the address of a confirmed account",
      { email: known, type: "signup", password: PASSWORD },
      422,
      "email_exists",
      "A user with this email address has already been registered",
    ],
    [
      "/admin/generate_link",
      "an unknown address to recover",
      { email: "x@b.example", type: "recovery" },
      404,
      "user_not_found",
      "User with this email not found",
    ],
    [
      "/admin/generate_link",
      "an invitation for a confirmed account",
      { email: known, type: "invite" },
      422,
      "email_exists",
      "A user with this email address has already been registered",
    ],
    [
      "/admin/generate_link",
      "an unknown address to change",
      { email: "x@b.example", new_email: "y@b.example", type: "email_change_current" },
      404,
      "user_not_found",
      "User with this email not found",
    ],
    [
      "/admin/generate_link",
      "a taken new address",
      { email: known, new_email: known, type: "email_change_new" },
      422,
      "email_exists",
      "A user with this email address has already been registered",
    ],
  ];
  test.each(refused)("%s with %s is refused", async (path, _input, body, status, code, message) => {
    const answer = await api.send("POST", path, { body, token: SECRET_KEY });
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
  });

  test("a confirmed account cannot be invited, and another one once per minute", async () => {
    const slow = await startAuth(database);
    const again = async (email: string): Promise<unknown> => {
      await slow.send("POST", "/invite", { body: { email }, token: SECRET_KEY });
      return (await slow.send("POST", "/invite", { body: { email }, token: SECRET_KEY })).body.error_code;
    };
    expect(await again(known)).toBe("email_exists");
    expect(await again("waiting@larkfell.example")).toBe("over_email_send_rate_limit");
  });

  test("both endpoints require the secret key", async () => {
    const { access_token: token } = await api.signIn("curious@larkfell.example");
    for (const path of ["/invite", "/admin/generate_link"])
      expect((await api.send("POST", path, { body: { email: known, type: "recovery" }, token })).body.error_code).toBe("not_admin");
  });
});
