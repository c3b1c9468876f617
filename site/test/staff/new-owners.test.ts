import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../support/project.ts";
import { callStaff, choosePassword, NOT_ALLOWED, tokenOf, rolesByEmail } from "./staff-function.ts";

type SignedIn = Awaited<ReturnType<Project["staff"]>>;

describeDatabases("the access of a new owner", (open) => {
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
  async function idOf(email: string): Promise<string> {
    const [row] = await sql("select id from auth.users where email = $1", [email]);
    return String(row?.["id"]);
  }
  function address(): string {
    return `${crypto.randomUUID()}@site.example`;
  }
  async function canSignIn(email: string, password: string): Promise<boolean> {
    const { error } = await project.visitor.auth.signInWithPassword({ email, password });
    if (!error) await project.visitor.auth.signOut({ scope: "local" });
    return error === null;
  }

  test("a new owner chooses a new password, because the office may have opened the invitation and know the old one", async () => {
    const email = address();
    const { body } = await callStaff(office.client, { act: "invite", email, by_hand: true });
    await choosePassword(project, body["link"], "known to the office");
    const member_id = await idOf(email);
    const attacker = await project.visitor.auth.signInWithPassword({ email, password: "known to the office" });
    await sql("update auth.users set phone = '447700900123', phone_confirmed_at = now() where id = $1", [member_id]);
    const identity =
      "insert into auth.identities (id, provider_id, user_id, identity_data, provider, created_at, updated_at) values (gen_random_uuid(), gen_random_uuid()::text, $1, '{}', $2, now(), now())";
    await sql(identity, [member_id, "google"]);
    await sql(identity, [member_id, "sso:1"]);

    const promoted = await callStaff(owner.client, { act: "make_owner", member_id });
    expect(promoted).toMatchObject({ status: 200, body: { link: expect.stringContaining("#token_hash=") } });
    expect(await canSignIn(email, "known to the office")).toBe(false);
    const refreshed = await project.visitor.auth.refreshSession({ refresh_token: attacker.data.session?.refresh_token ?? "" });
    expect(refreshed.error).not.toBeNull();
    expect(await sql("select phone, phone_confirmed_at from auth.users where id = $1", [member_id])).toEqual([
      { phone: null, phone_confirmed_at: null },
    ]);
    const left = await sql("select provider from auth.identities where user_id = $1 order by provider", [member_id]);
    expect(left).toEqual([{ provider: "email" }, { provider: "sso:1" }]);
    expect(await callStaff(office.client, { act: "link", member_id })).toEqual(NOT_ALLOWED);

    await choosePassword(project, promoted.body["link"], "chosen by the new owner");
    expect(await canSignIn(email, "chosen by the new owner")).toBe(true);
    expect((await roles())[email]).toBe("owner");
  });

  describe("an invitation", () => {
    test.each([
      ["the office", "trainer", "trainer"],
      ["the office", undefined, "office"],
      ["an owner", "trainer", "trainer"],
      ["an owner", "owner", "owner"],
    ])("by %s with the role %s makes an account with the role %s", async (who, role, expected) => {
      const email = address();
      const { client } = who === "an owner" ? owner : office;
      expect(await callStaff(client, { act: "invite", email, ...(role === undefined ? {} : { role }) })).toMatchObject({ status: 200 });
      expect((await roles())[email]).toBe(expected);
      const { data } = await owner.client.from("staff_acts").select("member_role").eq("member_email", email);
      expect(data).toEqual([{ member_role: expected }]);
    });

    test("as an owner is refused to the office, as a trainer gives no more than the own registers", async () => {
      const email = address();
      expect(await callStaff(office.client, { act: "invite", email, role: "owner" })).toEqual(NOT_ALLOWED);
      expect((await office.client.rpc("begin_staff_act", { act: "invite", member_email: email, member_role: "owner" })).error?.code).toBe(
        "PT403",
      );
      expect((await office.client.rpc("begin_staff_act", { act: "invite", member_email: email, member_role: "king" })).error?.code).toBe(
        "23514",
      );
      expect(await roles()).not.toHaveProperty(email);
      const { body } = await callStaff(office.client, { act: "invite", email, role: "trainer" });
      const { page: _page, ...linkToken } = tokenOf(body["link"]);
      const opened = await project.visitor.auth.verifyOtp(linkToken);
      expect(opened.error).toBeNull();
      expect((await project.visitor.rpc("list_staff")).error?.code).toBe("PT403");
      await project.visitor.auth.signOut({ scope: "local" });
    });

    test("makes nobody an owner while the office invites the same address, because the office would have the link", async () => {
      const email = address();
      const begun = await office.client.rpc("begin_staff_act", { act: "invite", member_email: email });
      expect(begun.error).toBeNull();
      expect(await callStaff(owner.client, { act: "invite", email, role: "owner" })).toMatchObject({ status: 200 });
      expect((await roles())[email]).toBe("office");
    });

    test("that failed has no effect on a later one", async () => {
      const email = address();
      const begun = await office.client.rpc("begin_staff_act", { act: "invite", member_email: email });
      await sql("update public.staff_acts set begun_at = begun_at - interval '61 seconds' where id = $1", [begun.data]);
      expect(await callStaff(owner.client, { act: "invite", email, role: "owner" })).toMatchObject({ status: 200 });
      expect((await roles())[email]).toBe("owner");
    });
  });
});
