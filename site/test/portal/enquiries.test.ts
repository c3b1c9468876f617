import { beforeEach, describe, expect, test } from "vitest";
import { enquiryReference } from "content/enquiry-reference.ts";
import { listBookableDates } from "../../app/portal/bookable-dates/bookable-date.ts";
import { enquiryToBook } from "../../app/portal/bookings/enquiry-booking.ts";
import { handlingFields, requestInWords, type Enquiry } from "../../app/portal/enquiries/fields.ts";
import { enquiryColumns, enquiryFilter } from "../../app/portal/enquiries/filter.ts";
import {
  addEnquiry,
  bookRequest,
  deleteEnquiry,
  listEnquiries,
  readEnquiry,
  saveEnquiry,
  setStatus,
} from "../../app/portal/enquiries/queries.ts";
import { formValues } from "../../app/portal/forms/fields.ts";
import { rowOf } from "../../app/portal/frame/outcome.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();
beforeEach(async () => {
  await project().empty();
  await project().sql("delete from public.enquiries");
});

const NEW_ENQUIRY = { name: "Ada", reply_to: "ada@mail.example", course_name: "Lvl 2 CCTV", message: "When?" };

async function stored(values: object = {}): Promise<Enquiry> {
  const enquiry = await read(await project().add("enquiries", { ...NEW_ENQUIRY, ...values }));
  if (!enquiry) throw new Error("The enquiry cannot be read");
  return enquiry;
}

async function read(id: string): Promise<Enquiry | undefined> {
  return rowOf(readEnquiry(project().staff, id), id);
}

async function names(scope: Parameters<typeof listEnquiries>[1]): Promise<string[]> {
  const answer = await listEnquiries(project().staff, scope);
  return answer.ok ? answer.rows.map(({ name }) => name) : [];
}

describe("listing enquiries", () => {
  test("lists open ones and those since a time, or all, the newest first", async () => {
    const closed = await stored({ name: "Closed" });
    await stored({ name: "Open" });
    await setStatus(project().staff, closed, "new", "closed");
    await project().sql("update public.enquiries set created_at = now() - interval '1 year' where name = 'Closed'");
    await project().sql("update public.enquiries set created_at = now() - interval '2 years' where name = 'Open'");
    expect(await names("all")).toEqual(["Closed", "Open"]);
    expect(await names({ since: new Date().toISOString() })).toEqual(["Open"]);
  });

  test("the CSV file has words instead of codes, and every id at the end", async () => {
    const row = await stored();
    const cells = enquiryColumns.map(({ cell }) => cell(row));
    expect(cells).toEqual(expect.arrayContaining([row.name, row.reply_to, row.message, row.course_name, row.note, "New"]));
    expect(cells.slice(-3)).toEqual([row.id, "", row.updated_by]);
  });

  test("reports the error of the service", async () => {
    const { id } = await stored();
    const { visitor } = project().project;
    expect(await listEnquiries(visitor, "all")).toMatchObject({ ok: false, message: expect.stringMatching(/^Error fetching enquiries: /) });
    expect(await readEnquiry(visitor, id)).toMatchObject({ ok: false, message: expect.stringMatching(/^Error fetching enquiry: /) });
  });
});

describe("adding an enquiry", () => {
  test("stores its fields as a new enquiry", async () => {
    expect(await addEnquiry(project().staff, formOf({ ...NEW_ENQUIRY, course_name: "" }))).toMatchObject({
      ok: true,
      message: "Enquiry of Ada added.",
    });
    const answer = await listEnquiries(project().staff, "all");
    expect(answer).toMatchObject({ rows: [{ ...NEW_ENQUIRY, course_name: null, status: "new", bookings: [] }] });
  });

  test.each([
    ["name", ""],
    ["name", "x".repeat(121)],
    ["reply_to", "Ada"],
    ["reply_to", "1234"],
    ["reply_to", "1".repeat(255)],
    ["course_name", "Juggling"],
    ["message", " "],
    ["message", "x".repeat(4001)],
  ])("refuses %s %j at its field", async (field, value) => {
    expect(await addEnquiry(project().staff, formOf({ ...NEW_ENQUIRY, [field]: value }))).toMatchObject({ ok: false, field });
  });

  test("accepts values up to the length that the database accepts", async () => {
    const form = formOf({ ...NEW_ENQUIRY, name: "é".repeat(120), reply_to: "1".repeat(254), message: "é".repeat(4000) });
    expect(await addEnquiry(project().staff, form)).toMatchObject({ ok: true });
  });

  test("has no rate limit, which applies to visitors only", async () => {
    for (let number = 0; number < 30; number += 1) await project().add("enquiries", NEW_ENQUIRY, project().project.service);
    expect(await addEnquiry(project().staff, formOf(NEW_ENQUIRY))).toMatchObject({ ok: true });
  });
});

