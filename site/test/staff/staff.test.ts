import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { startSmtp } from "backend/test/smtp-server.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import staff from "../../../supabase/functions/staff/index.ts";
import { giveFactor } from "../support/factor.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, SECRET_KEY, type Project } from "../support/project.ts";
import { callStaff, tokenOf } from "./staff-function.ts";

const PASSWORD = "a walk along the ridge";
const ONE_PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const membersSchema = z.array(
  z.object({ id: z.string(), email: z.string(), name: z.string(), state: z.string(), second_factor: z.boolean(), own: z.boolean() }),
);
const sessionsSchema = z.array(z.object({ this: z.boolean(), used_at: z.string() }));

type Member = z.infer<typeof membersSchema>[number];

describeDatabases("staff", (open) => {
  let project: Project;
  let actor: Awaited<ReturnType<Project["staff"]>>;

  beforeAll(async () => {
    project = await openProject(open);
    actor = await project.staff("office@site.example");
  });
  beforeEach(async () => {
    await sql("delete from public.staff_acts");
    await sql("delete from private.rate_limit_counts");
  });

  function sql(query: string, values: string[] = []) {
    return project.database.transaction((tx) => tx.query(query, values));
  }

  async function member(email: string): Promise<Member | undefined> {
    const { data } = await actor.client.rpc("list_staff");
    return membersSchema.parse(data).find((one) => one.email === email);
  }

  /** The client of a person without a session. */
  function browser(): SupabaseClient {
    return createClient(PROJECT_URL, PUBLISHABLE_KEY, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: (input, init) => project.backend.fetch(new Request(input, init)) },
    });
  }

  test("a colleague is invited by a link, chooses a password and signs in", async () => {
    const { status, body } = await callStaff(actor.client, { act: "invite", email: "Jo@site.example", name: " Jo Airey " }, PROJECT_URL);
    expect(status).toBe(200);
    expect(await member("jo@site.example")).toMatchObject({ name: "Jo Airey", state: "invited", second_factor: false, own: false });

    const { page, ...linkToken } = tokenOf(body["link"]);
    expect([page, linkToken.type]).toEqual([`${PROJECT_URL}/admin/password`, "invite"]);
    const jo = browser();
    expect((await jo.auth.verifyOtp(linkToken)).error).toBeNull();
    expect(await member("jo@site.example")).toMatchObject({ state: "invited" });
    expect((await jo.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    expect(await member("jo@site.example")).toMatchObject({ state: "active" });
    expect((await browser().auth.verifyOtp(linkToken)).error?.code).toBe("otp_expired");
    expect((await browser().auth.signInWithPassword({ email: "jo@site.example", password: PASSWORD })).error).toBeNull();
  });

  test("a new link invalidates the previous one, before and after the password is chosen", async () => {
    const first = tokenOf((await callStaff(actor.client, { act: "invite", email: "new@site.example" })).body["link"]);
    const { id = "" } = (await member("new@site.example")) ?? {};
    const second = tokenOf((await callStaff(actor.client, { act: "link", member_id: id })).body["link"]);
    expect([first.type, second.type]).toEqual(["invite", "invite"]);
    expect((await browser().auth.verifyOtp(first)).error?.code).toBe("otp_expired");
    const invited = browser();
    expect((await invited.auth.verifyOtp(second)).error).toBeNull();
    // A link that was opened without choosing a password does not block the next one.
    const third = tokenOf((await callStaff(actor.client, { act: "link", member_id: id })).body["link"]);
    expect(third.type).toBe("recovery");
    expect((await invited.auth.verifyOtp(third)).error).toBeNull();
    expect((await invited.auth.updateUser({ password: PASSWORD })).error).toBeNull();
    const reset = tokenOf((await callStaff(actor.client, { act: "link", member_id: id })).body["link"]);
    const elsewhere = browser();
    expect((await elsewhere.auth.verifyOtp(reset)).error).toBeNull();
    expect((await elsewhere.auth.updateUser({ password: `${PASSWORD} again` })).error).toBeNull();
    expect((await invited.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  });

  test("a link points to the site of the request, or to the project's site if that one is not allowed", async () => {
    const evil = await callStaff(actor.client, { act: "invite", email: "evil@site.example" }, "https://evil.example");
    expect(tokenOf(evil.body["link"]).page).toBe(`${PROJECT_URL}/admin/password`);
    const nowhere = await callStaff(actor.client, { act: "invite", email: "nowhere@site.example" });
    expect(tokenOf(nowhere.body["link"]).page).toBe(`${PROJECT_URL}/admin/password`);
  });

  test("with a mail server the link is mailed, or returned on request with a mail to the owner of the account", async () => {
    const smtp = await startSmtp();
    const context = {
      env: {
        SUPABASE_URL: PROJECT_URL,
        SUPABASE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
        SUPABASE_SECRET_KEY: SECRET_KEY,
        SMTP_URL: smtp.url,
        MAIL_FROM: "portal@site.example",
      },
      fetch: (input: RequestInfo | URL, init?: RequestInit) => project.backend.fetch(new Request(input, init)),
    };
    async function answerTo(body: Record<string, unknown>): Promise<Record<string, unknown>> {
      const headers = { Authorization: `Bearer ${actor.accessToken}`, Origin: PROJECT_URL };
      const response = await staff.fetch(
        new Request(`${PROJECT_URL}/functions/v1/staff`, { method: "POST", headers, body: JSON.stringify(body) }),
        context,
      );
      const answer: Record<string, unknown> = await response.json();
      return answer;
    }
    expect((await actor.client.functions.invoke("staff", { method: "GET" })).data).toEqual({ mails: false, texts: false });
    const response = await staff.fetch(new Request(`${PROJECT_URL}/functions/v1/staff`), context);
    expect(await response.json()).toEqual({ mails: true, texts: false });
    const mails = () => sql("select kind, body_text from auth.mail_outbox where recipient = 'mailed@site.example' order by created_at");
    expect(await answerTo({ act: "invite", email: "mailed@site.example", name: "M" })).toEqual({ done: true, mailed: true });
    const [invitation] = await mails();
    expect(invitation?.["kind"]).toBe("invite");
    expect(String(invitation?.["body_text"])).toContain(`${PROJECT_URL}/admin/password#token_hash=`);

    const { id = "", state } = (await member("mailed@site.example")) ?? {};
    expect(state).toBe("invited");
    expect(await answerTo({ act: "link", member_id: id })).toMatchObject({ error: "too_many_mails" });
    const byHand = await answerTo({ act: "link", member_id: id, by_hand: true });
    expect((await browser().auth.verifyOtp(tokenOf(byHand["link"]))).error).toBeNull();
    expect(await answerTo({ act: "link", member_id: id })).toEqual({ done: true, mailed: true });
    expect((await mails()).map(({ kind }) => kind)).toEqual(["invite", "recovery"]);
    expect(smtp.received.map(({ to, raw }) => [to, raw.includes("A colleague made a link to your staff portal account")])).toEqual([
      ["mailed@site.example", true],
    ]);

    const promoted = await project.staff("promoted@site.example");
    expect(await answerTo({ act: "make_owner", member_id: promoted.id, by_hand: true })).toMatchObject({ done: true });
    expect(smtp.received.map(({ to }) => to)).toEqual(["mailed@site.example", "promoted@site.example"]);

    const protectedMember = await project.staff("protected@site.example");
    await giveFactor(project, protectedMember.id);
    expect(await answerTo({ act: "remove_factor", member_id: protectedMember.id })).toEqual({ done: true });
    expect(smtp.received.map(({ to }) => to)).toEqual(["mailed@site.example", "promoted@site.example", "protected@site.example"]);
    await smtp.close();
  });

  test("a disabled account is signed out everywhere at once, cannot sign in, and can after it is enabled", async () => {
    const other = await project.staff("leaver@site.example");
    const session = browser();
    await session.auth.signInWithPassword({ email: "leaver@site.example", password: project.password });
    expect((await callStaff(actor.client, { act: "disable", member_id: other.id })).status).toBe(200);
    expect(await member("leaver@site.example")).toMatchObject({ state: "disabled" });
    expect(await sql("select id from auth.sessions where user_id = $1", [other.id])).toEqual([]);
    expect((await session.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    expect((await other.client.rpc("list_staff")).error?.code).toBe("42501");
    expect((await other.client.from("bookings").select("id")).data).toEqual([]);
    const refused = await browser().auth.signInWithPassword({ email: "leaver@site.example", password: project.password });
    expect(refused.error?.code).toBe("user_banned");

    expect((await callStaff(actor.client, { act: "enable", member_id: other.id })).status).toBe(200);
    expect(await member("leaver@site.example")).toMatchObject({ state: "active" });
    const back = await browser().auth.signInWithPassword({ email: "leaver@site.example", password: project.password });
    expect(back.error).toBeNull();
  });

  test("after a colleague removes a lost second factor, the account has staff rights without it", async () => {
    const other = await project.staff("lost@site.example");
    await giveFactor(project, other.id);
    await giveFactor(project, other.id);
    expect(await member("lost@site.example")).toMatchObject({ second_factor: true });
    expect((await other.client.rpc("list_staff")).error).not.toBeNull();
    expect((await callStaff(actor.client, { act: "remove_factor", member_id: other.id })).status).toBe(200);
    expect(await member("lost@site.example")).toMatchObject({ second_factor: false });
    expect((await other.client.rpc("list_staff")).error).toBeNull();
  });

  test("a removed account is deleted, and the account activity still names it", async () => {
    const other = await project.staff("gone@site.example");
    expect((await callStaff(actor.client, { act: "remove", member_id: other.id })).status).toBe(200);
    expect(await member("gone@site.example")).toBeUndefined();
    const { data } = await actor.client.from("staff_acts").select("*").single();
    expect(data).toMatchObject({
      act: "remove",
      actor_id: actor.id,
      actor_email: "office@site.example",
      member_id: other.id,
      member_email: "gone@site.example",
      done_at: expect.any(String),
    });
  });

  test("every action is in the audit log of the auth service, and no log contains a token", async () => {
    await sql("delete from auth.audit_log_entries");
    const { body } = await callStaff(actor.client, { act: "invite", email: "audited@site.example" });
    const { id = "" } = (await member("audited@site.example")) ?? {};
    await giveFactor(project, id);
    const second = await project.staff("second@site.example");
    await sql("update auth.users set created_at = created_at - interval '24 hours'");
    for (const act of ["remove_factor", "disable", "enable", "link", "remove"]) {
      const { client } = act === "link" ? second : actor;
      expect(await callStaff(client, { act, member_id: id }), act).toMatchObject({ status: 200 });
    }
    const entries = await sql("select payload::text from auth.audit_log_entries order by created_at");
    const log = entries.map(({ payload }) => String(payload));
    for (const action of ["user_signedup", "link_generated", "factor_deleted", "user_modified", "user_deleted"])
      expect(
        log.some((entry) => entry.includes(`"${action}"`)),
        action,
      ).toBe(true);
    const acts = await sql(
      "select act, done_at is not null as done, row_to_json(a)::text as written from public.staff_acts a order by begun_at",
    );
    expect(acts.map(({ act, done }) => [act, done])).toEqual(
      ["invite", "remove_factor", "disable", "enable", "link", "remove"].map((act) => [act, true]),
    );
    const { token_hash: token } = tokenOf(body["link"]);
    expect(JSON.stringify([log, acts])).not.toContain(token);
  });

  test("a browser that was not used for 30 days is signed out, and one used in that time is not", async () => {
    const email = "seldom@site.example";
    await project.staff(email);
    for (const [idle, code] of [
      ["29 days", undefined],
      ["31 days", "session_expired"],
    ] as const) {
      const device = browser();
      const { data } = await device.auth.signInWithPassword({ email, password: project.password });
      await sql(
        `update auth.sessions set created_at = now() - $2::interval, refreshed_at = (now() - $2::interval) at time zone 'utc'
         where user_id = $1`,
        [data.user?.id ?? "", idle],
      );
      const { error } = await device.auth.refreshSession();
      expect(error?.code).toBe(code);
    }
  });

  test("everybody sees their own sessions and can end all others", async () => {
    const email = "traveller@site.example";
    await project.staff(email);
    const [here, there] = [browser(), browser()];
    for (const device of [here, there]) await device.auth.signInWithPassword({ email, password: project.password });
    const sessions = async () => sessionsSchema.parse((await here.rpc("own_sessions")).data);
    const before = await sessions();
    expect(before.map((session) => session.this).filter(Boolean)).toHaveLength(1);
    expect(before).toHaveLength(3);
    expect((await here.auth.signOut({ scope: "others" })).error).toBeNull();
    expect(await sessions()).toMatchObject([{ this: true, used_at: expect.any(String) }]);
    expect((await there.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    expect((await here.auth.getUser()).error).toBeNull();
  });

  test("the access token of a session that was ended elsewhere is refused at once by tables, statistics and storage", async () => {
    const email = "lost-laptop@site.example";
    await project.staff(email);
    const [here, there] = [browser(), browser()];
    for (const device of [here, there]) await device.auth.signInWithPassword({ email, password: project.password });
    const token = (await there.auth.getSession()).data.session?.access_token ?? "";
    const laptop = createClient(PROJECT_URL, PUBLISHABLE_KEY, {
      accessToken: () => Promise.resolve(token),
      global: { fetch: (input, init) => project.backend.fetch(new Request(input, init)) },
    });
    const picture = new Blob([Uint8Array.fromBase64(ONE_PIXEL)], { type: "image/png" });
    const attempts = async (): Promise<Record<string, boolean>> => {
      const name = `${crypto.randomUUID()}-1x1.png`;
      const date = { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z" };
      return {
        insert: (await laptop.from("course_dates").insert(date)).error === null,
        update: (await laptop.from("course_dates").update({ capacity: 9 }).gt("capacity", 0).select()).data?.length !== 0,
        read:
          (await laptop.from("course_dates").select("id, bookings(id)")).error === null &&
          (await laptop.rpc("own_sessions")).error === null,
        statistics: (await laptop.functions.invoke("get-website-stats", { method: "GET" })).error === null,
        upload: (await laptop.storage.from("post-images").upload(name, picture)).error === null,
      };
    };
    const allowed = { insert: true, update: true, read: true, statistics: true, upload: true };
    expect(await attempts()).toEqual(allowed);
    await here.auth.signOut({ scope: "others" });
    expect(await attempts()).toEqual(Object.fromEntries(Object.keys(allowed).map((name) => [name, false])));
  });
});
