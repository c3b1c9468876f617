import { courseNames } from "content/course-names.ts";
import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { daySearch, type DaySearch } from "../../time/day-search.ts";
import { londonDate, londonWeekday } from "../../time/london-date.ts";
import { addDays, londonToday } from "../../time/london-time.ts";
import { areas } from "../areas.ts";
import { courseWords } from "../lists/course-words.ts";
import { OPEN } from "../lists/open-record/open-record.ts";

/** One result: a link. */
interface Found {
  to: string;
  name: string;
  detail: string;
}

export interface FoundGroup {
  title: string;
  found: readonly Found[];
}

/** The answer of the database function `search_portal`. */
interface Answer {
  people: {
    /** The booking; null on a waiting list. */
    id: string | null;
    name: string;
    phone: string | null;
    email: string | null;
    company: string | null;
    course_id: string;
    course_name: string;
    course_date: string;
    waits: boolean;
    number: number;
  }[];
  dates: { id: string; course_name: string; course_date: string; status: string; places_taken: number; capacity: number }[];
  enquiries: { id: string; name: string; reply_to: string; course_name: string | null; status: string; created_at: string }[];
  posts: { id: string; title: string; author: string; published_at: string | null }[];
}

/** The days before and after today on which a named day is searched, and the most days of a search in each direction. */
const DAYS_AROUND = 2200;
const MOST_DAYS = 60;

const PAGES: readonly Found[] = [
  { to: href("/admin"), name: "Today", detail: "The dashboard" },
  { to: `${href("/admin/bookings")}?new`, name: "New booking", detail: "Take a booking" },
  ...areas.map(({ to, title, text }) => ({ to, name: title, detail: text })),
];

/** Returns the pages of the portal whose name contains the text; all of them without a text. */
export function findPages(text: string): FoundGroup[] {
  const words = text.trim().toLowerCase();
  const found = PAGES.filter(({ name }) => name.toLowerCase().includes(words));
  return found.length === 0 ? [] : [{ title: "Go to", found }];
}

/** Searches people, course dates, enquiries and posts in one request; null if the service did not answer. */
export async function searchPortal(supabase: BrowserSupabase, text: string, now = Date.now()): Promise<FoundGroup[] | null> {
  const { data, error } = await supabase.rpc("search_portal", argumentsOf(text, londonToday(now)));
  if (error || !isAnswer(data)) return null;
  return [
    { title: "People", found: data.people.map(person) },
    { title: "Course dates", found: data.dates.map(date) },
    { title: "Enquiries", found: data.enquiries.map(enquiry) },
    { title: "Posts", found: data.posts.map(post) },
  ].filter(({ found }) => found.length > 0);
}

/** The arguments of the search: the days and the courses that the text names. */
function argumentsOf(text: string, today: string): { words: string; rest?: string; days?: string[]; courses?: string[] } {
  const named = daySearch(text, today);
  const rest = (named ? named.words : text).toLowerCase().trim();
  const courses = courseNames.filter((name) => rest.split(/\s+/).every((word) => courseWords(name).toLowerCase().includes(word)));
  return {
    words: text,
    ...(named && { rest: named.words, days: daysOf(named, today) }),
    ...(rest !== "" && { courses }),
  };
}

/** The days that a text names, before and after today. */
function daysOf({ matches }: DaySearch, today: string): string[] {
  const days = Array.from({ length: DAYS_AROUND }, (_, index) => index);
  const next = days.map((day) => addDays(today, day)).filter(matches);
  const past = days.map((day) => addDays(today, -day - 1)).filter(matches);
  return [...next.slice(0, MOST_DAYS), ...past.slice(0, MOST_DAYS)];
}

function isAnswer(data: unknown): data is Answer {
  return typeof data === "object" && data !== null && "people" in data;
}

function person({ id, name, phone, email, company, course_id, course_name, course_date, waits, number }: Answer["people"][number]): Found {
  const where = `${waits ? "waits for " : ""}${course_name}, ${londonWeekday(londonDate(course_date))}`;
  const more = number > 1 && `${number} in all`;
  // The list of one date contains its waiting list; that of all bookings only bookings.
  const single: Record<string, string> = { date: course_id, ...(id !== null && { [OPEN]: id }) };
  const query = number > 1 && !waits ? { when: "all", words: name } : single;
  return {
    to: `${href("/admin/bookings")}?${new URLSearchParams(query)}`,
    name,
    detail: [phone ?? email, company, where, more].filter(Boolean).join(" · "),
  };
}

function date({ id, course_name, course_date, status, places_taken, capacity }: Answer["dates"][number]): Found {
  const detail = [
    londonWeekday(londonDate(course_date)),
    londonDate(course_date).time,
    `${places_taken} of ${capacity} taken`,
    status !== "open" && status,
  ];
  return { to: `${href("/admin/bookings")}?date=${id}`, name: course_name, detail: detail.filter(Boolean).join(" · ") };
}

function enquiry({ id, name, reply_to, course_name, status, created_at }: Answer["enquiries"][number]): Found {
  const detail = [reply_to, course_name, londonWeekday(londonDate(created_at)), status].filter(Boolean).join(" · ");
  return { to: `${href("/admin/enquiries")}?${OPEN}=${id}`, name, detail };
}

function post({ title, author, published_at }: Answer["posts"][number]): Found {
  const detail = [author, published_at === null ? "draft" : londonWeekday(londonDate(published_at))].filter(Boolean).join(" · ");
  return { to: `${href("/admin/blog")}?${new URLSearchParams({ words: title })}`, name: title || "Untitled", detail };
}
