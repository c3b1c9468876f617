import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openProject, type Project } from "../support/project.ts";
import { clientsOf, ROLES, STAFF, type Role } from "../support/roles.ts";

const NOBODY = "00000000-0000-4000-8000-000000000000";

/** The functions that only staff may use, with arguments. */
const OF_STAFF: Readonly<Record<string, object>> = {
  begin_staff_act: { act: "link", member_id: NOBODY },
  book_request: { enquiry: NOBODY, seen: "2030-01-01T00:00Z" },
  book_waiting: { entry: NOBODY },
  find_people: { words: "ada" },
  list_staff: {},
  move_waiting: { entry: NOBODY, up: true },
  own_sessions: {},
  search_bookings: { words: "ada", before: "2030-01-01" },
  search_portal: { words: "ada" },
  undo_delete: { kind: "bookings", record_id: NOBODY },
  website_stats: { period_days: 7 },
};
/** The functions that only the service may use. */
const OF_SERVICE: Readonly<Record<string, object>> = {
  apply_retention: {},
  claim_enquiry_mails: {},
  note_enquiry_mailed: { enquiry_id: NOBODY },
  record_opt_out: {},
  record_page_views: { views: [] },
  request_place: { id: NOBODY, course_id: NOBODY, name: "Ada", places: 1 },
  send_enquiry: { id: NOBODY, name: "Ada", reply_to: "ada@mail.example", message: "When?" },
};
/** The functions that return to any signed-in account no more than it may read. */
const OF_EVERYBODY_SIGNED_IN = ["course_removals", "post_image_uses", "posts_expire_at"];

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

  test("visitors may call two, which reveal only the expiry of the post list and when a course lost a date", async () => {
    expect(await callableBy("anon")).toEqual(["course_removals", "posts_expire_at"]);
    for (const [name, values] of Object.entries({ ...OF_STAFF, ...OF_SERVICE })) {
      expect((await project.visitor.rpc(name, values)).error?.code, name).toBe("42501");
    }
  });

  test("every function that a signed-in person or the service may call is tested here", async () => {
    expect(await callableBy("authenticated")).toEqual([...Object.keys(OF_STAFF), ...OF_EVERYBODY_SIGNED_IN].toSorted());
    const known = new Set([...Object.keys(OF_STAFF), ...Object.keys(OF_SERVICE), ...OF_EVERYBODY_SIGNED_IN]);
    expect((await callableBy("service_role")).filter((name) => !known.has(name))).toEqual([]);
  });

  test.each(ROLES.filter((role) => !STAFF.includes(role) && role !== "the service"))(
    "%s reads and changes nothing with the functions of staff",
    async (role) => {
      for (const [name, values] of Object.entries(OF_STAFF)) {
        const { data, error } = await clients[role].rpc(name, values);
        expect(data, name).toBeNull();
        // Row-level security hides the entry from some callers.
        expect(error?.code, name).toMatch(name.startsWith("book_") ? /^(42501|PGRST30\d|PT404)$/ : /^(42501|PGRST30\d)$/);
      }
    },
  );

  test("the statistics are for staff only", async () => {
    for (const role of ROLES) {
      const { error } = await clients[role].rpc("website_stats", { period_days: 7 });
      expect(error === null, role).toBe(STAFF.includes(role));
    }
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
