import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("undo of a deletion", (open) => {
  let staffProject: StaffProject;
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
  });
  beforeEach(() => staffProject.empty());

  const undo = (kind: string, record_id: string, more: object = {}, client: SupabaseClient = staffProject.staff) =>
    client.rpc("undo_delete", { kind, record_id, ...more });

  test("restores a booking unchanged, takes its place again and records a change", async () => {
    const date = await staffProject.addDate();
    const id = await staffProject.book(date, {
      places: 3,
      payment_status: "paid",
      payment_method: "card",
      note: "Vegetarian",
      phone: "07700 900123",
    });
    const { data: was } = await staffProject.staff.from("bookings").select("*").eq("id", id).single();
    await staffProject.remove("bookings", id);
    expect(await undo("bookings", id)).toMatchObject({ data: 1, error: null });
    const { data: is } = await staffProject.staff.from("bookings").select("*").eq("id", id).single();
    expect({ ...is, updated_at: was?.updated_at }).toEqual(was);
    const { data } = await staffProject.project.visitor.from("course_dates").select("places_taken").eq("id", date).single();
    expect(data).toEqual({ places_taken: 3 });
    expect((await staffProject.changesOf(id)).map(({ act }) => act)).toEqual(["insert", "delete", "restore"]);
  });

  test("restores a booking while all tables are replicated to another server", async () => {
    const { addDate, book, remove, sql } = staffProject;
    const id = await book(await addDate(), { email: "ada@mail.example" });
    await sql("create publication all_tables for all tables");
    try {
      await remove("bookings", id);
      expect(await undo("bookings", id)).toMatchObject({ data: 1, error: null });
    } finally {
      await sql("drop publication all_tables");
    }
  });

  test("restores a post at its slug", async () => {
    const id = await staffProject.publish({ image_url: "https://images.example/fell.jpg" });
    await staffProject.remove("blog_posts", id);
    expect((await undo("blog_posts", id)).error).toBeNull();
    const { data } = await staffProject.project.visitor.from("blog_posts").select("slug, image_url").eq("id", id).single();
    expect(data).toEqual({ slug: "news", image_url: "https://images.example/fell.jpg" });
  });

  test("restores a date with the bookings deleted together with it, and no others", async () => {
    const date = await staffProject.addDate({ end_date: "2030-01-09", description: "Bring a coat" });
    const [kept, cancelled, before] = [
      await staffProject.book(date, { places: 2 }),
      await staffProject.book(date, { status: "cancelled" }),
      await staffProject.book(date),
    ];
    await staffProject.remove("bookings", before);
    await staffProject.staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    await staffProject.sql(`delete from public.bookings where course_id = '${date}'; delete from public.course_dates where id = '${date}'`);
    expect(await undo("course_dates", date)).toMatchObject({ data: 3, error: null });
    const { data } = await staffProject.staff.from("bookings").select("id").eq("course_id", date);
    expect(new Set(data?.map(({ id }) => id))).toEqual(new Set([kept, cancelled]));
    const row = await staffProject.staff.from("course_dates").select("status, end_date, places_taken").eq("id", date).single();
    expect(row.data).toEqual({ status: "cancelled", end_date: "2030-01-09", places_taken: 2 });
  });

  test("adds one entry for a cancelled date, with its status", async () => {
    const date = await staffProject.addDate();
    const booking = await staffProject.book(date);
    await staffProject.staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    await staffProject.sql(`delete from public.bookings where course_id = '${date}'; delete from public.course_dates where id = '${date}'`);
    expect((await undo("course_dates", date)).error).toBeNull();
    expect((await staffProject.changesOf(date)).map(({ act }) => act)).toEqual(["insert", "update", "delete", "restore"]);
    expect((await staffProject.changesOf(date)).at(-1)).toMatchObject({ after: { status: "cancelled" } });
    expect((await staffProject.changesOf(booking)).map(({ act }) => act)).toEqual(["insert", "delete", "restore"]);
  });

  test("refuses a booking whose date is deleted, and restores it to another date or to the restored one", async () => {
    const [gone, other] = [await staffProject.addDate(), await staffProject.addDate()];
    const [first, second] = [await staffProject.book(gone), await staffProject.book(gone)];
    for (const id of [first, second]) await staffProject.remove("bookings", id);
    await staffProject.remove("course_dates", gone);
    expect((await undo("bookings", first)).error?.code).toBe("23503");
    expect((await undo("bookings", first, { onto: other })).error).toBeNull();
    expect((await undo("course_dates", gone)).error).toBeNull();
    expect((await undo("bookings", second)).error).toBeNull();
    const { data } = await staffProject.staff.from("bookings").select("id, course_id").in("id", [first, second]);
    expect(new Map(data?.map(({ id, course_id }) => [id, course_id]))).toEqual(
      new Map([
        [first, other],
        [second, gone],
      ]),
    );
  });

  test("refuses a booking if its date is full, with the number of places left", async () => {
    const date = await staffProject.addDate({ capacity: 2 });
    const id = await staffProject.book(date, { places: 2 });
    await staffProject.remove("bookings", id);
    await staffProject.book(date);
    expect((await undo("bookings", id)).error).toMatchObject({ code: "PT409", details: "1" });
    await staffProject.staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    expect((await undo("bookings", id)).error?.code).toBeOneOf(["PT409", "PT410"]);
  });

  test("restores a post at another slug if its own is taken", async () => {
    const id = await staffProject.publish();
    await staffProject.remove("blog_posts", id);
    await staffProject.publish();
    expect((await undo("blog_posts", id)).error?.code).toBe("23505");
    expect((await undo("blog_posts", id, { address: "news-2" })).error).toBeNull();
  });

  test("succeeds once for two concurrent calls, and not for a record that exists", async () => {
    const id = await staffProject.publish();
    await staffProject.remove("blog_posts", id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo("blog_posts", id)));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(["PT412"]));
  });

  test("works for 30 days, and not for a record that never existed", async () => {
    const id = await staffProject.publish();
    await staffProject.remove("blog_posts", id);
    await staffProject.age("29 days 23 hours");
    expect((await undo("blog_posts", id)).error).toBeNull();
    await staffProject.remove("blog_posts", id);
    await staffProject.age("30 days");
    expect((await undo("blog_posts", id)).error?.code).toBe("PT404");
    expect((await undo("blog_posts", crypto.randomUUID())).error?.code).toBe("PT404");
    expect((await undo("staff_acts; drop table public.changes", id)).error?.code).toBe("PT404");
  });

  test("restores a booking if its enquiry is deleted", async () => {
    const enquiry = await staffProject.project.database.transaction((tx) =>
      tx.query<{ id: string }>("insert into public.enquiries (name, reply_to, message) values ('N', 'n@site.example', 'm') returning id"),
    );
    const id = await staffProject.book(await staffProject.addDate(), { enquiry_id: enquiry[0]?.id });
    await staffProject.remove("bookings", id);
    await staffProject.sql("delete from public.enquiries");
    expect((await undo("bookings", id)).error).toBeNull();
  });

  test("records that the enquiry of a restored booking is booked again", async () => {
    const { add, addDate, book, changesOf, remove, staff } = staffProject;
    const enquiry = await add("enquiries", { name: "Ada", reply_to: "ada@mail.example", message: "When?", course_name: "Manual Handling" });
    const id = await book(await addDate(), { enquiry_id: enquiry });
    await remove("bookings", id);
    await staff.from("enquiries").update({ status: "closed" }).eq("id", enquiry);
    expect((await undo("bookings", id)).error).toBeNull();
    expect((await changesOf(enquiry)).map(({ after }) => after)).toEqual([
      { status: "booked" },
      { status: "closed" },
      { status: "booked" },
    ]);
  });

  test("is for staff only", async () => {
    const id = await staffProject.publish();
    await staffProject.remove("blog_posts", id);
    for (const client of [staffProject.project.visitor, staffProject.project.service]) {
      expect((await undo("blog_posts", id, {}, client)).error?.code).toBe("42501");
    }
    const anonymous = await staffProject.project.bearer({
      sub: staffProject.staffId,
      role: "authenticated",
      aal: "aal1",
      is_anonymous: true,
    });
    expect((await undo("blog_posts", id, {}, anonymous)).error?.code).toBe("42501");
  });
});
