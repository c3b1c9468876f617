import { readFileSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { categories } from "./categories.ts";
import { comingSoon } from "./coming-soon.ts";
import { courseNames, severalDays } from "./course-names.ts";
import { courseById, courseByName, courses, priceRange } from "./courses/index.ts";
import { privacyPolicy } from "./legal/privacy-policy.ts";
import { termsConditions } from "./legal/terms-conditions.ts";
import { provider } from "./provider.ts";
import { reviews, reviewsAreSample, reviewsNote } from "./reviews.ts";
import { taglines } from "./taglines.ts";
import { samples } from "./samples.ts";
import { team, teamIsSample, teamNote } from "./team.ts";

// The tables of specification §2, §3 and §9: route, course name, category, price, length, limits.
const table = [
  ["door-supervisor", "Lvl 2 Door Supervisor", "security", 400, "8 days", {}],
  ["security-officer", "Lvl 2 Security Officer", "security", 250, "6 days", {}],
  ["cctv", "Lvl 2 CCTV", "security", 350, "5 days", {}],
  ["close-protection", "Lvl 3 Close Protection", "security", 2500, "24 days", {}],
  ["door-supervisor-topup", "Door Supervisor Refresher Course", "refresher", 250, "4 days", {}],
  ["security-officer-topup", "Security Officer Refresher Course", "refresher", 250, "2 days", {}],
  ["first-aid", "Emergency First Aid", "medical", 150, "8 hours", {}],
  ["emergency-first-aid-work", "Emergency First Aid Work Level 3", "medical", 150, "1 day", { maxStudents: 12, minimumAge: 14 }],
  ["first-aid-at-work", "First Aid at Work", "medical", 300, "1 day", {}],
  ["first-aid-at-work-level3", "First Aid at Work Level 3", "medical", 300, "3 days", {}],
  ["first-aid-refresher", "Annual First Aid Refresher Course", "refresher", 50, "3 hours", { maxStudents: 16 }],
  ["health-safety-workplace", "Health & Safety in Workplace Level 1", "health-safety", 50, "1 day", {}],
  ["manual-handling", "Manual Handling", "health-safety", 50, "half day", {}],
  ["safeguarding-awareness", "Safeguarding Awareness Training Level 1", "health-safety", 50, "half day", { maxStudents: 16 }],
  ["safeguarding-lead", "Safeguarding Lead Training Level 3", "health-safety", 150, "1 day", { minimumAge: 18 }],
] as const;

test("every route of the specification has exactly one course, and there are no others", () => {
  expect(courses.map((course) => course.id).sort()).toEqual(table.map(([id]) => id).sort());
  expect(new Set(courses.map((course) => course.courseName)).size).toBe(15);
});

test.each(table)("%s has its name, category, price, length and limits", (...row) => {
  const [id, courseName, category, price, duration, limits] = row;
  expect(courseById(id)).toMatchObject({
    id,
    courseName,
    category,
    price,
    duration,
    link: `/${id}`,
    image: `/images/courses/${id}.svg`,
    ...limits,
  });
  expect(courseByName(courseName)?.id).toBe(id);
});

test("the table of courses of several days agrees with the pages of the courses", () => {
  const longer = courses.filter(({ days }) => days > 1).map(({ courseName, days }) => [courseName, days] as const);
  expect(severalDays).toEqual(Object.fromEntries(longer));
});

test("the course names are in the order of the admin select", () => {
  expect(courseNames).toEqual(table.map(([, courseName]) => courseName));
});

test("an unknown slug or name finds no course", () => {
  expect(courseById("yoga")).toBeUndefined();
  expect(courseByName("Yoga")).toBeUndefined();
});

test("the days of a course agree with its length", () => {
  for (const { duration, days } of courses) {
    expect(days).toBe(duration.endsWith("days") ? Number.parseInt(duration, 10) : 1);
  }
});

test.each(courses)("$id is complete and within the limits of its texts", (course) => {
  expect(course.description.length).toBeLessThanOrEqual(160);
  expect(course.overview.length).toBeGreaterThanOrEqual(2);
  expect(course.overview.length).toBeLessThanOrEqual(3);
  expect(course.syllabus.length).toBeGreaterThanOrEqual(3);
  for (const step of course.syllabus) expect(step.topics.length).toBeGreaterThanOrEqual(2);
  expect(course.features.some((feature) => feature.startsWith("You leave with"))).toBe(true);
  expect(course.prerequisites.length).toBeGreaterThan(0);
  expect(course.bring.length).toBeGreaterThan(0);
});

test("the switcher offers the five categories by their labels", () => {
  expect(categories.map(({ id, label }) => [id, label])).toEqual([
    ["security", "Security Training"],
    ["medical", "Medical Training"],
    ["refresher", "Refresher Courses"],
    ["health-safety", "Health & Safety"],
    ["coming-soon", "Coming Soon"],
  ]);
  expect(new Set(categories.map(({ colour }) => colour)).size).toBe(5);
});

test("the five coming courses have lengths and prices", () => {
  expect(comingSoon.map(({ title, price, duration }) => [title, price, duration])).toEqual([
    ["Activity First Aid L3", 150, "one day"],
    ["Basic Life Support", 50, "two days"],
    ["Emergency Paediatric First Aid", 75, "half day"],
    ["Paediatric First Aid L3", 150, "one day"],
    ["First Aid at Work Refresher", 150, "three days"],
  ]);
});

test("thirty different people give five stars, in short and long reviews", () => {
  expect(reviews).toHaveLength(30);
  expect(new Set(reviews.map(({ text }) => text)).size).toBe(30);
  expect(new Set(reviews.map(({ name }) => name)).size).toBe(30);
  expect(reviews.every(({ rating }) => rating === 5)).toBe(true);
  expect(reviews.filter(({ text }) => text.length > 150).length).toBeGreaterThanOrEqual(8);
  expect(reviews.filter(({ text }) => text.length <= 150).length).toBeGreaterThanOrEqual(8);
});

test("the team is five people, each with their own portrait", () => {
  expect(team).toHaveLength(5);
  expect(new Set(team.map(({ id }) => id)).size).toBe(5);
  for (const { id, image } of team) expect(image).toBe(`/images/team/${id}.svg`);
});

test("the hero has several taglines to rotate", () => {
  expect(taglines.length).toBeGreaterThanOrEqual(4);
  expect(new Set(taglines).size).toBe(taglines.length);
});

test("the provider states the facts of the specification", () => {
  expect(provider).toMatchObject({
    founded: 2020,
    serviceRadiusKm: 50,
    rating: { value: 4.9, count: 127 },
    payment: ["cash", "card", "bank transfer"],
    openingHours: {
      days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
      opens: "09:00",
      closes: "17:00",
    },
  });
  expect(priceRange).toEqual({ from: 50, to: 2500 });
});

test("reviews that are samples say so, and make no claim about how they were collected", () => {
  expect(/samples/.test(reviewsNote)).toBe(reviewsAreSample);
  expect(/We check each reply against a booking/.test(reviewsNote)).toBe(!reviewsAreSample);
});

test("people who are samples are called samples", () => {
  expect(/samples/.test(teamNote ?? "")).toBe(teamIsSample);
  expect(samples.includes("people")).toBe(teamIsSample);
});

test.skipIf(provider.sample)("a real provider shows no samples", () => {
  expect(samples).toEqual([]);
});

test.runIf(provider.sample)("the sample's phone numbers and addresses are reserved ones", () => {
  expect(provider.phone).toMatch(/^01632 960\d{3}$/);
  expect(provider.mobile ?? "07700 900000").toMatch(/^07700 900\d{3}$/);
  expect(provider.email).toMatch(/\.example$/);
  expect(provider.address.postalCode).toMatch(/[CIKMOV]$/);
});

test("telephone links dial the numbers shown", () => {
  const digits = (shown: string) => `tel:+44${shown.replaceAll(" ", "").slice(1)}`;
  expect(provider.phoneHref).toBe(digits(provider.phone));
  if (provider.mobile) expect(provider.mobileHref).toBe(digits(provider.mobile));
});

test("only provider.ts names the provider", () => {
  const { name, registeredName, companyNumber, phone, mobile = phone, email, address } = provider;
  const own = [name, registeredName, companyNumber, phone, mobile, email, address.street, address.postalCode];
  for (const { file, text } of sources()) {
    for (const fact of own) expect.soft(text.includes(fact), `${file}: ${fact}`).toBe(false);
  }
});

test("no text calls the provider SIA-approved or uses exclamation marks", () => {
  for (const { file, text } of sources()) {
    expect.soft(text, file).not.toMatch(/SIA[- ]approved (training|provider|centre)/i);
    expect.soft(text, file).not.toMatch(/[a-z]!/i);
  }
});

test("both legal pages have been in force since 13 July 2025", () => {
  for (const page of [privacyPolicy, termsConditions]) {
    expect(page.effective).toBe("2025-07-13");
    expect(page.body).toContain("13 July 2025");
    expect(page.body).toContain(provider.registeredName);
  }
});

test("the privacy policy explains the cookie, the objection and the complaint", () => {
  for (const words of ["365 days", "first-party", "Global Privacy Control", "switch", "within 30 days", "ICO"]) {
    expect(privacyPolicy.body).toContain(words);
  }
});

test("the privacy policy names what browsers store, and every way of sending our messages", () => {
  for (const words of ["notice about the statistics", "typed but did not save", "text message", "WhatsApp, a company of the Meta group"]) {
    expect(privacyPolicy.body).toContain(words);
  }
  // Forms are checked by the origin of their request.
  expect(privacyPolicy.body).not.toContain("keeps forms secure");
});

test("the terms name every way to pay", () => {
  for (const way of provider.payment) expect(termsConditions.body).toContain(way);
});

function sources() {
  return readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => file !== "provider.ts" && !file.endsWith(".test.ts"))
    .map((file) => ({ file, text: readFileSync(`${import.meta.dirname}/${file}`, "utf8") }));
}
