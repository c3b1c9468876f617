import type { SupabaseClient } from "@supabase/supabase-js";

/** A form of the portal: its path, the button that opens it, the input by label, and the button that submits it. */
export interface Form {
  path: string;
  /** Another path at which the input is restored, by default the same. */
  restoredAt?: string;
  open?: string | RegExp;
  typed: Readonly<Record<string, string>>;
  send: string;
  /** A text of the form that depends on the input. */
  shows?: RegExp;
  /** True for the editor of posts, which has autosave. */
  savesItself?: boolean;
}

/** Ids of the records that the forms edit. */
export interface Ids {
  date: string;
  otherDate: string;
  enquiry: string;
}

const DATE = "Lvl 2 CCTV, Monday 3 March 2031";

/** Every form that restores unsaved input; passwords and codes are never stored. */
export const FORMS: Readonly<Record<string, (ids: Ids) => Form>> = {
  "a new course date": () => ({
    path: "/admin/courses",
    open: "Add course date",
    typed: {
      "Course type": "Manual Handling",
      "Start date": "2031-04-07",
      "Start time": "10:00",
      Capacity: "8",
      Description: "Bring a coat",
    },
    send: "Add course date",
  }),
  "a course date that is changed": () => ({
    path: "/admin/courses",
    open: new RegExp(`^Edit ${DATE}`),
    typed: { Capacity: "9", Description: "Bring two coats", Status: "Confirmed" },
    send: "Save course date",
  }),
  "a course date that is repeated": () => ({
    path: "/admin/courses",
    open: new RegExp(`^Repeat ${DATE}`),
    typed: { "How many more": "2" },
    send: "Add dates",
    shows: /^Adds 2 dates: /,
  }),
  "a new booking": ({ date }) => ({
    path: "/admin/bookings?new",
    typed: { Name: "Ben Moor", Date: date, Places: "2", Phone: "07700 900 222", Note: "Vegetarian" },
    send: "Add booking",
  }),
  "a booking that is changed": () => ({
    path: "/admin/bookings",
    // A list without this booking.
    restoredAt: "/admin/bookings?when=today",
    open: /^Edit Ada Fell/,
    typed: { Company: "Moor & Sons", Payment: "Paid", "Paid by": "Card", Note: "Rang her" },
    send: "Save booking",
  }),
  "an enquiry that is booked": ({ date, enquiry }) => ({
    path: `/admin/bookings?enquiry=${enquiry}`,
    typed: { Date: date, Company: "Tarn Ltd" },
    send: "Add booking",
  }),
  "a new entry of a waiting list": ({ date }) => ({
    path: `/admin/bookings?date=${date}`,
    open: "Add to waiting list",
    typed: { Name: "Dilip Patel", Phone: "07700 900 333", Note: "Mornings" },
    send: "Add to waiting list",
  }),
  "an entry of a waiting list": ({ date }) => ({
    path: `/admin/bookings?date=${date}`,
    open: /^Edit Wes Hill/,
    typed: { Places: "3", Note: "Evenings" },
    send: "Save entry",
  }),
  "the move of all bookings": ({ date, otherDate }) => ({
    path: `/admin/bookings?date=${date}`,
    typed: { "Another date": otherDate },
    send: "Move all bookings",
  }),
  "a new enquiry": () => ({
    path: "/admin/enquiries",
    open: "New enquiry",
    typed: { Name: "Edith Howe", "E-mail or phone": "07700 900 444", Course: "Manual Handling", Question: "Is there parking?" },
    send: "Add enquiry",
  }),
  "an enquiry that is handled": () => ({
    path: "/admin/enquiries",
    open: /^Note Cleo Tarn/,
    typed: { Note: "Rings back on Monday", Status: "Called" },
    send: "Save enquiry",
  }),
  "a new blog post": () => ({
    path: "/admin/blog",
    open: "New post",
    typed: { Title: "Winter dates", Author: "Jo", Content: "Wrap up." },
    send: "Publish post",
    savesItself: true,
  }),
  "a draft": () => ({
    path: "/admin/blog",
    open: "Edit Half a thought",
    typed: { Author: "Jo Airey", Content: "The other half." },
    send: "Publish post",
    savesItself: true,
  }),
  "a published post": () => ({
    path: "/admin/blog",
    open: "Edit Snow on the pass",
    typed: { Title: "Ice on the pass", Content: "Drive slowly." },
    send: "Save post",
  }),
  "an invitation": () => ({
    path: "/admin/staff",
    open: "Invite",
    typed: { "E-mail": "kasia@larkfell-training.example", Name: "Kasia Nowak" },
    send: "Invite",
  }),
  "a post that is restored at another address": () => ({
    path: "/admin/changes",
    open: "Restore Lost and found",
    typed: { Address: "lost-again" },
    send: "Restore",
  }),
  "one's own name": () => ({ path: "/admin/profile", typed: { "Your name": "Jo Airey" }, send: "Save name" }),
  "a new device": () => ({ path: "/admin/profile", typed: { Device: "Tablet" }, send: "Set up a sign-in code" }),
};

