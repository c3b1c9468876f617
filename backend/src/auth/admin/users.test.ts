import { hash } from "@node-rs/argon2";
import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../db/database.ts";
import { describeDatabases } from "../../../test/database.ts";
import { PASSWORD, SECRET_KEY, startAuth, type Answer, type TestAuth } from "../fixture.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

describeDatabases("administration of accounts", (open) => {
  let database: Database;
  let api: TestAuth;
  let admin: ReturnType<TestAuth["client"]>["auth"]["admin"];
  let accounts = 0;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
    admin = api.client(SECRET_KEY).auth.admin;
  });

  const freshEmail = (): string => `account${(accounts += 1)}@larkfell.example`;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.send(method, path, { token: SECRET_KEY, ...(body !== undefined && { body }) });
  const make = async (more: object = {}): Promise<string> => {
    const { data } = await admin.createUser({ email: freshEmail(), password: PASSWORD, email_confirm: true, ...more });
    return data.user?.id ?? "";
  };

  test("an account is created with all given fields", async () => {
    const email = freshEmail();
    const { data, error } = await admin.createUser({
      id: "11111111-1111-4111-8111-111111111111",
      email: email.toUpperCase(),
      phone: "+44 7700 900001",
      password: "weak",
      email_confirm: true,
      user_metadata: { name: "Ada" },
      app_metadata: { team: "first aid" },
      role: "trainer",
      ban_duration: "1h30m",
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      id: "11111111-1111-4111-8111-111111111111",
      email,
      phone: "447700900001",
      role: "trainer",
      email_confirmed_at: expect.any(String),
      user_metadata: { name: "Ada", email_verified: true },
      app_metadata: { team: "first aid", provider: "email", providers: ["email", "phone"] },
    });
    expect(data.user?.phone_confirmed_at).toBeUndefined();
    expect(data.user?.identities?.map(({ provider }) => provider).toSorted()).toEqual(["email", "phone"]);
    const minutes = (Date.parse(data.user?.banned_until ?? "") - Date.now()) / 60_000;
    expect(Math.round(minutes)).toBe(90);
  });

  test("an imported argon2 hash signs in", async () => {
    const email = freshEmail();
    const made = await send("POST", "/admin/users", { email, email_confirm: true, password_hash: await hash("from elsewhere") });
    expect(made.status).toBe(200);
    expect((await api.client().auth.signInWithPassword({ email, password: "from elsewhere" })).error).toBeNull();
  });

  const notMade: [input: string, body: object, status: number, code: string, message: string][] = [
    ["no address", { password: PASSWORD }, 400, "validation_failed", "Cannot create a user without either an email or phone"],
    [
      "a taken address",
      { email: "TAKEN@larkfell.example" },
      422,
      "email_exists",
      "A user with this email address has already been registered",
    ],
    ["a taken phone number", { phone: "+447700900999" }, 422, "phone_exists", "Phone number already registered by another user"],
    [
      "a taken id",
      { id: "22222222-2222-4222-8222-222222222222", email: "x@larkfell.example" },
      409,
      "conflict",
      "A user with this id already exists",
    ],
    ["a malformed id", { id: "1", email: "x@larkfell.example" }, 400, "validation_failed", "ID must be a valid UUID"],
    [
      "the nil id",
      { id: "00000000-0000-0000-0000-000000000000", email: "x@larkfell.example" },
      400,
      "validation_failed",
      "ID must be a valid UUID",
    ],
    [
      "a password and a hash",
      { email: "x@larkfell.example", password: "a", password_hash: `$2a$10$${"x".repeat(53)}` },
      400,
      "validation_failed",
      "Only a password or a password hash should be provided",
    ],
    [
      "a hash of an unknown kind",
      { email: "x@larkfell.example", password_hash: "$1$md5" },
      400,
      "validation_failed",
      "Unsupported password hash",
    ],
    [
      "a ban without unit",
      { email: "x@larkfell.example", ban_duration: "24" },
      400,
      "validation_failed",
      'invalid format for ban duration: "24"',
    ],
    [
      "a ban of ages",
      { email: "x@larkfell.example", ban_duration: "9999999h" },
      400,
      "validation_failed",
      'invalid format for ban duration: "9999999h"',
    ],
    ["a malformed address", { email: "x" }, 400, "validation_failed", "Unable to validate email address: invalid format"],
    [
      "73 bytes of password",
      { email: "x@larkfell.example", password: "x".repeat(73) },
      400,
      "validation_failed",
      "Password cannot be longer than 72 characters",
    ],
  ];
  test.each(notMade)("%s creates no account", async (_input, body, status, code, message) => {
    await admin.createUser({ id: "22222222-2222-4222-8222-222222222222", email: "taken@larkfell.example", phone: "+447700900999" });
    const answer = await send("POST", "/admin/users", body);
    expect(answer.body).toEqual({ code: status, error_code: code, msg: message });
    expect(answer.status).toBe(status);
    expect((await send("GET", "/admin/users?filter=x@larkfell")).body.users).toEqual([]);
  });

  test("accounts are listed newest first, in pages with links to the next and the last page", async () => {
    const fresh = await open();
    const { client, send: ask } = await startAuth(fresh);
    for (const name of ["a", "b", "c", "d", "e"]) await client(SECRET_KEY).auth.admin.createUser({ email: `${name}@larkfell.example` });
    const { data } = await client(SECRET_KEY).auth.admin.listUsers({ page: 1, perPage: 2 });
    expect(data.users.map(({ email }) => email)).toEqual(["e@larkfell.example", "d@larkfell.example"]);
    expect(data).toMatchObject({ aud: "authenticated", nextPage: 2, lastPage: 3, total: 5 });
    const { data: last } = await client(SECRET_KEY).auth.admin.listUsers({ page: 3, perPage: 2 });
    expect(last.users.map(({ email }) => email)).toEqual(["a@larkfell.example"]);
    expect(last).toMatchObject({ nextPage: null, lastPage: 3 });

    const filtered = await ask("GET", "/admin/users?filter=B%40lark&sort=created_at%20asc", { token: SECRET_KEY });
    expect(filtered.body.users).toEqual([expect.objectContaining({ email: "b@larkfell.example" })]);
    expect((await ask("GET", "/admin/users?filter=%25", { token: SECRET_KEY })).body.users).toEqual([]);
    const oldest = await ask("GET", "/admin/users?sort=created_at%20asc&per_page=1", { token: SECRET_KEY });
    expect(oldest.body.users).toEqual([expect.objectContaining({ email: "a@larkfell.example" })]);
  });

  test.each(["page=0", "page=-1", "page=x", "per_page=0", "per_page=1.5", "page=99999999999"])("paging by %s is refused", async (query) => {
    const { status, body } = await send("GET", `/admin/users?${query}`);
    expect([status, body.error_code]).toEqual([400, "validation_failed"]);
  });

  test("an account is found by its id", async () => {
    const id = await make();
    expect((await admin.getUserById(id)).data.user?.id).toBe(id);
  });

  test.each(["GET", "PUT", "DELETE"])("%s of a missing account is not found", async (method) => {
    const body = method === "GET" ? undefined : {};
    expect((await send(method, `/admin/users/${NOBODY}`, body)).body).toEqual({
      code: 404,
      error_code: "user_not_found",
      msg: "User not found",
    });
    expect((await send(method, "/admin/users/me", body)).body).toEqual({
      code: 404,
      error_code: "validation_failed",
      msg: "user_id must be an UUID",
    });
  });

  test("an account's address, password and metadata change at once, and its sessions end", async () => {
    const [before, after] = [freshEmail(), freshEmail()];
    const session = await api.signIn(before);
    const { data, error } = await admin.updateUserById(session.user.id, {
      email: after,
      password: "another good password",
      user_metadata: { name: "Ada", email_verified: null },
      app_metadata: { team: "first aid" },
    });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: after,
      user_metadata: { name: "Ada" },
      app_metadata: { team: "first aid", provider: "email" },
    });
    expect(data.user?.user_metadata).not.toHaveProperty("email_verified");
    expect(data.user?.identities).toEqual([
      expect.objectContaining({ email: after, identity_data: expect.objectContaining({ email: after }) }),
    ]);
    expect((await api.send("GET", "/user", { token: session.access_token })).status).toBe(403);
    expect((await api.client().auth.signInWithPassword({ email: after, password: "another good password" })).error).toBeNull();
    expect((await api.client().auth.signInWithPassword({ email: before, password: PASSWORD })).error).not.toBeNull();
  });

  test("an unconfirmed account can be confirmed", async () => {
    const id = await make({ email_confirm: false });
    const { data } = await admin.updateUserById(id, { email_confirm: true });
    expect(data.user).toMatchObject({ email_confirmed_at: expect.any(String), user_metadata: { email_verified: true } });
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true });
  });

  test("a ban can be set and lifted", async () => {
    const id = await make();
    expect((await admin.updateUserById(id, { ban_duration: "24h" })).data.user?.banned_until).toEqual(expect.any(String));
    expect((await admin.updateUserById(id, { user_metadata: {} })).data.user?.banned_until).toEqual(expect.any(String));
    expect((await admin.updateUserById(id, { ban_duration: "none" })).data.user?.banned_until).toBeUndefined();
  });

  const notChanged: [input: string, body: object, status: number, code: string][] = [
    ["a weak password", { password: "short" }, 422, "weak_password"],
    ["a taken address", { email: "taken@larkfell.example" }, 422, "email_exists"],
    ["a malformed ban duration", { ban_duration: "soon" }, 400, "validation_failed"],
  ];
  test.each(notChanged)("%s changes nothing", async (_input, body, status, code) => {
    await admin.createUser({ email: "taken@larkfell.example" });
    const id = await make();
    const before = await admin.getUserById(id);
    const answer = await send("PUT", `/admin/users/${id}`, { user_metadata: { changed: true }, ...body });
    expect([answer.status, answer.body.error_code]).toEqual([status, code]);
    expect((await admin.getUserById(id)).data).toEqual(before.data);
  });

  test("deleting an account ends its sessions", async () => {
    const session = await api.signIn(freshEmail());
    const answer = await send("DELETE", `/admin/users/${session.user.id}`);
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect((await api.send("GET", "/user", { token: session.access_token })).body.error_code).toBe("user_not_found");
    expect((await admin.getUserById(session.user.id)).error).toMatchObject({ status: 404, code: "user_not_found" });
  });

  test("a soft delete keeps the row without personal data and releases the address", async () => {
    const email = freshEmail();
    const session = await api.signIn(email);
    expect((await admin.deleteUser(session.user.id, true)).error).toBeNull();
    const { data } = await admin.getUserById(session.user.id);
    expect(data.user).toMatchObject({ deleted_at: expect.any(String), user_metadata: {}, app_metadata: {} });
    const rows = await api.sql(
      "select to_json(u) as u, to_json(i) as i from auth.users u join auth.identities i on i.user_id = u.id where u.id = $1",
      [session.user.id],
    );
    expect(JSON.stringify(rows)).not.toContain(email);
    expect((await api.send("GET", "/user", { token: session.access_token })).body.error_code).toBe("session_not_found");
    expect((await api.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toMatchObject({
      code: "invalid_credentials",
    });
    expect((await admin.deleteUser(session.user.id, true)).error).toBeNull();
    expect((await admin.createUser({ email })).error).toBeNull();
  });

  test("an account that other data refers to is not deleted", async () => {
    const id = await make();
    await api.sql("create table public.papers (owner uuid references auth.users)");
    await api.sql("insert into public.papers values ($1)", [id]);
    const answer = await send("DELETE", `/admin/users/${id}`, {});
    expect([answer.status, answer.body.error_code]).toEqual([409, "conflict"]);
    await api.sql("drop table public.papers");
  });

  test("the audit log records the acts of an administrator", async () => {
    const id = await make();
    await admin.updateUserById(id, { user_metadata: { a: 1 } });
    await admin.deleteUser(id);
    const rows = await api.sql(
      "select payload ->> 'action' as action from auth.audit_log_entries where payload -> 'traits' ->> 'user_id' = $1 order by created_at",
      [id],
    );
    expect(rows).toEqual([{ action: "user_signedup" }, { action: "user_modified" }, { action: "user_deleted" }]);
  });
});
