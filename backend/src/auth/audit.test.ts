import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import { PASSWORD, SECRET_KEY, startAuth, type TestAuth } from "./fixture.ts";
import { openLink, takeMail } from "./mail/outbox-fixture.ts";

describeDatabases("the audit log", (open) => {
  let api: TestAuth;
  let admin: ReturnType<TestAuth["client"]>["auth"]["admin"];

  beforeAll(async () => {
    api = await startAuth(await open(), { email: { max_frequency: "0s" } });
    admin = api.client(SECRET_KEY).auth.admin;
  });

  /** Returns the audit entries that `act` wrote: action and actor. */
  async function entriesOf(act: () => Promise<unknown>): Promise<[action: unknown, who: unknown][]> {
    await api.sql("delete from auth.audit_log_entries");
    await act();
    const rows = await api.sql(
      "select payload ->> 'action' as action, payload ->> 'actor_username' as who from auth.audit_log_entries order by created_at, payload ->> 'action'",
    );
    return rows.map(({ action, who }) => [action, who]);
  }

  const email = "watched@larkfell.example";
  let token = "";
  let refreshToken = "";
  const password = "another good password";
  const signIn = (given: string): Promise<unknown> => api.client().auth.signInWithPassword({ email, password: given });

  // The steps build on each other.
  const acts: [what: string, act: () => Promise<unknown>, written: [action: string, who: string][]][] = [
    ["an invitation", () => admin.inviteUserByEmail(email), [["user_invited", "service_role"]]],
    [
      "the acceptance of an invitation",
      async () => openLink(api, (await takeMail(api, email)).link),
      [
        ["login", email],
        ["user_verified", email],
      ],
    ],
    [
      "a password set by an administrator",
      async () => admin.updateUserById(await idOf(), { password: PASSWORD }),
      [
        ["user_modified", "service_role"],
        ["user_updated_password", "service_role"],
      ],
    ],
    ["a wrong password", () => signIn("wrong"), [["login_failed", email]]],
    [
      "the password of an unknown address",
      () => api.client().auth.signInWithPassword({ email: "x@b.example", password }),
      [["login_failed", "unknown"]],
    ],
    [
      "a sign-in",
      async () => {
        const { data } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
        [token, refreshToken] = [data.session?.access_token ?? "", data.session?.refresh_token ?? ""];
      },
      [["login", email]],
    ],
    [
      "a refresh",
      () => api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: refreshToken } }),
      [
        ["token_refreshed", email],
        ["token_revoked", email],
      ],
    ],
    [
      "a new password",
      () => api.send("PUT", "/user", { token, body: { password } }),
      [
        ["user_modified", email],
        ["user_updated_password", email],
      ],
    ],
    ["a recovery", () => api.client().auth.resetPasswordForEmail(email), [["user_recovery_requested", email]]],
    ["a wrong code", () => api.client().auth.verifyOtp({ email, token: "x", type: "recovery" }), [["login_failed", "unknown"]]],
    ["a code for a new password", () => api.send("GET", "/reauthenticate", { token }), [["user_reauthenticate_requested", email]]],
    ["a link by an administrator", () => admin.generateLink({ type: "recovery", email }), [["link_generated", "service_role"]]],
    ["a ban", async () => admin.updateUserById(await idOf(), { ban_duration: "1h" }), [["user_modified", "service_role"]]],
    ["a banned sign-in", () => signIn(password), [["login_failed", email]]],
    ["its end", async () => admin.updateUserById(await idOf(), { ban_duration: "none" }), [["user_modified", "service_role"]]],
    ["a sign-out", () => api.send("POST", "/logout", { token }), [["logout", email]]],
    [
      "being signed out",
      async () => api.send("POST", `/admin/users/${await idOf()}/logout`, { token: SECRET_KEY }),
      [["logout", "service_role"]],
    ],
    ["a deletion", async () => admin.deleteUser(await idOf()), [["user_deleted", "service_role"]]],
  ];

  async function idOf(): Promise<string> {
    const [row] = await api.sql("select id from auth.users where email = $1", [email]);
    return String(row?.id);
  }

  test("records every event of an account with its actor", async () => {
    for (const [what, act, written] of acts) expect(await entriesOf(act), what).toEqual(written);
  });

  test("contains no passwords or tokens, nor do the logs", async () => {
    const all = JSON.stringify(await api.sql("select payload from auth.audit_log_entries")) + api.logged.join("");
    for (const secret of [PASSWORD, password, token, refreshToken]) expect(all).not.toContain(secret);
  });
});
