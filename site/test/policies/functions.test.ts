import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openProject, type Project } from "../support/project.ts";
import { clientsOf, ROLES, STAFF, type Role } from "../support/roles.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

/** The functions that only owners and the office may use, with arguments. */
const OF_STAFF: Readonly<Record<string, object>> = {
  backup_state: {},
  begin_staff_act: { act: "link", member_id: NOBODY },
  book_request: { enquiry: NOBODY, seen: "2030-01-01T00:00Z" },
  book_waiting: { entry: NOBODY },
  change_letter: { letter: NOBODY, act: "send" },
  call_off_date: { date_id: NOBODY },
  find_people: { words: "ada" },
  list_staff: {},
  move_waiting: { entry: NOBODY, up: true },
  search_bookings: { words: "ada", before: "2030-01-01" },
  search_portal: { words: "ada" },
  set_hold_hours: { hours: null },
  share_post: { post: NOBODY },
  shared_posts: {},
  stop_sharing_post: { post: NOBODY },
  undo_delete: { kind: "bookings", record_id: NOBODY },
  undo_call_off: { date_id: NOBODY, former_status: "open", moved: [] },
  website_stats: { period_days: 7 },
};
/** The functions that trainers may use too: about their own account. */
const OF_TRAINERS: Readonly<Record<string, object>> = {
  calendar_feed_made_at: {},
  make_calendar_feed: {},
  own_register: { date_id: NOBODY },
  own_sessions: {},
  remove_calendar_feed: {},
};
/** The functions that only the service may use. */
const OF_SERVICE: Readonly<Record<string, object>> = {
  apply_retention: {},
  begin_backup_check: {},
  claim_backup_mails: {},
  claim_enquiry_mails: {},
  claim_letter: {},
  end_backup_check: { night: "2030-01-01", row_count: 1 },
  erase_person: { contact: "ada@mail.example", only_count: true, running_since: {} },
  export_person: { contact: "ada@mail.example" },
  figures: {},
  hand_over_letter: { letter: NOBODY, claim: NOBODY },
  late_work: {},
  note_backup_mailed: { night: "2030-01-01" },
  note_enquiry_mailed: { enquiry_id: NOBODY },
  note_letter: { letter: NOBODY, claim: NOBODY, result: "sent" },
  record_opt_out: {},
  record_page_views: { views: [] },
  release_holds: {},
  request_place: { id: NOBODY, course_id: NOBODY, name: "Ada", places: 1 },
  send_enquiry: { id: NOBODY, name: "Ada", reply_to: "ada@mail.example", message: "When?" },
};
/** The functions that return to any signed-in account no more than it may read. */
const OF_EVERYBODY_SIGNED_IN = [
  "calendar_feed",
  "course_removals",
  "hold_hours",
  "own_role",
  "post_image_uses",
  "post_preview",
  "posts_expire_at",
];

