import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { giveFactor } from "../support/factor.ts";
import { openProject, type Project } from "../support/project.ts";
import { sessionOf } from "../support/session.ts";
import { callStaff } from "./staff-function.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

describeDatabases("limits on staff who manage accounts", (open) => {
  let project: Project;
  let actor: Awaited<ReturnType<Project["staff"]>>;
  let colleague: Awaited<ReturnType<Project["staff"]>>;

  beforeAll(async () => {
    project = await openProject(open);
    // The first account.
    await project.staff("owner@site.example");
    actor = await project.staff("office@site.example");
    colleague = await project.staff("colleague@site.example");
  });
  // Each test starts with a fresh rate limit.
  beforeEach(async () => {
    await sql("delete from public.staff_acts");
    await sql("delete from private.rate_limit_counts");
  });

  function sql(query: string, values: string[] = []) {
    return project.database.transaction((tx) => tx.query(query, values));
  }

  test("callers without staff rights or a required second factor are refused every command, the list and the sessions", async () => {
    const { bearer, staff, service, visitor } = project;
    const factor = await staff("factor@site.example");
    await giveFactor(project, factor.id);
    const banned = await staff("banned@site.example");
    await service.auth.admin.updateUserById(banned.id, { ban_duration: "24h" });
    const anonymous = await staff("anonymous@site.example");
    const clients: Record<string, SupabaseClient> = {
      "a visitor": visitor,
      "the service itself": service,
      "staff with a second factor, at aal1": factor.client,
      "banned staff": banned.client,
      "an anonymous account": await bearer({
        sub: anonymous.id,
        role: "authenticated",
        aal: "aal1",
        is_anonymous: true,
        session_id: sessionOf(anonymous.accessToken),
      }),
      "a token for nobody": await bearer({ sub: NOBODY, role: "authenticated", aal: "aal2" }),
      "a token of the service role": await bearer({ role: "service_role" }),
    };
    for (const [who, client] of Object.entries(clients)) {
      for (const act of ["link", "disable", "enable", "remove_factor", "remove"]) {
        expect(await callStaff(client, { act, member_id: colleague.id }), `${who}: ${act}`).toMatchObject({ status: 401 });
      }
      expect(await callStaff(client, { act: "invite", email: "new@site.example" }), who).toMatchObject({ status: 401 });
      const begun = await client.rpc("begin_staff_act", { act: "remove", member_id: colleague.id });
      expect(begun.error?.code, who).toMatch(/^(42501|PGRST30\d)$/);
      expect((await client.rpc("list_staff")).error, who).not.toBeNull();
      expect((await client.rpc("own_sessions")).error, who).not.toBeNull();
      const { data } = await client.from("staff_acts").select("id");
      expect(data ?? [], who).toEqual([]);
    }
    expect(await sql("select id from public.staff_acts")).toEqual([]);
    expect(await callStaff(colleague.client, { act: "link", member_id: factor.id })).toMatchObject({ status: 200 });
  });

  test("staff with a second factor act at aal2", async () => {
    const factor = await project.staff("at-two@site.example");
    await giveFactor(project, factor.id);
    const claims = { sub: factor.id, role: "authenticated", session_id: sessionOf(factor.accessToken) };
    expect(await callStaff(await project.bearer({ ...claims, aal: "aal1" }), { act: "link", member_id: colleague.id })).toMatchObject({
      status: 401,
    });
    expect(await callStaff(await project.bearer({ ...claims, aal: "aal2" }), { act: "link", member_id: colleague.id })).toMatchObject({
      status: 200,
    });
  });

  test("an unexpired access token of an ended session has no rights", async () => {
    const deleted = await project.staff("gone@site.example");
    await sql("delete from auth.sessions where user_id = $1", [deleted.id]);
    expect(await callStaff(deleted.client, { act: "disable", member_id: colleague.id })).toMatchObject({ status: 401 });
    const borrowed = { sub: deleted.id, role: "authenticated", aal: "aal1", session_id: sessionOf(actor.accessToken) };
    expect(await callStaff(await project.bearer(borrowed), { act: "disable", member_id: colleague.id })).toMatchObject({ status: 401 });
  });

  test.each(["link", "disable", "enable", "remove_factor", "remove"])("nobody runs %s on their own account", async (act) => {
    expect(await callStaff(actor.client, { act, member_id: actor.id })).toMatchObject({ status: 403, body: { error: "own_account" } });
  });

  test("an account that is deleted or in another state is not changed", async () => {
    const { client } = actor;
    expect(await callStaff(client, { act: "remove", member_id: NOBODY })).toMatchObject({ status: 404, body: { error: "no_such_member" } });
    const changed = { status: 409, body: { error: "changed_meanwhile" } };
    expect(await callStaff(client, { act: "enable", member_id: colleague.id })).toMatchObject(changed);
    expect(await callStaff(client, { act: "remove_factor", member_id: colleague.id })).toMatchObject(changed);
    const member = await project.staff("twice@site.example");
    expect(await callStaff(client, { act: "disable", member_id: member.id })).toMatchObject({ status: 200 });
    expect(await callStaff(client, { act: "disable", member_id: member.id })).toMatchObject(changed);
    expect(await callStaff(client, { act: "link", member_id: member.id })).toMatchObject(changed);
    for (const email of ["colleague@site.example", "COLLEAGUE@site.example "])
      expect(await callStaff(client, { act: "invite", email })).toMatchObject({ status: 409, body: { error: "has_account" } });
  });

  test.each<[string, Record<string, unknown>]>([
    ["nothing in it", {}],
    ["an unknown act", { act: "promote", member_id: NOBODY }],
    ["no account", { act: "disable" }],
    ["an invalid id", { act: "disable", member_id: "1; drop table" }],
    ["an unknown field", { act: "disable", member_id: NOBODY, email: "extra@site.example" }],
    ["an invalid address", { act: "invite", email: "no address" }],
    ["a name that is too long", { act: "invite", email: "long@site.example", name: "n".repeat(121) }],
    ["a body that is too long", { act: "invite", email: "long@site.example", name: "n".repeat(5000) }],
  ])("a command with %s is refused", async (_what, body) => {
    expect(await callStaff(actor.client, body)).toMatchObject({ status: 400, body: { error: "invalid_command" } });
  });

  test("a member of staff is limited to thirty commands in ten minutes, without affecting others", async () => {
    for (let acts = 0; acts < 30; acts += 1)
      expect((await actor.client.rpc("begin_staff_act", { act: "link", member_id: colleague.id })).error).toBeNull();
    expect(await callStaff(actor.client, { act: "link", member_id: colleague.id })).toMatchObject({
      status: 429,
      body: { error: "too_many_acts" },
    });
    expect(await callStaff(colleague.client, { act: "link", member_id: actor.id })).toMatchObject({ status: 200 });
  });

  describe("an account with a second factor", () => {
    const refused = { status: 403, body: { error: "second_person_needed" } };
    let owner: SupabaseClient;
    let member: string;

    beforeAll(async () => {
      owner = (await project.staff("second-owner@site.example", "owner")).client;
      await sql("update auth.users set created_at = created_at - interval '24 hours'");
    });
    beforeEach(async () => {
      member = (await project.staff(`${crypto.randomUUID()}@site.example`)).id;
      await giveFactor(project, member);
    });

    test.each(["link", "make_owner"])("is not taken over by one person with remove_factor and %s within 24 hours", async (act) => {
      expect(await callStaff(owner, { act: "remove_factor", member_id: member })).toMatchObject({ status: 200 });
      expect(await callStaff(owner, { act, member_id: member, by_hand: true })).toMatchObject(refused);
      expect(await callStaff(colleague.client, { act: "link", member_id: member })).toMatchObject({ status: 200 });

      await giveFactor(project, member);
      await sql("delete from public.staff_acts");
      expect(await callStaff(owner, { act, member_id: member })).toMatchObject({ status: 200 });
      expect(await callStaff(owner, { act: "remove_factor", member_id: member })).toMatchObject(refused);
      await sql("update public.staff_acts set begun_at = begun_at - interval '24 hours'");
      expect(await callStaff(owner, { act: "remove_factor", member_id: member })).toMatchObject({ status: 200 });
    });

    test.each([
      ["remove_factor", "link"],
      ["link", "remove_factor"],
    ])("is not taken over with %s and, from an account that the same person just invited, %s", async (first, second) => {
      const { client: invited } = await project.staff(`${crypto.randomUUID()}@site.example`);
      expect(await callStaff(actor.client, { act: first, member_id: member })).toMatchObject({ status: 200 });
      expect(await callStaff(invited, { act: second, member_id: member })).toMatchObject(refused);

      await giveFactor(project, member);
      await sql("delete from public.staff_acts");
      expect(await callStaff(invited, { act: first, member_id: member })).toMatchObject({ status: 200 });
      expect(await callStaff(actor.client, { act: second, member_id: member })).toMatchObject(refused);
    });

    test("is not taken over with remove_factor and, from a colleague's account that the same person opened with a link, link", async () => {
      expect(await callStaff(actor.client, { act: "link", member_id: colleague.id })).toMatchObject({ status: 200 });
      expect(await callStaff(actor.client, { act: "remove_factor", member_id: member })).toMatchObject({ status: 200 });
      expect(await callStaff(colleague.client, { act: "link", member_id: member })).toMatchObject(refused);
    });
  });

  test("nobody makes a link to an account with single sign-on, whose address another account may have", async () => {
    const single = await project.staff("shared@site.example");
    await sql("update auth.users set is_sso_user = true where id = $1", [single.id]);
    const other = await project.staff("shared@site.example");
    for (const by_hand of [true, false]) {
      expect(await callStaff(actor.client, { act: "link", member_id: single.id, by_hand })).toMatchObject({
        status: 409,
        body: { error: "single_sign_on" },
      });
    }
    expect(await sql("select id from auth.one_time_tokens where user_id in ($1, $2)", [single.id, other.id])).toEqual([]);
    expect(await callStaff(actor.client, { act: "link", member_id: other.id })).toMatchObject({ status: 200 });
  });

  test("an access token of an ended or expired session reads and writes nothing", async () => {
    const { bearer, staff } = project;
    const [ended, past, none] = [await staff("ended@site.example"), await staff("past@site.example"), await staff("none@site.example")];
    await sql("delete from auth.sessions where user_id = $1", [ended.id]);
    await sql("update auth.sessions set not_after = now() where user_id = $1", [past.id]);
    const withoutSession = await bearer({ sub: none.id, role: "authenticated", aal: "aal1" });
    for (const client of [ended.client, past.client, withoutSession]) {
      expect((await client.from("staff_acts").select("id")).data ?? []).toEqual([]);
      expect((await client.from("bookings").select("id")).data ?? []).toEqual([]);
      expect(
        (await client.from("course_dates").insert({ course_name: "Lvl 2 CCTV", course_date: "2030-01-07T09:00:00Z" })).error,
      ).not.toBeNull();
      expect((await client.rpc("list_staff")).error).not.toBeNull();
    }
  });

  test("nobody writes the account activity, except that the service marks an entry as done", async () => {
    await callStaff(actor.client, { act: "link", member_id: colleague.id });
    const made = { act: "remove", actor_id: colleague.id, actor_email: "c", member_email: "m" };
    for (const client of [actor.client, project.service]) {
      expect((await client.from("staff_acts").insert(made)).error?.code).toBe("42501");
      expect((await client.from("staff_acts").update({ actor_id: colleague.id }).neq("act", "")).error?.code).toBe("42501");
      expect((await client.from("staff_acts").delete().neq("act", "")).error?.code).toBe("42501");
    }
    expect((await actor.client.from("staff_acts").update({ done_at: null }).neq("act", "")).error?.code).toBe("42501");
  });
});

