import { expect, test, beforeAll } from "vitest";
import { describeDatabases } from "backend/test/database.ts";
import { searchPortal } from "../../app/portal/search/search.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

/** A Wednesday. */
const NOW = Date.parse("2031-01-15T12:00:00Z");

describeDatabases("the search of the portal", (open) => {
  let office: StaffProject;
  beforeAll(async () => {
    office = await openStaffProject(open);
    const { staff } = office;
    await staff.from("blog_posts").delete().not("id", "is", null);
    await staff.from("course_dates").delete().not("id", "is", null);
    const { data: dates, error } = await staff
      .from("course_dates")
      .insert([
        { course_name: "Emergency First Aid", course_date: "2031-01-21T09:00:00Z" },
        { course_name: "Lvl 2 CCTV", course_date: "2031-01-21T09:00:00Z" },
        { course_name: "Emergency First Aid", course_date: "2030-12-03T09:00:00Z" },
      ])
      .select("id");
    if (error) throw error;
    const [next, , past] = dates.map(({ id }) => id);
    const sarah = { name: "Sarah O'Neill", phone: "07700 900101" };
    const added = await Promise.all([
      staff.from("bookings").insert([
        { course_id: next, ...sarah },
        { course_id: past, ...sarah },
      ]),
      staff.from("waiting_list").insert({ course_id: next, name: "Tom Birkett", phone: "07700 900202" }),
      staff.from("enquiries").insert({ name: "Wendy Moor", reply_to: "+44 7700 900303", message: "Fourteen of us in the village hall" }),
      staff
        .from("blog_posts")
        .insert({ title: "Packing a kit", author: "Jo", content: "Gauze", image_url: "/a.jpg", slug: "kit", published_at: null }),
    ]);
    for (const result of added) if (result.error) throw result.error;
  });

  async function found(text: string): Promise<string[]> {
    const groups = await searchPortal(office.staff, text, NOW);
    return (groups ?? []).flatMap(({ title, found: results }) => results.map(({ name, detail }) => `${title}: ${name}, ${detail}`));
  }

  const SARAH = "People: Sarah O'Neill, 07700 900101 · Emergency First Aid, Tue 21 Jan 2031 · 2 in all";
  const TOM = "People: Tom Birkett, 07700 900202 · waits for Emergency First Aid, Tue 21 Jan 2031";
  const COMING = "Course dates: Emergency First Aid, Tue 21 Jan 2031 · 09:00 · 1 of 12 taken";
  const PAST = "Course dates: Emergency First Aid, Tue 3 Dec 2030 · 09:00 · 1 of 12 taken";
  const CCTV = "Course dates: Lvl 2 CCTV, Tue 21 Jan 2031 · 09:00 · 0 of 12 taken";
  const KIT = "Posts: Packing a kit, Jo · draft";

  test.each([
    ["sarah", [SARAH]],
    ["oneill", [SARAH]],
    ["+44 7700 900101", [SARAH]],
    ["birk", [TOM]],
    ["efa", [COMING, PAST]],
    ["21 jan", [COMING, CCTV]],
    ["efa tue", [COMING, PAST]],
    ["cctv next week", [CCTV]],
    ["sarah 3 dec", ["People: Sarah O'Neill, 07700 900101 · Emergency First Aid, Tue 3 Dec 2030"]],
    ["kit", [KIT]],
    ["nobody", []],
    ["'; drop table bookings; --", []],
    ["   ", []],
  ])("%s finds %j", async (text, expected) => {
    expect((await found(text)).toSorted()).toEqual(expected.toSorted());
  });

  test("one booking of a person opens itself, several are listed", async () => {
    const { data } = await office.staff
      .from("bookings")
      .select("id, course_id, course_dates!inner(course_date)")
      .order("course_dates(course_date)");
    const links = async (text: string) =>
      (await searchPortal(office.staff, text, NOW))?.flatMap(({ found: results }) => results.map(({ to }) => to));
    expect(await links("sarah 3 dec")).toEqual([`/admin/bookings?date=${data?.[0]?.course_id}&open=${data?.[0]?.id}`]);
    expect(await links("sarah")).toEqual(["/admin/bookings?when=all&words=Sarah+O%27Neill"]);
    expect(await links("birk")).toEqual([`/admin/bookings?date=${data?.[1]?.course_id}`]);
  });

  test.each(["07700900303", "village hall", "wendy"])("%s finds the enquiry", async (text) => {
    const [result, ...others] = await found(text);
    expect([result, others]).toEqual([expect.stringMatching(/^Enquiries: Wendy Moor, \+44 7700 900303 · .* · new$/), []]);
  });

  test("nobody else can search", async () => {
    const { error } = await office.project.visitor.rpc("search_portal", { words: "sarah" });
    expect(error?.code).toBe("42501");
  });
});
