import type { SupabaseClient } from "@supabase/supabase-js";
import type { OpenDatabase } from "backend/test/database.ts";
import { openProject, type Project } from "./project.ts";

export const EMAIL = "office@site.example";

/** A project with one of staff, and what they do all day. */
export interface Office {
  project: Project;
  staff: SupabaseClient;
  staffId: string;
  /** Empties the tables the trail is about, and the trail. */
  empty(): Promise<void>;
  sql(text: string): Promise<void>;
  /** Adds a row and gives its id. */
  add(table: string, values: object, client?: SupabaseClient): Promise<string>;
  addDate(values?: object): Promise<string>;
  book(dateId: string, values?: object): Promise<string>;
  publish(values?: object): Promise<string>;
  remove(table: string, id: string): Promise<void>;
  /** The changes of a record, the first first. */
  trailOf(id: string): Promise<Record<string, unknown>[]>;
  /** Lets everything recorded so far be this old. */
  age(interval: string): Promise<void>;
}

/** Opens an office on a fresh database. */
export async function openOffice(open: OpenDatabase): Promise<Office> {
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
    empty: () => sql("truncate public.trail, public.bookings, public.course_dates, public.blog_posts, public.waiting_list"),
    addDate: (values) =>
      add("course_dates", { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z", capacity: 4, ...values }),
    book: (course_id, values) => add("bookings", { course_id, name: "Ada", ...values }),
    publish: (values) => add("blog_posts", { title: "News", content: "Words", author: "Jo", slug: "news", ...values }),
    async remove(table, id) {
      const { data } = await staff.from(table).delete().eq("id", id).select("id");
      if (data?.length !== 1) throw new Error(`nothing was deleted from ${table}`);
    },
    async trailOf(record_id) {
      const { data, error } = await staff.from("trail").select("*").eq("record_id", record_id).order("id");
      if (error) throw error;
      return data;
    },
    age: (interval) => sql(`update public.trail set at = at - interval '${interval}'`),
  };
}
