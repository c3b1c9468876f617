import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { setClock } from "../support/clock.ts";
import { openProject, type Project } from "../support/project.ts";

const EMAIL = "ada@mail.example";
const BEFORE = Temporal.Instant.from("2031-01-10T12:00:00Z");
const AFTER = Temporal.Instant.from("2031-02-10T12:00:00Z");

describeDatabases("requests of a person", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
  });
  beforeEach(async () => {
    await project.database.transaction((tx) =>
      tx.script(
        "truncate public.letters, public.bookings, public.waiting_list, public.enquiries, public.course_dates, public.changes restart identity cascade",
      ),
    );
    await setClock(project, BEFORE);
  });

  async function add(table: string, values: object): Promise<string> {
    const { data, error } = await project.service.from(table).insert(values).select("id").single();
    if (error) throw error;
    return String(data.id);
  }
  const addDate = (day: string, course_name = "Lvl 2 CCTV"): Promise<string> =>
    add("course_dates", { course_name, course_date: `${day}T09:00:00Z`, capacity: 12 });
  async function call(name: "export_person" | "erase_person", values: object): Promise<Record<string, Record<string, unknown>[]>> {
    const { data, error } = await project.service.rpc(name, values);
    if (error) throw error;
    return data;
  }
  /** The earliest Close Protection that still runs on 10 February 2031. */
  const running_since = { "Lvl 3 Close Protection": "2031-01-08" };
  const erase = (contact: string) => call("erase_person", { contact, only_count: false, running_since });
  /** All rows as text, to look for traces. */
  async function allRows(): Promise<string> {
    const tables = ["bookings", "waiting_list", "enquiries", "letters", "changes"];
    return JSON.stringify(await Promise.all(tables.map(async (table) => (await project.service.from(table).select("*")).data)));
  }

  test("an export has all records of an e-mail address in any case, and none of somebody else", async () => {
    const date = await addDate("2031-01-20");
    const enquiry = await add("enquiries", { name: "Ada Fell", reply_to: "01632 960 900", message: "From my work phone" });
    await project.service.from("enquiries").update({ note: "Ada Fell rang" }).eq("id", enquiry);
    await add("bookings", { course_id: date, name: "Ada Fell", email: "Ada@Mail.example", note: "vegan", enquiry_id: enquiry });
    await add("waiting_list", { course_id: date, name: "Ada Fell", email: EMAIL });
    await add("bookings", { course_id: date, name: "Ben Moor", email: "ben@mail.example" });
    const gone = await add("bookings", { course_id: date, name: "Ada Former", email: EMAIL });
    await project.service.from("bookings").delete().eq("id", gone);
    const data = await call("export_person", { contact: ` ${EMAIL.toUpperCase()} ` });
    expect(data).toMatchObject({
      bookings: [{ name: "Ada Fell", course_name: "Lvl 2 CCTV", note: "vegan" }],
      waiting_list: [{ name: "Ada Fell", course_name: "Lvl 2 CCTV" }],
      enquiries: [{ message: "From my work phone" }],
      account: [],
    });
    expect(data["letters"]?.map(({ kind }) => kind).toSorted()).toEqual(["confirmation", "place_free", "reminder_day", "reminder_week"]);
    expect(data["changes"]?.map(({ act }) => act)).toEqual(["update", "update", "insert", "insert", "delete"]);
    expect(JSON.stringify(data)).toContain("Ada Former");
    expect(JSON.stringify(data)).not.toContain("Ben Moor");
  });

  test("a phone number is found in any spelling, and half a number is refused", async () => {
    await add("enquiries", { name: "Ada Fell", reply_to: "+44 (0)1632 960900", message: "When?" });
    expect((await call("export_person", { contact: "01632 960-900" }))["enquiries"]).toHaveLength(1);
    for (const contact of ["960900", "ada", "@", ""]) {
      expect((await project.service.rpc("export_person", { contact })).error?.code, contact).toBe("PT400");
      expect((await project.service.rpc("erase_person", { contact, only_count: false, running_since })).error?.code, contact).toBe("PT400");
    }
  });

  test("an erasure leaves no trace of enquiries, waiting lists and cancelled bookings, and touches nobody else", async () => {
    const date = await addDate("2031-01-20");
    const enquiry = await add("enquiries", { name: "Ada Fell", reply_to: EMAIL, message: "When?" });
    await project.service.from("enquiries").update({ note: "Ada Fell rang" }).eq("id", enquiry);
    await add("waiting_list", { course_id: date, name: "Ada Fell", email: EMAIL });
    await add("bookings", { course_id: date, name: "Ada Fell", email: EMAIL, status: "cancelled" });
    const gone = await add("bookings", { course_id: date, name: "Ada Fell", email: EMAIL });
    await project.service.from("bookings").delete().eq("id", gone);
    await add("bookings", { course_id: date, name: "Ben Moor", email: "ben@mail.example" });
    expect(await call("erase_person", { contact: EMAIL, only_count: true, running_since })).toMatchObject({
      erased: { bookings: 1, enquiries: 1, waiting_list: 1 },
    });
    expect(await allRows()).toContain("Ada Fell");
    expect(await erase(EMAIL)).toMatchObject({
      erased: { bookings: 1, enquiries: 1, waiting_list: 1 },
      kept: { contract: 0, accounts: 0 },
    });
    const left = await allRows();
    expect(left).not.toMatch(/Ada F|ada@/i);
    expect(left).toContain("Ben Moor");
    expect(await call("export_person", { contact: EMAIL })).toMatchObject({ bookings: [], changes: [] });
  });

  test("a booking that came from the person's enquiry is the person's, also with the address of an employer", async () => {
    const [past, coming] = [await addDate("2031-01-20"), await addDate("2031-03-20")];
    const addEnquiry = (message: string): Promise<string> => add("enquiries", { name: "Ada Fell", reply_to: EMAIL, message });
    const [first, second, third] = [await addEnquiry("For January"), await addEnquiry("For March"), await addEnquiry("For Ben")];
    const employer = { name: "ada fell ", email: "staff@firm.example", note: "vegan" };
    await add("bookings", { ...employer, course_id: past, enquiry_id: first, status: "cancelled" });
    await add("bookings", { ...employer, course_id: coming, enquiry_id: second });
    await add("bookings", { course_id: past, name: "Ben Moor", email: "ben@mail.example", enquiry_id: third });
    expect((await call("export_person", { contact: EMAIL }))["bookings"]).toMatchObject([employer, employer]);
    await setClock(project, AFTER);
    expect(await erase(EMAIL)).toMatchObject({ erased: { bookings: 1, enquiries: 1 }, kept: { contract: 1, accounts: 0, enquiries: 2 } });
    const { data } = await project.service.from("bookings").select("email, note, enquiry_id").order("created_at");
    expect(data).toEqual([
      { email: "staff@firm.example", note: "vegan", enquiry_id: second },
      { email: "ben@mail.example", note: null, enquiry_id: third },
    ]);
  });

  test("a booking in the accounts keeps only its name, and a booking of an upcoming course is unchanged", async () => {
    const [past, coming] = [await addDate("2031-01-20"), await addDate("2031-03-20")];
    const enquiry = await add("enquiries", { name: "Ada Fell", reply_to: EMAIL, message: "For March" });
    await add("bookings", { course_id: past, name: "Ada Fell", email: EMAIL, phone: "01632 960900", note: "vegan" });
    await add("bookings", { course_id: coming, name: "Ada Fell", email: EMAIL, note: "vegan", enquiry_id: enquiry });
    await setClock(project, AFTER);
    expect(await erase(EMAIL)).toMatchObject({ erased: { bookings: 0, enquiries: 0 }, kept: { contract: 1, accounts: 1, enquiries: 1 } });
    const { data } = await project.service.from("bookings").select("name, email, phone, note, course_id, enquiry_id").order("created_at");
    expect(data).toEqual([
      { name: "Ada Fell", email: null, phone: null, note: null, course_id: past, enquiry_id: null },
      { name: "Ada Fell", email: EMAIL, phone: null, note: "vegan", course_id: coming, enquiry_id: enquiry },
    ]);
    const letters = await project.service.from("letters").select("bookings(course_id)");
    expect(JSON.stringify(letters.data)).toContain(coming);
    expect(JSON.stringify(letters.data)).not.toContain(past);
  });

  test("a booking of a course that is running is kept as it is, with and without a last day", async () => {
    const [ended, begun] = [await addDate("2031-01-07", "Lvl 3 Close Protection"), await addDate("2031-01-08", "Lvl 3 Close Protection")];
    const [today, ending, over] = [await addDate("2031-02-10"), await addDate("2031-02-04"), await addDate("2031-02-03")];
    await project.service.from("course_dates").update({ end_date: "2031-02-10" }).eq("id", ending);
    await project.service.from("course_dates").update({ end_date: "2031-02-09" }).eq("id", over);
    for (const course_id of [ended, begun, today, ending, over]) await add("bookings", { course_id, name: "Ada Fell", email: EMAIL });
    await setClock(project, AFTER);
    expect(await erase(EMAIL)).toMatchObject({ kept: { contract: 3, accounts: 2 } });
    const { data } = await project.service.from("bookings").select("course_id").eq("email", EMAIL).order("created_at");
    expect(data?.map(({ course_id }) => course_id)).toEqual([begun, today, ending]);
  });
});
