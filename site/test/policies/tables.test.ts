import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { courseNames } from "content/course-names.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../../supabase/database.types.ts";
import { openProject, type Project } from "../support/project.ts";
import { clientsOf, ROLES, type Role } from "../support/roles.ts";

/** Every table of the public schema, so that a new one needs its rows here. */
type Table = keyof Database["public"]["Tables"];
type Verb = "select" | "insert" | "update" | "delete";

const VERBS: readonly Verb[] = ["select", "insert", "update", "delete"];

type Allowed = Record<Table, readonly Verb[]>;

const OF_VISITORS: Allowed = {
  course_dates: ["select"],
  bookings: [],
  blog_posts: ["select"],
  enquiries: [],
  waiting_list: [],
  staff_acts: [],
  changes: [],
  letters: [],
  letter_kinds: [],
};
const OF_STAFF: Allowed = {
  course_dates: VERBS,
  bookings: VERBS,
  blog_posts: VERBS,
  enquiries: VERBS,
  waiting_list: VERBS,
  staff_acts: ["select"],
  changes: ["select"],
  letters: ["select"],
  letter_kinds: ["select", "update"],
};

/** The allowed operations of each role; all others are refused. */
const ALLOWED: Record<Role, Allowed> = {
  "a visitor": OF_VISITORS,
  "an owner": OF_STAFF,
  staff: OF_STAFF,
  "staff with a second factor, at aal2": OF_STAFF,
  "staff with a second factor, at aal1": OF_VISITORS,
  // Trainers read their registers with a function: trainers.test.ts.
  "a trainer": OF_VISITORS,
  "banned staff": OF_VISITORS,
  "an account that was deleted": OF_VISITORS,
  "an anonymous account": OF_VISITORS,
  "staff who signed out": OF_VISITORS,
  "the service": { ...OF_STAFF, staff_acts: ["select", "update"], letter_kinds: ["select"] },
};

