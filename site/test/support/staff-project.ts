import type { SupabaseClient } from "@supabase/supabase-js";
import type { OpenDatabase } from "backend/test/database.ts";
import { openProject, type Project } from "./project.ts";

export const EMAIL = "office@site.example";

const TABLES = [
  "public.changes",
  "public.bookings",
  "public.course_dates",
  "public.blog_posts",
  "public.waiting_list",
  "public.enquiries",
  "public.letters",
  "private.enquiry_mails",
  "private.post_previews",
];

/** Deletes without triggers: with few rows this takes a twentieth of the CPU time of `truncate`, which creates new files. */
const EMPTY = ["set local session_replication_role = replica", ...TABLES.map((table) => `delete from ${table}`)].join("; ");

/** A project with one member of staff, and shorthands for their actions. */
export interface StaffProject {
  project: Project;
  staff: SupabaseClient;
  staffId: string;
  /** Empties the change log and the tables it records. */
  empty(): Promise<void>;
  sql(text: string): Promise<void>;
  /** Adds a row and returns its id. */
  add(table: string, values: object, client?: SupabaseClient): Promise<string>;
  addDate(values?: object): Promise<string>;
  book(dateId: string, values?: object): Promise<string>;
  publish(values?: object): Promise<string>;
  remove(table: string, id: string): Promise<void>;
  /** The changes of a record, the oldest first. */
  changesOf(id: string): Promise<Record<string, unknown>[]>;
  /** Makes all changes older. */
  age(interval: string): Promise<void>;
}

/** Opens a project on a fresh database and signs a member of staff in. */
export async function openStaffProject(open: OpenDatabase): Promise<StaffProject> {
  const project = await openProject(open);
  const { client: staff, id: staffId } = await project.staff(EMAIL);
  const sql = (text: string): Promise<void> => project.database.transaction((tx) => tx.script(text));

  async function add(table: string, values: object, client = staff): Promise<string> {
    const { data, error } = await client.from(table).insert(values).select("id").single();
    if (error) throw error;
    return data.id;
  }

  return {
    project,
    staff,
    staffId,
    sql,
    add,
    empty: () => sql(EMPTY),
    addDate: (values) =>
      add("course_dates", { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z", capacity: 4, ...values }),
    book: (course_id, values) => add("bookings", { course_id, name: "Ada", ...values }),
    publish: (values) => add("blog_posts", { title: "News", content: "Words", author: "Jo", slug: "news", ...values }),
    async remove(table, id) {
      const { data } = await staff.from(table).delete().eq("id", id).select("id");
      if (data?.length !== 1) throw new Error(`nothing was deleted from ${table}`);
    },
    async changesOf(record_id) {
      const { data, error } = await staff.from("changes").select("*").eq("record_id", record_id).order("id");
      if (error) throw error;
      return data;
    },
    age: (interval) => sql(`update public.changes set at = at - interval '${interval}'`),
  };
}
