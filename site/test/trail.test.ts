import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "./project.ts";

const EMAIL = "office@site.example";

describeDatabases("the trail", (open) => {
  let project: Project;
  let staff: SupabaseClient;
  let staffId: string;
  beforeAll(async () => {
    project = await openProject(open);
    ({ client: staff, id: staffId } = await project.staff(EMAIL));
  });
  beforeEach(() => sql("truncate public.trail, public.bookings, public.course_dates, public.blog_posts, public.waiting_list"));

  function sql(text: string): Promise<void> {
    return project.database.transaction((tx) => tx.script(text));
  }

  async function add(table: string, values: object, client = staff): Promise<string> {
    const { data, error } = await client.from(table).insert(values).select("id").single();
    if (error) throw error;
    return data.id;
  }

  const addDate = (values: object = {}): Promise<string> =>
    add("course_dates", { course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z", capacity: 4, ...values });
  const book = (course_id: string, values: object = {}): Promise<string> => add("bookings", { course_id, name: "Ada", ...values });
  const publish = (values: object = {}): Promise<string> =>
    add("blog_posts", { title: "News", content: "Words", author: "Jo", slug: "news", ...values });
  const remove = async (table: string, id: string): Promise<void> => {
    const { data } = await staff.from(table).delete().eq("id", id).select("id");
    if (data?.length !== 1) throw new Error(`nothing was deleted from ${table}`);
  };
  const undo = (kind: string, record_id: string, more: object = {}, client = staff) =>
    client.rpc("undo_delete", { kind, record_id, ...more });

  async function trailOf(record_id: string): Promise<Record<string, unknown>[]> {
    const { data, error } = await staff.from("trail").select("*").eq("record_id", record_id).order("id");
    if (error) throw error;
    return data;
  }

  /** Lets everything recorded so far be this old. */
  const age = (interval: string): Promise<void> => sql(`update public.trail set at = at - interval '${interval}'`);

  describe("recording", () => {
    test("lists who added, changed and deleted a booking, with what stood before and after", async () => {
      const date = await addDate();
      const id = await book(date, { phone: "07700 900123" });
      await staff.from("bookings").update({ name: "Ada Fell", note: "Rang" }).eq("id", id);
      await remove("bookings", id);
      const about = { name: "Ada Fell", course_name: "Manual Handling", course_date: "2030-01-07T09:00:00+00:00" };
      const who = { kind: "bookings", actor: "staff", actor_id: staffId, actor_email: EMAIL };
      expect(await trailOf(id)).toMatchObject([
        { ...who, act: "insert", before: null, after: { name: "Ada", phone: "07700 900123", places: 1 }, columns: [] },
        {
          ...who,
          act: "update",
          columns: ["name", "note"],
          before: { name: "Ada", note: null },
          after: { name: "Ada Fell", note: "Rang" },
        },
        { ...who, act: "delete", about, before: { name: "Ada Fell", note: "Rang", course_id: date }, after: null },
      ]);
    });

    test("of an update it keeps only what changed, and nothing where nothing did", async () => {
      const id = await addDate();
      await staff.from("course_dates").update({ capacity: 5, course_name: "Manual Handling" }).eq("id", id);
      await staff.from("course_dates").update({ capacity: 5 }).eq("id", id);
      const [, ...updates] = await trailOf(id);
      expect(updates).toMatchObject([{ columns: ["capacity"], before: { capacity: 4 }, after: { capacity: 5 } }]);
      expect(Object.keys(Object(updates[0]?.["after"]))).toEqual(["capacity"]);
    });

    test("a booking changes its date's places, and that is no change of the date", async () => {
      const id = await addDate();
      await book(id);
      expect(await trailOf(id)).toHaveLength(1);
    });

    test("the address of whoever did it stays when the account goes", async () => {
      const leaver = await project.staff("leaver@site.example");
      const id = await add("blog_posts", { title: "T", content: "c", author: "a", slug: "left" }, leaver.client);
      await project.service.auth.admin.deleteUser(leaver.id);
      expect(await trailOf(id)).toMatchObject([{ actor_email: "leaver@site.example" }]);
    });

    test("changes by the secret key and by SQL are told from those of staff", async () => {
      const id = await add("blog_posts", { title: "T", content: "c", author: "a", slug: "service" }, project.service);
      await sql(`update public.blog_posts set title = 'By SQL' where id = '${id}'`);
      expect(await trailOf(id)).toMatchObject([
        { actor: "service", actor_id: null, actor_email: null },
        { actor: "database", actor_id: null, actor_email: null, after: { title: "By SQL" } },
      ]);
    });

    test("a draft that is saved while it is written is one change a sitting; publishing it is another", async () => {
      const id = await publish({ title: "", content: "", slug: null, published_at: null });
      for (const content of ["One", "One two", "One two three"]) await staff.from("blog_posts").update({ content }).eq("id", id);
      await staff.from("blog_posts").update({ title: "Counting" }).eq("id", id);
      await staff.from("blog_posts").update({ slug: "counting", published_at: "2026-01-01T00:00:00Z" }).eq("id", id);
      await staff.from("blog_posts").update({ content: "Four" }).eq("id", id);
      expect((await trailOf(id)).map(({ act, columns, before, after }) => ({ act, columns, before, after })).slice(1)).toMatchObject([
        {
          columns: ["content", "title"],
          before: { content: "", title: "" },
          after: { content: "One two three", title: "Counting" },
        },
        { columns: ["published_at", "slug"] },
        { columns: ["content"], before: { content: "One two three" }, after: { content: "Four" } },
      ]);
    });

    test("a refused change leaves no trace", async () => {
      const date = await addDate({ capacity: 1 });
      const id = crypto.randomUUID();
      expect((await staff.from("bookings").insert({ id, course_id: date, name: "Ada", places: 2 })).error?.code).toBe("PT409");
      expect(await trailOf(id)).toEqual([]);
    });
  });

  describe("keeping", () => {
    test("nobody writes, changes or empties it, whoever asks and however", async () => {
      const id = await publish();
      for (const client of [staff, project.service]) {
        expect((await client.from("trail").update({ actor_email: "x" }).eq("record_id", id)).error?.code).toBe("42501");
        expect((await client.from("trail").delete().eq("record_id", id)).error?.code).toBe("42501");
        expect((await client.from("trail").insert({ kind: "bookings", record_id: id, act: "insert", actor: "staff" })).error?.code).toBe(
          "42501",
        );
      }
      expect((await project.visitor.from("trail").select("id")).error?.code).toBe("42501");
      expect(await trailOf(id)).toHaveLength(1);
    });

    test.each([
      ["a change of the office", () => addDate()],
      [
        "a visit",
        () => project.service.rpc("record_page_views", { views: [{ page_path: "/", session_id: crypto.randomUUID(), device: "phone" }] }),
      ],
    ])("after 30 days %s clears what stood there, after 12 months the rest", async (_what, happen) => {
      await sql("delete from private.view_salts");
      const id = await publish();
      await remove("blog_posts", id);
      await age("30 days");
      // Hidden already, and gone from the table once anything happens.
      expect(await trailOf(id)).toEqual([]);
      await happen();
      expect(await trailOf(id)).toMatchObject([
        { act: "insert", actor_email: EMAIL, about: null, before: null, after: null },
        { act: "delete", actor_email: EMAIL, about: null, before: null, after: null },
      ]);
      await sql("delete from private.view_salts");
      await age("12 months");
      await happen();
      const left = await project.database.transaction((tx) => tx.query("select from public.trail where record_id = $1", [id]));
      expect(left).toEqual([]);
    });
  });

  describe("undoing", () => {
    test("a booking comes back as it was, its place is taken again, and that is recorded", async () => {
      const date = await addDate();
      const id = await book(date, { places: 3, payment_status: "paid", payment_method: "card", note: "Vegetarian", phone: "07700 900123" });
      const { data: was } = await staff.from("bookings").select("*").eq("id", id).single();
      await remove("bookings", id);
      expect(await undo("bookings", id)).toMatchObject({ data: 1, error: null });
      const { data: is } = await staff.from("bookings").select("*").eq("id", id).single();
      expect({ ...is, updated_at: was?.updated_at }).toEqual(was);
      const { data } = await project.visitor.from("course_dates").select("places_taken").eq("id", date).single();
      expect(data).toEqual({ places_taken: 3 });
      expect((await trailOf(id)).map(({ act }) => act)).toEqual(["insert", "delete", "restore"]);
    });

    test("a post comes back at its address", async () => {
      const id = await publish({ image_url: "https://images.example/fell.jpg" });
      await remove("blog_posts", id);
      expect((await undo("blog_posts", id)).error).toBeNull();
      const { data } = await project.visitor.from("blog_posts").select("slug, image_url").eq("id", id).single();
      expect(data).toEqual({ slug: "news", image_url: "https://images.example/fell.jpg" });
    });

    test("a date comes back with the bookings that went together with it, and with no others", async () => {
      const date = await addDate({ end_date: "2030-01-09", description: "Bring a coat" });
      const [kept, cancelled, before] = [await book(date, { places: 2 }), await book(date, { status: "cancelled" }), await book(date)];
      await remove("bookings", before);
      await staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
      await sql(`delete from public.bookings where course_id = '${date}'; delete from public.course_dates where id = '${date}'`);
      expect(await undo("course_dates", date)).toMatchObject({ data: 3, error: null });
      const { data } = await staff.from("bookings").select("id").eq("course_id", date);
      expect(new Set(data?.map(({ id }) => id))).toEqual(new Set([kept, cancelled]));
      const row = await staff.from("course_dates").select("status, end_date, places_taken").eq("id", date).single();
      expect(row.data).toEqual({ status: "cancelled", end_date: "2030-01-09", places_taken: 2 });
    });

    test("a booking whose date is gone says so, and goes to another or to the one brought back", async () => {
      const [gone, other] = [await addDate(), await addDate()];
      const [first, second] = [await book(gone), await book(gone)];
      for (const id of [first, second]) await remove("bookings", id);
      await remove("course_dates", gone);
      expect((await undo("bookings", first)).error?.code).toBe("23503");
      expect((await undo("bookings", first, { onto: other })).error).toBeNull();
      expect((await undo("course_dates", gone)).error).toBeNull();
      expect((await undo("bookings", second)).error).toBeNull();
      const { data } = await staff.from("bookings").select("id, course_id").in("id", [first, second]);
      expect(new Map(data?.map(({ id, course_id }) => [id, course_id]))).toEqual(
        new Map([
          [first, other],
          [second, gone],
        ]),
      );
    });

    test("a date that is full meanwhile takes nobody back, and says how many places are left", async () => {
      const date = await addDate({ capacity: 2 });
      const id = await book(date, { places: 2 });
      await remove("bookings", id);
      await book(date);
      expect((await undo("bookings", id)).error).toMatchObject({ code: "PT409", details: "1" });
      await staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
      expect((await undo("bookings", id)).error?.code).toBeOneOf(["PT409", "PT410"]);
    });

    test("a post whose address is taken meanwhile goes to another", async () => {
      const id = await publish();
      await remove("blog_posts", id);
      await publish();
      expect((await undo("blog_posts", id)).error?.code).toBe("23505");
      expect((await undo("blog_posts", id, { address: "news-2" })).error).toBeNull();
    });

    test("of two who undo at once one does, and what is there is not brought back twice", async () => {
      const id = await publish();
      await remove("blog_posts", id);
      const answers = await Promise.all(Array.from({ length: 5 }, () => undo("blog_posts", id)));
      expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
      expect(new Set(answers.flatMap(({ error }) => error?.code ?? []))).toEqual(new Set(["PT412"]));
    });

    test("it works for 30 days and not for a day longer, nor for what never was", async () => {
      const id = await publish();
      await remove("blog_posts", id);
      await age("29 days 23 hours");
      expect((await undo("blog_posts", id)).error).toBeNull();
      await remove("blog_posts", id);
      await age("30 days");
      expect((await undo("blog_posts", id)).error?.code).toBe("PT404");
      expect((await undo("blog_posts", crypto.randomUUID())).error?.code).toBe("PT404");
      expect((await undo("staff_acts; drop table public.trail", id)).error?.code).toBe("PT404");
    });

    test("a booking comes back also where the enquiry it came of is gone", async () => {
      const enquiry = await project.database.transaction((tx) =>
        tx.query<{ id: string }>("insert into public.enquiries (name, reply_to, message) values ('N', 'n@site.example', 'm') returning id"),
      );
      const id = await book(await addDate(), { enquiry_id: enquiry[0]?.id });
      await remove("bookings", id);
      await sql("delete from public.enquiries");
      expect((await undo("bookings", id)).error).toBeNull();
    });

    test("it is for staff only", async () => {
      const id = await publish();
      await remove("blog_posts", id);
      for (const client of [project.visitor, project.service]) {
        expect((await undo("blog_posts", id, {}, client)).error?.code).toBe("42501");
      }
      const anonymous = await project.bearer({ sub: staffId, role: "authenticated", aal: "aal1", is_anonymous: true });
      expect((await undo("blog_posts", id, {}, anonymous)).error?.code).toBe("42501");
    });
  });
});