const ONE_PIXEL = Uint8Array.fromBase64("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

describeDatabases("policies", (open) => {
  let project: Project;
  let clients: Record<Role, SupabaseClient>;

  beforeAll(async () => {
    project = await openProject(open);
    clients = await clientsOf(project);
  });

  describe.each(ROLES)("%s", (role) => {
    const cases = Object.entries(ALLOWED[role]).flatMap(([table, verbs]) =>
      VERBS.map((verb) => ({ table, verb, allowed: verbs.includes(verb) })),
    );

    test.each(cases)("$verb on $table: allowed $allowed", async ({ table, verb, allowed }) => {
      expect(await attempt(project, clients[role], table, verb)).toBe(allowed);
    });
  });

  test("only callers who may write posts see drafts and scheduled posts", async () => {
    const { service } = project;
    for (const published_at of [null, new Date(Date.now() + 3_600_000).toISOString()]) {
      const post = { title: "T", content: "c", author: "a", slug: `p-${crypto.randomUUID()}`, published_at };
      const { data: made } = await service.from("blog_posts").insert(post).select("id").single();
      for (const role of ROLES) {
        const { data } = await clients[role].from("blog_posts").select("id").eq("id", made?.id);
        expect(data?.length, role).toBe(ALLOWED[role].blog_posts.includes("insert") ? 1 : 0);
      }
    }
  });

  test("nobody reads or writes a table of the private schema", async () => {
    const granted = await project.database.transaction((tx) =>
      tx.query(
        `select r.rolname, c.relname from pg_class c cross join pg_roles r
         where c.relnamespace = 'private'::regnamespace and c.relkind in ('r', 'p') and r.rolname in ('anon', 'authenticated', 'service_role')
         and (has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate') or not c.relrowsecurity)`,
      ),
    );
    expect(granted).toEqual([]);
  });

  test("the database accepts dates of every course in the catalogue, and of no other", async () => {
    const { client: staff } = await project.staff("names@site.example");
    const { error } = await staff
      .from("course_dates")
      .insert(courseNames.map((course_name) => ({ course_name, course_date: "2030-01-07T09:00:00Z" })));
    expect(error).toBeNull();
    const refused = await staff.from("course_dates").insert({ course_name: "Basket Weaving", course_date: "2030-01-07T09:00:00Z" });
    expect(refused.error?.code).toBe("23514");
  });

  test("every table of the public schema has row-level security enabled", async () => {
    const unguarded = await project.database.transaction((tx) =>
      tx.query("select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity"),
    );
    expect(unguarded).toEqual([]);
  });

  test("a visitor sees no row of the storage tables and no message, which every role may query as in a hosted project", async () => {
    const files = project.service.storage.from("post-images");
    expect((await files.upload("room-00000001-1x1.png", ONE_PIXEL, { contentType: "image/png" })).error).toBeNull();
    const seen = await project.database.transaction(async (tx) => {
      await tx.query("select realtime.send('{}', 'event', 'topic')");
      await tx.query("set local role anon");
      return tx.query(
        "select id from storage.buckets union all select id::text from storage.objects union all select id::text from realtime.messages",
      );
    });
    expect(seen).toEqual([]);
  });

  test("visitors read every column of public tables, and no column shows the account that wrote a row", async () => {
    const writer = await project.staff("writer@site.example");
    for (const table of ["course_dates", "blog_posts"] as const) {
      const values = await ROWS[table].fresh(project.database);
      const { data: made } = await writer.client.from(table).insert(values).select("id").single();
      const { data, error } = await project.visitor.from(table).select("*").eq("id", made?.id);
      expect([error, data?.length], table).toEqual([null, 1]);
      expect(JSON.stringify(data)).not.toContain(writer.id);
    }
  });

  test("a visitor sees only public tables", async () => {
    const readable = await project.database.transaction((tx) =>
      tx.query<{ name: string }>(
        `select c.relname as name from pg_class c where c.relkind in ('r', 'p', 'v', 'm') and has_schema_privilege('anon', c.relnamespace, 'usage')
         and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'storage', 'realtime') and has_table_privilege('anon', c.oid, 'select') order by 1`,
      ),
    );
    expect(readable.map(({ name }) => name)).toEqual(["blog_posts", "course_dates"]);
  });
});

/** True if the operation took effect on a fresh row. */
async function attempt({ database }: Project, client: SupabaseClient, table: string, verb: Verb): Promise<boolean> {
  const row = new Map(Object.entries(ROWS)).get(table);
  if (!row) throw new Error(`there is no row of ${table}`);
  const { insert, key, change, fresh } = row;
  const [made] = await database.transaction((tx) => tx.query<{ key: string | number }>(insert));
  if (!made) throw new Error(`no row was made in ${table}`);
  const { data } = await {
    select: () => client.from(table).select(key).eq(key, made.key),
    insert: async () => {
      const values = await fresh(database);
      const { error } = await client.from(table).insert(values);
      return { data: error ? [] : [values] };
    },
    update: () => client.from(table).update(change).eq(key, made.key).select(key),
    delete: () => client.from(table).delete().eq(key, made.key).select(key),
  }[verb]();
  return (data ?? []).length === 1;
}

const INSERT_DATE =
  "insert into public.course_dates (course_name, course_date) values ('Manual Handling', now() + interval '1 month') returning id as key";

/** Creates a row in each table without row-level security, and values to write. */
const ROWS: Record<Table, { insert: string; key: string; change: object; fresh: (database: Project["database"]) => Promise<object> }> = {
  course_dates: {
    insert: INSERT_DATE,
    key: "id",
    change: { capacity: 9 },
    fresh: () => Promise.resolve({ course_name: "Lvl 2 CCTV", course_date: "2030-01-07T09:00:00Z" }),
  },
  bookings: {
    insert: `with date as (${INSERT_DATE.replace(" as key", "")}) insert into public.bookings (course_id, name) select id, 'N' from date returning id as key`,
    key: "id",
    change: { note: "Changed" },
    fresh: async (database) => {
      const [date] = await database.transaction((tx) => tx.query(INSERT_DATE));
      return { course_id: date?.["key"], name: "N" };
    },
  },
  blog_posts: {
    insert:
      "insert into public.blog_posts (title, content, author, slug) values ('T', 'c', 'a', 'p-' || gen_random_uuid()) returning id as key",
    key: "id",
    change: { title: "Changed" },
    fresh: () => Promise.resolve({ title: "T", content: "c", author: "a", slug: `p-${crypto.randomUUID()}` }),
  },
  enquiries: {
    insert: `insert into public.enquiries (name, reply_to, message, created_at)
      values ('N', 'n@site.example', 'm', now() - interval '1 day') returning id as key`,
    key: "id",
    change: { note: "Changed" },
    fresh: () => Promise.resolve({ name: "N", reply_to: "n@site.example", message: "m" }),
  },
  waiting_list: {
    insert: `with date as (${INSERT_DATE.replace(" as key", "")}) insert into public.waiting_list (course_id, name, email) select id, 'N', 'n@site.example' from date returning id as key`,
    key: "id",
    change: { note: "Changed" },
    fresh: async (database) => {
      const [date] = await database.transaction((tx) => tx.query(INSERT_DATE));
      return { course_id: date?.["key"], name: "N", email: "n@site.example" };
    },
  },
  staff_acts: {
    insert:
      "insert into public.staff_acts (act, actor_id, actor_email, member_email) values ('link', gen_random_uuid(), 'a', 'm') returning id as key",
    key: "id",
    change: { done_at: "2030-01-07T09:00:00Z" },
    fresh: () => Promise.resolve({ act: "link", actor_id: crypto.randomUUID(), actor_email: "a", member_email: "m" }),
  },
  changes: {
    insert:
      "insert into public.changes (kind, record_id, act, actor) values ('bookings', gen_random_uuid(), 'delete', 'staff') returning id as key",
    key: "id",
    change: { actor_email: "somebody.else@site.example" },
    fresh: () => Promise.resolve({ kind: "bookings", record_id: crypto.randomUUID(), act: "delete", actor: "staff" }),
  },
  letters: {
    insert: `with enquiry as (insert into public.enquiries (name, reply_to, message) values ('N', '01632 960 900', 'm') returning id)
      insert into public.letters (kind, enquiry_id, due_at, expires_at)
      select 'acknowledgement', id, now(), now() + interval '1 day' from enquiry returning id as key`,
    key: "id",
    change: { state: "sent" },
    fresh: async (database) => {
      const enquiry = "insert into public.enquiries (name, reply_to, message) values ('N', '01632 960 900', 'm') returning id as key";
      const [made] = await database.transaction((tx) => tx.query(enquiry));
      return { kind: "acknowledgement", enquiry_id: made?.["key"], due_at: "2030-01-07T09:00Z", expires_at: "2030-01-08T09:00Z" };
    },
  },
  letter_kinds: {
    insert: "insert into public.letter_kinds (id, fields) values (gen_random_uuid()::text, '{}') returning id as key",
    key: "id",
    change: { subject: "Changed" },
    fresh: () => Promise.resolve({ id: crypto.randomUUID(), fields: [] }),
  },
};
