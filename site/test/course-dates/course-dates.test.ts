import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openProject, type Project } from "../support/project.ts";

describeDatabases("changes of course dates and posts", (open) => {
  let project: Project;
  let staff: SupabaseClient;
  beforeAll(async () => {
    project = await openProject(open);
    ({ client: staff } = await project.staff("office@site.example"));
  });

  async function addDate(values: object = {}): Promise<{ id: string; updated_at: string; status: string; end_date: string | null }> {
    const { data, error } = await staff
      .from("course_dates")
      .insert({ course_name: "Manual Handling", course_date: "2030-07-01T08:00:00Z", ...values })
      .select("id, updated_at, status, end_date")
      .single();
    if (error) throw error;
    return data;
  }

  test("a date is open and has no end date by default", async () => {
    expect(await addDate()).toMatchObject({ status: "open", end_date: null });
  });

  test.each([
    ["an end before the start", { end_date: "2030-06-30" }],
    ["an unknown status", { status: "maybe" }],
    ["a start at infinity", { course_date: "infinity" }],
    ["a start in a year of five digits", { course_date: "20266-07-01T08:00:00Z" }],
    ["an end at infinity", { end_date: "infinity" }],
    ["a time of creation at infinity", { created_at: "infinity" }],
  ])("%s is refused by the table itself", async (_what, values) => {
    await expect(addDate(values)).rejects.toMatchObject({ code: "23514" });
  });

  test("the end date is a day in London: shortly after midnight there it is the next day", async () => {
    await expect(addDate({ course_date: "2030-06-30T23:30:00Z", end_date: "2030-06-30" })).rejects.toMatchObject({ code: "23514" });
    await expect(addDate({ course_date: "2030-06-30T23:30:00Z", end_date: "2030-07-01" })).resolves.toBeDefined();
  });

  test("a change sets updated_at, a booking does not", async () => {
    const { id, updated_at } = await addDate();
    const version = async (): Promise<string> =>
      (await staff.from("course_dates").select("updated_at").eq("id", id).single()).data?.updated_at;
    await staff.from("bookings").insert({ course_id: id, name: "Ada" });
    expect(await version()).toBe(updated_at);
    await staff.from("course_dates").update({ status: "confirmed" }).eq("id", id);
    expect(await version()).not.toBe(updated_at);
  });

  test("a cancelled date refuses new, moved and reactivated bookings and keeps its existing ones", async () => {
    const [from, to] = [await addDate(), await addDate()];
    const book = (course_id: string, status: string) =>
      staff.from("bookings").insert({ course_id, name: "Ada", status }).select("id").single<{ id: string }>();
    const there = await book(to.id, "active");
    const moving = await book(from.id, "active");
    const resting = await book(to.id, "cancelled");
    await staff.from("course_dates").update({ status: "cancelled" }).eq("id", to.id);
    expect((await book(to.id, "active")).error?.code).toBe("PT410");
    expect((await staff.from("bookings").update({ course_id: to.id }).eq("id", moving.data?.id)).error?.code).toBe("PT410");
    expect((await staff.from("bookings").update({ status: "active" }).eq("id", resting.data?.id)).error?.code).toBe("PT410");
    expect((await staff.from("bookings").update({ note: "Rang her" }).eq("id", there.data?.id)).error).toBeNull();
    const { data } = await staff.from("course_dates").select("places_taken").in("id", [from.id, to.id]);
    expect(data).toEqual([{ places_taken: 1 }, { places_taken: 1 }]);
  });

  test("the slug of a post never changes, and each change sets updated_at", async () => {
    const post = { title: "Snow", content: "Drive slowly.", author: "Jo", slug: "snow" };
    const { data: made } = await staff.from("blog_posts").insert(post).select("id, updated_at").single();
    const renamed = await staff.from("blog_posts").update({ slug: "ice" }).eq("id", made?.id);
    expect([renamed.status, renamed.error?.code]).toEqual([409, "PT409"]);
    const { data } = await staff
      .from("blog_posts")
      .update({ title: "Ice", slug: "snow" })
      .eq("id", made?.id)
      .select("slug, updated_at")
      .single();
    expect(data?.slug).toBe("snow");
    expect(data?.updated_at).not.toBe(made?.updated_at);
  });
});
