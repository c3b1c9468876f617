import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createAutosave } from "../../app/portal/blog/editor/autosave.ts";
import { publishPost, savePost } from "../../app/portal/blog/queries.ts";
import { addBooking } from "../../app/portal/bookings/queries.ts";
import { addWaiting } from "../../app/portal/bookings/waiting-list/add-waiting.ts";
import { addCourseDate, repeatCourseDate } from "../../app/portal/course-dates/save-dates.ts";
import type { CourseDate } from "../../app/portal/course-dates/fields.ts";
import { addEnquiry } from "../../app/portal/enquiries/queries.ts";
import { NEW_ID, newId } from "../../app/portal/forms/new-id.ts";
import type { Outcome } from "../../app/portal/frame/outcome.ts";
import { PROJECT_URL, PUBLISHABLE_KEY } from "../support/project.ts";
import { formOf, portalProject, rowOf } from "./portal-fixture.ts";

const project = portalProject();
let accessToken: string;
let date: string;
beforeAll(async () => {
  ({ accessToken } = await project().project.staff("retries@site.example"));
});
beforeEach(async () => {
  await project().empty();
  await project().sql("delete from public.enquiries");
  date = await project().addDate({ capacity: 1 });
});

/** A browser that loses the responses of `lost` requests after the server handled them: of its first write and those after it. */
function browserThatLoses(lost: number): SupabaseClient {
  let left = lost;
  let wrote = false;
  return createClient(PROJECT_URL, PUBLISHABLE_KEY, {
    accessToken: () => Promise.resolve(accessToken),
    global: {
      async fetch(input, init) {
        const request = new Request(input, init);
        wrote ||= request.method !== "GET";
        const response = await project().project.backend.fetch(request);
        if (left === 0 || !wrote) return response;
        left -= 1;
        throw new TypeError("connection lost");
      },
    },
  });
}

interface Form {
  table: string;
  values: Record<string, string>;
  /** A change of the form after the first attempt. */
  change: Record<string, string>;
  add: (client: SupabaseClient, form: FormData) => Promise<Outcome>;
  /** The number of rows that the form adds. */
  rows: number;
}

/** The forms of new records. The course date has one place, which the booking takes. */
const forms: Record<string, () => Form> = {
  "a booking": () => ({
    table: "bookings",
    values: { course_id: date, name: "Ada", places: "1", payment_status: "due" },
    change: { name: "Ada Lovelace" },
    add: addBooking,
    rows: 1,
  }),
  "an entry of a waiting list": () => ({
    table: "waiting_list",
    values: { course_id: date, name: "Ada", places: "1", phone: "07700 900123" },
    change: { places: "2" },
    add: addWaiting,
    rows: 1,
  }),
  "an enquiry": () => ({
    table: "enquiries",
    values: { name: "Ada", reply_to: "ada@mail.example", message: "When?" },
    change: { message: "Where?" },
    add: addEnquiry,
    rows: 1,
  }),
  "a course date": () => ({
    table: "course_dates",
    values: { course_name: "Lvl 2 CCTV", course_date: "2030-07-08T09:00", capacity: "12" },
    change: { capacity: "13" },
    add: addCourseDate,
    rows: 1,
  }),
  "a repeated course date": () => ({
    table: "course_dates",
    values: { how: "days", "day-1": "2030-01-14", "day-2": "2030-01-21", "day-3": "2030-01-28", "day-4": "2030-02-04" },
    change: { "day-5": "2030-02-11" },
    add: async (client, form) => repeatCourseDate(client, await rowOf<CourseDate>(project(), "course_dates", date), form),
    rows: 4,
  }),
};

describe.each(Object.keys(forms))("%s", (what) => {
  function open(): Form & {
    send: (client: SupabaseClient, change?: Record<string, string>) => Promise<Outcome>;
    added: () => Promise<number>;
  } {
    const form = forms[what]?.();
    if (!form) throw new Error(`There is no form of ${what}`);
    const id = newId();
    return {
      ...form,
      send: (client, change) => form.add(client, formOf({ ...form.values, [NEW_ID]: id, ...change })),
      async added() {
        const { data } = await project().staff.from(form.table).select("id").neq("id", date);
        return data?.length ?? 0;
      },
    };
  }

  test("is stored once if the response was lost and the form is sent again", async () => {
    const { send, added, rows } = open();
    expect(await send(browserThatLoses(2))).toMatchObject({ ok: false });
    expect(await send(browserThatLoses(0))).toMatchObject({ ok: true });
    expect(await send(browserThatLoses(0))).toMatchObject({ ok: true });
    expect(await added()).toBe(rows);
  });

  test("is reported as stored if only the response of the insert was lost", async () => {
    const { send, added, rows } = open();
    expect(await send(browserThatLoses(1))).toMatchObject({ ok: true });
    expect(await added()).toBe(rows);
  });

  test("is not stored again if the form was changed after the response was lost, and the form says so", async () => {
    const { send, added, rows, change } = open();
    expect(await send(browserThatLoses(2))).toMatchObject({ ok: false });
    expect(await send(browserThatLoses(0), change)).toMatchObject({
      ok: false,
      message: expect.stringContaining("an earlier version of this form was saved"),
    });
    expect(await added()).toBe(rows);
  });
});

test("a blog post whose response was lost is stored once, with the changes made since", async () => {
  let client = browserThatLoses(1);
  const autosave = createAutosave({ supabase: browserThatLoses(0), edit: null, onState: () => {}, onPost: () => {}, onDeleted: () => {} });
  const publish = (content: string): Promise<Outcome> => {
    const form = formOf({ title: "Winter dates", author: "Jo", content });
    return autosave.submit((edit, id) => (edit ? savePost(client, edit, form, new Set()) : publishPost(client, form, new Set(), id)));
  };
  expect(await publish("Wrap up.")).toMatchObject({ ok: false });
  client = browserThatLoses(0);
  expect(await publish("Wrap up well.")).toMatchObject({ ok: true });
  const { data } = await project().staff.from("blog_posts").select("slug, content");
  expect(data).toEqual([{ slug: "winter-dates", content: "Wrap up well." }]);
  await autosave.close();
});

test("a blog post that is published twice under one id is stored once", async () => {
  const form = formOf({ title: "Winter dates", author: "Jo", content: "Wrap up." });
  const id = newId();
  for (let sent = 0; sent < 2; sent += 1) expect(await publishPost(project().staff, form, new Set(), id)).toMatchObject({ ok: true });
  expect((await project().staff.from("blog_posts").select("slug")).data).toEqual([{ slug: "winter-dates" }]);
});
