import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import type { Project } from "../support/project.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("staff process enquiries", (open) => {
  let office: StaffProject;
  let project: Project;
  let staff: SupabaseClient;
  let staffId: string;
  beforeAll(async () => {
    office = await openStaffProject(open);
    ({ project, staff, staffId } = office);
  });

  /** Inserts an enquiry of some days ago and returns its id; rate limits do not apply. */
  async function addEnquiry(daysAgo = 1): Promise<string> {
    const [made] = await project.database.transaction((tx) =>
      tx.query<{ id: string }>(
        `insert into public.enquiries (name, reply_to, message, created_at)
         values ('Ada', 'ada@mail.example', 'When?', now() - make_interval(days => $1)) returning id`,
        [daysAgo],
      ),
    );
    if (!made) throw new Error("no enquiry was made");
    return made.id;
  }

  const addDate = (capacity = 12): Promise<string> => office.addDate({ capacity });

  async function statusOf(id: string): Promise<string | undefined> {
    return (await staff.from("enquiries").select("status").eq("id", id).maybeSingle()).data?.status;
  }

  test("a visitor cannot insert an enquiry, and staff cannot set the status or the author of a new one", async () => {
    const values = { name: "Ada", reply_to: "ada@mail.example", message: "When?" };
    expect((await project.visitor.from("enquiries").insert(values)).error?.code).toBe("42501");
    expect((await staff.from("enquiries").insert(values)).error).toBeNull();
    const { data } = await staff.from("enquiries").select("status, note, updated_by").single();
    expect(data).toEqual({ status: "new", note: null, updated_by: null });
    for (const own of [{ status: "closed" }, { note: "Me" }, { updated_by: staffId }, { updated_at: "2030-01-07T09:00:00Z" }]) {
      expect((await staff.from("enquiries").insert({ ...values, ...own })).error?.code).toBe("42501");
    }
  });

  test("staff change the status and the note, and the database stores who did", async () => {
    const id = await addEnquiry();
    const { data } = await staff
      .from("enquiries")
      .update({ status: "called", note: "Rings back" })
      .eq("id", id)
      .select("status, note, updated_by")
      .single();
    expect(data).toEqual({ status: "called", note: "Rings back", updated_by: staffId });
  });

  test.each([
    ["an unknown status", { status: "maybe" }],
    ["a note that is too long", { note: "a".repeat(2001) }],
  ])("%s is refused by the table itself", async (_what, change) => {
    const { error } = await staff
      .from("enquiries")
      .update(change)
      .eq("id", await addEnquiry());
    expect(error?.code).toBe("23514");
  });

  test("nobody changes what the visitor wrote or who changed it when", async () => {
    const id = await addEnquiry();
    for (const change of [{ message: "No" }, { reply_to: "other@mail.example" }, { updated_by: null }, { created_at: "2020-01-01" }]) {
      expect((await staff.from("enquiries").update(change).eq("id", id)).error?.code).toBe("42501");
    }
  });

  test("the second of two concurrent edits writes nothing", async () => {
    const id = await addEnquiry();
    const read = async () => (await staff.from("enquiries").select("updated_at").eq("id", id).single()).data?.updated_at;
    const seen = await read();
    const edit = (note: string) => staff.from("enquiries").update({ note }).eq("id", id).eq("updated_at", seen).select("id");
    expect((await edit("First")).data).toHaveLength(1);
    expect((await edit("Second")).data).toEqual([]);
    expect(await read()).not.toBe(seen);
  });

  test("a booking from an enquiry marks it as booked, and each links to the other", async () => {
    const [enquiry, date] = [await addEnquiry(), await addDate()];
    const { error } = await staff.from("bookings").insert({ course_id: date, name: "Ada", enquiry_id: enquiry });
    expect(error).toBeNull();
    const there = await staff.from("enquiries").select("status, updated_by, bookings(name)").eq("id", enquiry).single();
    expect(there.data).toEqual({ status: "booked", updated_by: staffId, bookings: [{ name: "Ada" }] });
    const back = await staff.from("bookings").select("enquiries(message)").eq("course_id", date).single();
    expect(back.data).toEqual({ enquiries: { message: "When?" } });
  });

  test("only one of many concurrent bookings of an enquiry succeeds; after its cancellation it or another one does", async () => {
    const [enquiry, date] = [await addEnquiry(), await addDate(50)];
    const book = () => staff.from("bookings").insert({ course_id: date, name: "Ada", enquiry_id: enquiry }).select("id");
    const answers = await Promise.all(Array.from({ length: 20 }, book));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error, status }) => (error ? [`${status} ${error.code}`] : [])))).toEqual(new Set(["422 PT422"]));
    const id = answers.find(({ data }) => data)?.data?.[0]?.id;
    const setStatus = (status: string) => staff.from("bookings").update({ status }).eq("id", id);
    await setStatus("cancelled");
    await staff.from("enquiries").update({ status: "closed" }).eq("id", enquiry);
    expect((await setStatus("active")).error).toBeNull();
    expect(await statusOf(enquiry)).toBe("booked");
    await setStatus("cancelled");
    expect((await book()).error).toBeNull();
    expect((await setStatus("active")).error?.code).toBe("PT422");
  });

  test("a refused booking does not change the enquiry", async () => {
    const [enquiry, date] = [await addEnquiry(), await addDate(1)];
    const { error } = await staff.from("bookings").insert({ course_id: date, name: "Ada", places: 2, enquiry_id: enquiry });
    expect(error?.code).toBe("PT409");
    expect(await statusOf(enquiry)).toBe("new");
  });

  test("the enquiry of a booking cannot be changed and must exist", async () => {
    const [enquiry, date] = [await addEnquiry(), await addDate()];
    const { data } = await staff.from("bookings").insert({ course_id: date, name: "Ada" }).select("id").single();
    expect((await staff.from("bookings").update({ enquiry_id: enquiry }).eq("id", data?.id)).error?.code).toBe("42501");
    const unknown = await staff.from("bookings").insert({ course_id: date, name: "Ada", enquiry_id: crypto.randomUUID() });
    expect(unknown.error?.code).toBe("23503");
  });

  test("staff delete an enquiry, and its booking stays", async () => {
    const [enquiry, date] = [await addEnquiry(), await addDate()];
    await staff.from("bookings").insert({ course_id: date, name: "Ada", enquiry_id: enquiry });
    expect((await staff.from("enquiries").delete().eq("id", enquiry).select("id")).data).toHaveLength(1);
    const { data } = await staff.from("bookings").select("name, enquiry_id").eq("course_id", date);
    expect(data).toEqual([{ name: "Ada", enquiry_id: null }]);
  });
});
