import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("undo of a deletion", (open) => {
  let office: StaffProject;
  beforeAll(async () => {
    office = await openStaffProject(open);
  });
  beforeEach(() => office.empty());

  const undo = (kind: string, record_id: string, more: object = {}, client: SupabaseClient = office.staff) =>
    client.rpc("undo_delete", { kind, record_id, ...more });

  test("restores a booking unchanged, takes its place again and records a change", async () => {
    const date = await office.addDate();
    const id = await office.book(date, {
      places: 3,
      payment_status: "paid",
      payment_method: "card",
      note: "Vegetarian",
      phone: "07700 900123",
    });
    const { data: was } = await office.staff.from("bookings").select("*").eq("id", id).single();
    await office.remove("bookings", id);
    expect(await undo("bookings", id)).toMatchObject({ data: 1, error: null });
    const { data: is } = await office.staff.from("bookings").select("*").eq("id", id).single();
    expect({ ...is, updated_at: was?.updated_at }).toEqual(was);
    const { data } = await office.project.visitor.from("course_dates").select("places_taken").eq("id", date).single();
    expect(data).toEqual({ places_taken: 3 });
    expect((await office.changesOf(id)).map(({ act }) => act)).toEqual(["insert", "delete", "restore"]);
  });

  test("restores a post at its slug", async () => {
    const id = await office.publish({ image_url: "https://images.example/fell.jpg" });
    await office.remove("blog_posts", id);
    expect((await undo("blog_posts", id)).error).toBeNull();
    const { data } = await office.project.visitor.from("blog_posts").select("slug, image_url").eq("id", id).single();
    expect(data).toEqual({ slug: "news", image_url: "https://images.example/fell.jpg" });
  });

  test("restores a date with the bookings deleted together with it, and no others", async () => {
    const date = await office.addDate({ end_date: "2030-01-09", description: "Bring a coat" });
    const [kept, cancelled, before] = [
      await office.book(date, { places: 2 }),
      await office.book(date, { status: "cancelled" }),
      await office.book(date),
    ];
    await office.remove("bookings", before);
    await office.staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    await office.sql(`delete from public.bookings where course_id = '${date}'; delete from public.course_dates where id = '${date}'`);
    expect(await undo("course_dates", date)).toMatchObject({ data: 3, error: null });
    const { data } = await office.staff.from("bookings").select("id").eq("course_id", date);
    expect(new Set(data?.map(({ id }) => id))).toEqual(new Set([kept, cancelled]));
    const row = await office.staff.from("course_dates").select("status, end_date, places_taken").eq("id", date).single();
    expect(row.data).toEqual({ status: "cancelled", end_date: "2030-01-09", places_taken: 2 });
  });

  test("refuses a booking whose date is deleted, and restores it to another date or to the restored one", async () => {
    const [gone, other] = [await office.addDate(), await office.addDate()];
    const [first, second] = [await office.book(gone), await office.book(gone)];
    for (const id of [first, second]) await office.remove("bookings", id);
    await office.remove("course_dates", gone);
    expect((await undo("bookings", first)).error?.code).toBe("23503");
    expect((await undo("bookings", first, { onto: other })).error).toBeNull();
    expect((await undo("course_dates", gone)).error).toBeNull();
    expect((await undo("bookings", second)).error).toBeNull();
    const { data } = await office.staff.from("bookings").select("id, course_id").in("id", [first, second]);
    expect(new Map(data?.map(({ id, course_id }) => [id, course_id]))).toEqual(
      new Map([
        [first, other],
        [second, gone],
      ]),
    );
  });

  test("refuses a booking if its date is full, with the number of places left", async () => {
    const date = await office.addDate({ capacity: 2 });
    const id = await office.book(date, { places: 2 });
    await office.remove("bookings", id);
    await office.book(date);
    expect((await undo("bookings", id)).error).toMatchObject({ code: "PT409", details: "1" });
    await office.staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    expect((await undo("bookings", id)).error?.code).toBeOneOf(["PT409", "PT410"]);
  });

  test("restores a post at another slug if its own is taken", async () => {
    const id = await office.publish();
    await office.remove("blog_posts", id);
    await office.publish();
    expect((await undo("blog_posts", id)).error?.code).toBe("23505");
    expect((await undo("blog_posts", id, { address: "news-2" })).error).toBeNull();
  });

  test("succeeds once for two concurrent calls, and not for a record that exists", async () => {
    const id = await office.publish();
    await office.remove("blog_posts", id);
    const answers = await Promise.all(Array.from({ length: 5 }, () => undo("blog_posts", id)));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(["PT412"]));
  });

  test("works for 30 days, and not for a record that never existed", async () => {
    const id = await office.publish();
    await office.remove("blog_posts", id);
    await office.age("29 days 23 hours");
    expect((await undo("blog_posts", id)).error).toBeNull();
    await office.remove("blog_posts", id);
    await office.age("30 days");
    expect((await undo("blog_posts", id)).error?.code).toBe("PT404");
    expect((await undo("blog_posts", crypto.randomUUID())).error?.code).toBe("PT404");
    expect((await undo("staff_acts; drop table public.changes", id)).error?.code).toBe("PT404");
  });

  test("restores a booking if its enquiry is deleted", async () => {
    const enquiry = await office.project.database.transaction((tx) =>
      tx.query<{ id: string }>("insert into public.enquiries (name, reply_to, message) values ('N', 'n@site.example', 'm') returning id"),
    );
    const id = await office.book(await office.addDate(), { enquiry_id: enquiry[0]?.id });
    await office.remove("bookings", id);
    await office.sql("delete from public.enquiries");
    expect((await undo("bookings", id)).error).toBeNull();
  });

  test("is for staff only", async () => {
    const id = await office.publish();
    await office.remove("blog_posts", id);
    for (const client of [office.project.visitor, office.project.service]) {
      expect((await undo("blog_posts", id, {}, client)).error?.code).toBe("42501");
    }
    const anonymous = await office.project.bearer({ sub: office.staffId, role: "authenticated", aal: "aal1", is_anonymous: true });
    expect((await undo("blog_posts", id, {}, anonymous)).error?.code).toBe("42501");
  });
});
