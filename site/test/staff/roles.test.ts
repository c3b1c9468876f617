import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { giveFactor } from "../support/factor.ts";
import { openProject, type Project } from "../support/project.ts";
import { callStaff, choosePassword, NOT_ALLOWED, tokenOf, rolesByEmail } from "./staff-function.ts";

type SignedIn = Awaited<ReturnType<Project["staff"]>>;

const ON_ACCOUNTS = ["link", "disable", "remove_factor", "remove", "make_office", "make_trainer", "make_owner"];

describeDatabases("roles", (open) => {
  let project: Project;
  let owner: SignedIn;
  let office: SignedIn;

  beforeAll(async () => {
    project = await openProject(open);
    owner = await project.staff("owner@site.example");
    office = await project.staff("office@site.example");
  });
  beforeEach(() => sql("delete from private.rate_limit_counts"));

  function sql(query: string, values: string[] = []) {
    return project.database.transaction((tx) => tx.query<Record<string, unknown>>(query, values));
  }
  const roles = (): Promise<Record<string, string>> => rolesByEmail(owner.client);
  function address(): string {
    return `${crypto.randomUUID()}@site.example`;
  }

  test("the first account is the owner, all later ones have the role office", async () => {
    const invited = address();
    expect(await callStaff(office.client, { act: "invite", email: invited })).toMatchObject({ status: 200 });
    expect(await roles()).toEqual({ "owner@site.example": "owner", "office@site.example": "office", [invited]: "office" });
  });

  test("an owner gives a colleague each role, and the account activity lists it", async () => {
    const email = address();
    const colleague = await project.staff(email);
    for (const role of ["trainer", "office", "owner", "trainer", "owner", "office"]) {
      const { status, body } = await callStaff(owner.client, { act: `make_${role}`, member_id: colleague.id });
      expect([status, body["done"], "link" in body]).toEqual([200, true, role === "owner"]);
      expect((await roles())[email]).toBe(role);
      if (role === "owner") await choosePassword(project, body["link"]);
    }
    const { data } = await owner.client.from("staff_acts").select("act, actor_email, member_email, done_at").eq("member_email", email);
    const rest = { actor_email: "owner@site.example", member_email: email, done_at: expect.any(String) };
    expect(data?.map(({ act }) => act)).toEqual(["trainer", "office", "owner", "trainer", "owner", "office"].map((role) => `make_${role}`));
    for (const entry of data ?? []) expect(entry).toMatchObject(rest);
  });

  test("the office sees the roles and changes none", async () => {
    const colleague = await project.staff(address());
    for (const act of ["make_owner", "make_office", "make_trainer"]) {
      expect(await callStaff(office.client, { act, member_id: colleague.id }), act).toEqual(NOT_ALLOWED);
      expect(await callStaff(office.client, { act, member_id: office.id }), act).toMatchObject({
        status: 403,
        body: { error: "own_account" },
      });
    }
    const { data } = await office.client.rpc("list_staff");
    expect(data.find(({ id }: { id: string }) => id === owner.id)).toMatchObject({ role: "owner" });
  });

  test("the office does nothing to the account of an owner, and works with the other accounts", async () => {
    const [second, colleague] = [await project.staff(address(), "owner"), await project.staff(address())];
    await giveFactor(project, second.id);
    for (const act of ON_ACCOUNTS) expect(await callStaff(office.client, { act, member_id: second.id }), act).toEqual(NOT_ALLOWED);
    expect(await callStaff(office.client, { act: "link", member_id: colleague.id })).toMatchObject({ status: 200 });
    expect(await callStaff(office.client, { act: "disable", member_id: colleague.id })).toMatchObject({ status: 200 });
    expect(await callStaff(office.client, { act: "enable", member_id: colleague.id })).toMatchObject({ status: 200 });
    expect(await callStaff(office.client, { act: "remove", member_id: colleague.id })).toMatchObject({ status: 200 });
    expect(await callStaff(owner.client, { act: "remove_factor", member_id: second.id })).toMatchObject({ status: 200 });
    expect(await callStaff(owner.client, { act: "remove", member_id: second.id })).toMatchObject({ status: 200 });
  });

  test("a role that the account has, a role for nobody and an owner who never signed in are refused", async () => {
    const colleague = await project.staff(address());
    const invited = await project.service.auth.admin.inviteUserByEmail(address());
    const changed = { status: 409, body: { error: "changed_meanwhile" } };
    expect(await callStaff(owner.client, { act: "make_office", member_id: colleague.id })).toMatchObject(changed);
    expect(await callStaff(owner.client, { act: "make_owner", member_id: invited.data.user?.id })).toMatchObject(changed);
    const nobody = "00000000-0000-4000-8000-000000000000";
    expect(await callStaff(owner.client, { act: "make_trainer", member_id: nobody })).toMatchObject({ status: 404 });
    expect(await callStaff(owner.client, { act: "make_king", member_id: colleague.id })).toMatchObject({ status: 400 });
    expect((await owner.client.rpc("begin_staff_act", { act: "make_king", member_id: colleague.id })).error?.code).toBe("23514");
  });

  test("a new role ends the sessions of the account; the role owner also ends the links to it, which the office may have made", async () => {
    const colleague = await project.staff(address());
    const { body } = await callStaff(office.client, { act: "link", member_id: colleague.id });
    const { page: _page, ...linkToken } = tokenOf(body["link"]);
    expect((await colleague.client.rpc("list_staff")).error).toBeNull();
    expect(await callStaff(owner.client, { act: "make_trainer", member_id: colleague.id })).toMatchObject({ status: 200 });
    expect((await colleague.client.rpc("own_sessions")).error?.code).toBe("42501");
    expect(await sql("select from auth.one_time_tokens where user_id = $1", [colleague.id])).toHaveLength(1);
    expect(await callStaff(owner.client, { act: "make_owner", member_id: colleague.id })).toMatchObject({ status: 200 });
    expect((await project.visitor.auth.verifyOtp(linkToken)).error).not.toBeNull();
  });

  test("an account becomes no owner while the office makes a link to it, because the link would stay valid", async () => {
    const colleague = await project.staff(address());
    const makeOwner = () => callStaff(owner.client, { act: "make_owner", member_id: colleague.id });
    const changed = { status: 409, body: { error: "changed_meanwhile" } };
    const begun = await office.client.rpc("begin_staff_act", { act: "link", member_id: colleague.id });
    expect(begun.error).toBeNull();
    expect(await makeOwner()).toMatchObject(changed);
    // The auth service failed.
    await sql("update public.staff_acts set begun_at = begun_at - interval '61 seconds' where id = $1", [begun.data]);
    expect(await makeOwner()).toMatchObject({ status: 200 });

    expect(await callStaff(owner.client, { act: "make_office", member_id: colleague.id })).toMatchObject({ status: 200 });
    await Promise.all([callStaff(office.client, { act: "link", member_id: colleague.id }), makeOwner()]);
    const tokens = await sql(
      `select from auth.one_time_tokens t join private.staff_roles r on r.user_id = t.user_id and r.role = 'owner' where t.user_id = $1`,
      [colleague.id],
    );
    expect(tokens).toEqual([]);
  });

  test("nobody changes their own role, so that one owner remains, also when two owners change each other at once", async () => {
    expect(await callStaff(owner.client, { act: "make_office", member_id: owner.id })).toMatchObject({ body: { error: "own_account" } });
    for (const act of ["make_office", "make_trainer", "remove", "disable"]) {
      await sql("delete from private.staff_roles where role = 'owner' and user_id <> $1", [owner.id]);
      const [one, other] = [await project.staff(address(), "owner"), await project.staff(address(), "owner")];
      await sql("delete from private.staff_roles where user_id = $1", [owner.id]);
      const answers = await Promise.all([
        callStaff(one.client, { act, member_id: other.id }),
        callStaff(other.client, { act, member_id: one.id }),
      ]);
      expect(
        answers.filter(({ status }) => status === 200),
        act,
      ).toHaveLength(1);
      await sql("insert into private.staff_roles (user_id, role) values ($1, 'owner')", [owner.id]);
    }
  });

  test("the last owner is not removed or disabled, not even with the secret key or while there are office accounts", async () => {
    const { admin } = project.service.auth;
    await sql("delete from private.staff_roles where role = 'owner' and user_id <> $1", [owner.id]);
    expect((await admin.updateUserById(owner.id, { ban_duration: "24h" })).error).not.toBeNull();
    expect((await admin.deleteUser(owner.id)).error).not.toBeNull();
    expect((await admin.deleteUser(owner.id, true)).error).not.toBeNull();
    expect((await roles())["owner@site.example"]).toBe("owner");
  });
});