test("saving writes the note and the status, and shows what somebody else changed", async () => {
  const enquiry = await stored();
  const form = formOf({ ...formValues(handlingFields, enquiry), note: "Call again", status: "called" });
  expect(await saveEnquiry(project().staff, startEdit(enquiry), form)).toMatchObject({ ok: true, message: "Enquiry of Ada saved." });
  expect(await read(enquiry.id)).toMatchObject({ note: "Call again", status: "called" });
  const late = formOf({ ...formValues(handlingFields, enquiry), note: "Mine" });
  expect((await saveEnquiry(project().staff, startEdit(enquiry), late)).message).toContain(
    "Note: empty, now Call again; Status: New, now Called.",
  );
});

test("a status is changed unless somebody else changed it first", async () => {
  const enquiry = await stored();
  expect(await setStatus(project().staff, enquiry, "new", "called")).toEqual({
    ok: true,
    message: "Ada: Called",
    stored: [{ id: enquiry.id, status: "called", updated_at: expect.any(String) }],
  });
  expect(await setStatus(project().staff, enquiry, "new", "closed")).toMatchObject({
    ok: false,
    message: expect.stringContaining("not “New” any more"),
  });
});

test("an enquiry is deleted once, and its booking stays", async () => {
  const { id } = await stored();
  const date = await project().addDate();
  await project().book(date, { enquiry_id: id });
  expect(await deleteEnquiry(project().staff, id)).toEqual({ ok: true, message: "Enquiry deleted." });
  expect(await deleteEnquiry(project().staff, id)).toMatchObject({ ok: false });
  const { data } = await project().staff.from("bookings").select("enquiry_id").eq("course_id", date);
  expect(data).toEqual([{ enquiry_id: null }]);
});

describe("a request for places", () => {
  async function request(date: object = {}): Promise<Enquiry> {
    const course_id = await project().addDate({ course_name: "Lvl 2 CCTV", ...date });
    const values = {
      course_id,
      course_name: "Lvl 2 CCTV",
      name: "Ada",
      reply_to: "ada@mail.example",
      phone: "07700 900 123",
      places: 2,
      message: "",
      request: "place",
    };
    const enquiry = await read(await project().add("enquiries", values, project().project.service));
    if (!enquiry) throw new Error("The request cannot be read");
    return enquiry;
  }

  test("shows its places and date, and is found by its reference and its phone number", async () => {
    const enquiry = await request({ course_date: "2031-03-03T09:00Z" });
    expect(requestInWords(enquiry)).toBe("2 places on Mon 3 Mar 2031, 09:00");
    expect(enquiryFilter.text(enquiry)).toContain(enquiryReference(enquiry.id));
    expect(enquiryFilter.digits?.(enquiry)).toContain("07700 900 123");
  });

  test("says that its date was deleted, and shows no hold", async () => {
    const { id, course_id } = await request();
    await project()
      .project.service.from("course_dates")
      .delete()
      .eq("id", course_id ?? "")
      .throwOnError();
    const enquiry = await read(id);
    if (!enquiry) throw new Error("The request was deleted with its date");
    expect(requestInWords(enquiry)).toBe("2 places on a date that was deleted");
  });

  test("becomes a booking with one click, and a second click books nothing more", async () => {
    const enquiry = await request();
    expect(await bookRequest(project().staff, enquiry)).toMatchObject({ ok: true, message: "Booking added for Ada." });
    expect(await bookRequest(project().staff, enquiry)).toMatchObject({
      ok: false,
      message: expect.stringContaining("Nothing was booked"),
    });
    expect((await read(enquiry.id))?.bookings).toHaveLength(1);
  });

  test("is not booked with too few places or after somebody else changed it, and the message says so", async () => {
    const enquiry = await request({ capacity: 1 });
    expect(await bookRequest(project().staff, enquiry)).toMatchObject({
      ok: false,
      message: expect.stringContaining("Only 1 place is left"),
    });
    await setStatus(project().staff, enquiry, "new", "called");
    expect(await bookRequest(project().staff, enquiry)).toMatchObject({
      ok: false,
      message: expect.stringContaining("Somebody else changed"),
    });
  });

  test("begins a booking form with the visitor's input", async () => {
    const { id, course_id } = await request();
    const dates = await listBookableDates(project().staff, { since: "2026-01-01T00:00Z", id: null });
    const found = await enquiryToBook(project().staff, id, dates.ok ? dates.rows : [], Date.now());
    expect(found?.begin).toEqual({ name: "Ada", email: "ada@mail.example", phone: "07700 900 123", course_id, places: "2", note: "" });
  });
});