/** An edit of a record in each area, and a change of another field by somebody else. */
export const EDITS = [
  {
    path: () => "/admin/bookings",
    open: /^Edit Ada Fell/,
    label: /^Note/,
    send: "Save booking",
    noun: "booking",
    table: "bookings",
    theirs: { payment_status: "paid", payment_method: "card" },
    difference: "Payment: Not paid, now Paid; Paid by: empty, now Card.",
  },
  {
    path: () => "/admin/courses",
    open: /^Edit Lvl 2 CCTV, Monday 3 March 2031/,
    label: /^Description/,
    send: "Save course date",
    noun: "course date",
    table: "course_dates",
    theirs: { capacity: 7 },
    difference: "Capacity: 6, now 7.",
  },
  {
    path: () => "/admin/enquiries",
    open: /^Note Cleo Tarn/,
    label: /^Note/,
    send: "Save enquiry",
    noun: "enquiry",
    table: "enquiries",
    theirs: { status: "called" },
    difference: "Status: New, now Called.",
  },
  {
    path: ({ date }: Ids) => `/admin/bookings?date=${date}`,
    open: /^Edit Wes Hill/,
    label: /^Note/,
    send: "Save entry",
    noun: "entry",
    table: "waiting_list",
    theirs: { places: 2 },
    difference: "Places: 1, now 2.",
  },
  {
    path: () => "/admin/letters?show=templates",
    open: "Edit Booking confirmation",
    label: "Subject",
    send: "Save template",
    noun: "template",
    table: "letter_kinds",
    theirs: { sending: "off" },
    difference: "Sending: Send, now Do not send.",
  },
];

/** Creates the records that the forms edit. */
export async function createRecords(staff: SupabaseClient): Promise<Ids> {
  const date = { course_name: "Lvl 2 CCTV", capacity: 6 };
  const course_id = await add(staff, "course_dates", { ...date, course_date: "2031-03-03T09:00:00Z" });
  const otherDate = await add(staff, "course_dates", { ...date, course_date: "2031-03-10T09:00:00Z" });
  for (const name of ["Ada Fell", "Bo Crag"]) await add(staff, "bookings", { course_id, name });
  await add(staff, "waiting_list", { course_id, name: "Wes Hill", phone: "07700 900 111" });
  await staff.from("enquiries").insert({ name: "Cleo Tarn", reply_to: "cleo@mail.example", message: "When does it run?" });
  const { data: enquiry } = await staff.from("enquiries").select("id").eq("name", "Cleo Tarn").single();
  const post = { author: "Jo", content: "Words." };
  await add(staff, "blog_posts", { ...post, title: "Half a thought", slug: "half", published_at: null });
  await add(staff, "blog_posts", { ...post, title: "Snow on the pass", slug: "snow" });
  const lost = await add(staff, "blog_posts", { ...post, title: "Lost and found", slug: "lost" });
  await staff.from("blog_posts").delete().eq("id", lost);
  await add(staff, "blog_posts", { ...post, title: "In its place", slug: "lost" });
  return { date: course_id, otherDate, enquiry: enquiry?.id };
}

async function add(staff: SupabaseClient, table: string, values: object): Promise<string> {
  const { data, error } = await staff.from(table).insert(values).select("id").single();
  if (error) throw error;
  return data.id;
}