describeDatabases("the last account that can sign in", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
  });

  async function activeStaff(): Promise<number> {
    return (await project.database.transaction((tx) => tx.query("select private.active_staff()"))).length;
  }

  test("is never disabled or removed, even if other accounts change at the same time", async () => {
    const { admin } = project.service.auth;
    const last = await project.staff("last@site.example");
    const invited = await admin.inviteUserByEmail("invited@site.example");
    expect((await admin.updateUserById(last.id, { ban_duration: "24h" })).error).not.toBeNull();
    expect((await admin.deleteUser(last.id)).error).not.toBeNull();
    expect((await admin.deleteUser(last.id, true)).error).not.toBeNull();
    expect((await last.client.rpc("list_staff")).error).toBeNull();
    expect((await admin.deleteUser(invited.data.user?.id ?? "")).error).toBeNull();
    await expect(
      project.database.transaction((tx) => tx.query("update auth.users set banned_until = now() + interval '1 day'")),
    ).rejects.toMatchObject({ code: "PT409" });
    await expect(project.database.transaction((tx) => tx.query("delete from auth.users"))).rejects.toMatchObject({ code: "PT409" });
  });

  test("remains when the last two disable or remove each other at once", async () => {
    const last = await project.staff("one@site.example", "owner");
    await project.database.transaction((tx) => tx.query("delete from auth.users where id <> $1", [last.id]));
    for (const act of ["disable", "remove", "disable", "remove"]) {
      const [one, other] = await Promise.all([
        project.staff(`${crypto.randomUUID()}@site.example`, "owner"),
        project.staff(`${crypto.randomUUID()}@site.example`, "owner"),
      ]);
      await project.database.transaction((tx) => tx.query("delete from auth.users where id not in ($1, $2)", [one.id, other.id]));
      const answers = await Promise.all([
        callStaff(one.client, { act, member_id: other.id }),
        callStaff(other.client, { act, member_id: one.id }),
      ]);
      expect(
        answers.map(({ status }) => status).filter((status) => status === 200),
        act,
      ).toHaveLength(1);
      expect(await activeStaff(), act).toBe(1);
    }
  });
});