describeDatabases("the functions of the API", (open) => {
  let project: Project;
  let clients: Record<Role, SupabaseClient>;
  beforeAll(async () => {
    project = await openProject(open);
    clients = await clientsOf(project);
  });

  /** The functions a role of the database may call. */
  async function callableBy(role: "anon" | "authenticated" | "service_role"): Promise<string[]> {
    const functions = await project.database.transaction((tx) =>
      tx.query<{ name: string }>(
        `select distinct p.proname as name from pg_proc p
         where p.pronamespace = 'public'::regnamespace and has_function_privilege($1, p.oid, 'execute') order by 1`,
        [role],
      ),
    );
    return functions.map(({ name }) => name);
  }

  test("visitors may call five: the expiry of the post list, when a course lost a date, how long places are held, and the calendar or the draft post whose key they know", async () => {
    expect(await callableBy("anon")).toEqual(["calendar_feed", "course_removals", "hold_hours", "post_preview", "posts_expire_at"]);
    for (const [name, values] of Object.entries({ ...OF_STAFF, ...OF_TRAINERS, ...OF_SERVICE })) {
      expect((await project.visitor.rpc(name, values)).error?.code, name).toBe("42501");
    }
  });

  test("every function that a signed-in person or the service may call is tested here", async () => {
    expect(await callableBy("authenticated")).toEqual(
      [...Object.keys({ ...OF_STAFF, ...OF_TRAINERS }), ...OF_EVERYBODY_SIGNED_IN].toSorted(),
    );
    const known = new Set([...Object.keys(OF_STAFF), ...Object.keys(OF_SERVICE), ...OF_EVERYBODY_SIGNED_IN]);
    expect((await callableBy("service_role")).filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(ROLES.filter((role) => !STAFF.includes(role) && role !== "the service" && role !== "a trainer"))(
    "%s reads and changes nothing with the functions of staff, and has no role",
    async (role) => {
      expect((await clients[role].rpc("own_role")).data).toBeNull();
      for (const [name, values] of Object.entries({ ...OF_STAFF, ...OF_TRAINERS })) {
        const { data, error } = await clients[role].rpc(name, values);
        expect(data, name).toBeNull();
        // Row-level security hides the entry from some callers.
        expect(error?.code, name).toMatch(name.startsWith("book_") ? /^(42501|PGRST30\d|PT404)$/ : /^(42501|PGRST30\d)$/);
      }
    },
  );

  test("a trainer is refused every function of the office with a code and a message", async () => {
    for (const [name, values] of Object.entries(OF_STAFF)) {
      const { data, error } = await clients["a trainer"].rpc(name, values);
      expect(data, name).toBeNull();
      // Row-level security hides the entry from book_waiting and book_request.
      if (name.startsWith("book_")) expect(error?.code, name).toBe("PT404");
      else expect(error, name).toMatchObject({ code: "PT403", message: "A trainer may not do this", hint: "Ask the office." });
    }
  });

  test("owners, the office and trainers manage their own sessions and calendar, and know their role", async () => {
    const roles = {
      "an owner": "owner",
      staff: "office",
      "staff with a second factor, at aal2": "office",
      "a trainer": "trainer",
    } as const;
    for (const role of [...STAFF, "a trainer"] as const) {
      for (const [name, values] of Object.entries(OF_TRAINERS)) expect((await clients[role].rpc(name, values)).error, role).toBeNull();
      expect((await clients[role].rpc("own_role")).data).toBe(new Map<string, string>(Object.entries(roles)).get(role));
    }
  });

  test("the statistics are for owners and the office only", async () => {
    for (const role of ROLES) {
      const { error } = await clients[role].rpc("website_stats", { period_days: 7 });
      expect(error === null, role).toBe(STAFF.includes(role));
    }
  });

  test("a calendar is open to its key until there is a new one, it is removed or its owner is disabled, and names no customer", async () => {
    const { visitor, service } = project;
    const { id, client } = await project.staff("diary@site.example");
    const read = async (key: unknown) => (await visitor.rpc("calendar_feed", { key })).data;
    const make = async () => (await client.rpc("make_calendar_feed")).data;
    const date = { course_name: "Lvl 2 CCTV", course_date: "2031-03-03T09:00:00Z", capacity: 9 };
    const { data: row } = await client.from("course_dates").insert(date).select().single();
    await client.from("bookings").insert({ course_id: row.id, name: "Ada Fell", phone: "07700 900123", places: 2 });

    expect((await client.rpc("calendar_feed_made_at")).data).toBeNull();
    const first = await make();
    expect((await client.rpc("calendar_feed_made_at")).data).not.toBeNull();
    const [event, ...others] = await read(first);
    expect(event).toEqual({
      id: row.id,
      course_name: "Lvl 2 CCTV",
      course_date: "2031-03-03T09:00:00+00:00",
      end_date: null,
      status: "open",
      capacity: 9,
      places_taken: 2,
      updated_at: expect.any(String),
    });
    expect(others).toEqual([]);
    expect(await read(NOBODY)).toBeNull();

    const second = await make();
    expect(await read(first)).toBeNull();
    expect(await read(second)).toHaveLength(1);
    await service.auth.admin.updateUserById(id, { ban_duration: "24h" });
    expect(await read(second)).toBeNull();
    await service.auth.admin.updateUserById(id, { ban_duration: "none" });
    expect(await read(second)).toHaveLength(1);

    const { client: again } = await project.staff("diary-two@site.example");
    const other = (await again.rpc("make_calendar_feed")).data;
    expect((await again.rpc("remove_calendar_feed")).error).toBeNull();
    expect(await read(other)).toBeNull();
    expect(await read(second)).toHaveLength(1);
  });

  test("only the service counts visits, stores and mails enquiries and applies retention", async () => {
    for (const role of ROLES) {
      for (const [name, values] of Object.entries(OF_SERVICE)) {
        const { error } = await clients[role].rpc(name, values);
        expect(error?.code, `${role}: ${name}`).toEqual(role === "the service" ? undefined : expect.stringMatching(/^(42501|PGRST30\d)$/));
      }
    }
  });
});
