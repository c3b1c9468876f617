import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EMAIL, openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("the change log", (open) => {
  let staffProject: StaffProject;
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
  });
  beforeEach(() => staffProject.empty());

  describe("recording", () => {
    test("lists who added, changed and deleted a booking, with the values before and after", async () => {
      const date = await staffProject.addDate();
      const id = await staffProject.book(date, { phone: "07700 900123" });
      await staffProject.staff.from("bookings").update({ name: "Ada Fell", note: "Rang" }).eq("id", id);
      await staffProject.remove("bookings", id);
      const about = { name: "Ada Fell", course_name: "Manual Handling", course_date: "2030-01-07T09:00:00+00:00" };
      const who = { kind: "bookings", actor: "staff", actor_id: staffProject.staffId, actor_email: EMAIL };
      expect(await staffProject.changesOf(id)).toMatchObject([
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

    test("lists who changed the status or the note of an enquiry, until the enquiry is deleted", async () => {
      const id = crypto.randomUUID();
      await staffProject.staff.from("enquiries").insert({ id, name: "Ada", reply_to: "ada@site.example", message: "When?" });
      await staffProject.staff.from("enquiries").update({ status: "called", note: "Rings back" }).eq("id", id);
      expect(await staffProject.changesOf(id)).toMatchObject([
        {
          kind: "enquiries",
          act: "update",
          actor_email: EMAIL,
          about: { name: "Ada" },
          columns: ["note", "status"],
          before: { status: "new", note: null },
          after: { status: "called", note: "Rings back" },
        },
      ]);
      await staffProject.remove("enquiries", id);
      expect(await staffProject.changesOf(id)).toEqual([]);
    });

    test("stores only the changed values of an update, and nothing for an update without changes", async () => {
      const id = await staffProject.addDate();
      await staffProject.staff.from("course_dates").update({ capacity: 5, course_name: "Manual Handling" }).eq("id", id);
      await staffProject.staff.from("course_dates").update({ capacity: 5 }).eq("id", id);
      const [, ...updates] = await staffProject.changesOf(id);
      expect(updates).toMatchObject([{ columns: ["capacity"], before: { capacity: 4 }, after: { capacity: 5 } }]);
      expect(Object.keys(Object(updates[0]?.["after"]))).toEqual(["capacity"]);
    });

    test("a booking changes the places of its date without an entry for the date", async () => {
      const id = await staffProject.addDate();
      await staffProject.book(id);
      expect(await staffProject.changesOf(id)).toHaveLength(1);
    });

    test("keeps the author's e-mail address when the account is deleted", async () => {
      const leaver = await staffProject.project.staff("leaver@site.example");
      const id = await staffProject.add("blog_posts", { title: "T", content: "c", author: "a", slug: "left" }, leaver.client);
      await staffProject.project.service.auth.admin.deleteUser(leaver.id);
      expect(await staffProject.changesOf(id)).toMatchObject([{ actor_email: "leaver@site.example" }]);
    });

    test("distinguishes changes by the secret key and by SQL from those of staff", async () => {
      const id = await staffProject.add(
        "blog_posts",
        { title: "T", content: "c", author: "a", slug: "service" },
        staffProject.project.service,
      );
      await staffProject.sql(`update public.blog_posts set title = 'By SQL' where id = '${id}'`);
      expect(await staffProject.changesOf(id)).toMatchObject([
        { actor: "service", actor_id: null, actor_email: null },
        { actor: "database", actor_id: null, actor_email: null, after: { title: "By SQL" } },
      ]);
    });

    test("stores the autosaves of a draft as one change, and its publication as another", async () => {
      const id = await staffProject.publish({ title: "", content: "", slug: null, published_at: null });
      for (const content of ["One", "One two", "One two three"])
        await staffProject.staff.from("blog_posts").update({ content }).eq("id", id);
      await staffProject.staff.from("blog_posts").update({ title: "Counting" }).eq("id", id);
      await staffProject.staff.from("blog_posts").update({ slug: "counting", published_at: "2026-01-01T00:00:00Z" }).eq("id", id);
      await staffProject.staff.from("blog_posts").update({ content: "Four" }).eq("id", id);
      expect(
        (await staffProject.changesOf(id)).map(({ act, columns, before, after }) => ({ act, columns, before, after })).slice(1),
      ).toMatchObject([
        {
          columns: ["content", "title"],
          before: { content: "", title: "" },
          after: { content: "One two three", title: "Counting" },
        },
        { columns: ["published_at", "slug"] },
        { columns: ["content"], before: { content: "One two three" }, after: { content: "Four" } },
      ]);
    });

    test("does not store a refused change", async () => {
      const date = await staffProject.addDate({ capacity: 1 });
      const id = crypto.randomUUID();
      expect((await staffProject.staff.from("bookings").insert({ id, course_id: date, name: "Ada", places: 2 })).error?.code).toBe("PT409");
      expect(await staffProject.changesOf(id)).toEqual([]);
    });
  });

  describe("protection", () => {
    test("no caller can write, change or empty the log", async () => {
      const id = await staffProject.publish();
      for (const client of [staffProject.staff, staffProject.project.service]) {
        expect((await client.from("changes").update({ actor_email: "x" }).eq("record_id", id)).error?.code).toBe("42501");
        expect((await client.from("changes").delete().eq("record_id", id)).error?.code).toBe("42501");
        expect((await client.from("changes").insert({ kind: "bookings", record_id: id, act: "insert", actor: "staff" })).error?.code).toBe(
          "42501",
        );
      }
      expect((await staffProject.project.visitor.from("changes").select("id")).error?.code).toBe("42501");
      expect(await staffProject.changesOf(id)).toHaveLength(1);
    });
  });
});
