import { courseById, courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { expect, test } from "vitest";
import { pageMeta, pageTitle } from "./page-meta.ts";
import { blogPosting, breadcrumb, courseList, courseNode, organisation } from "./structured-data.ts";

const siteUrl = "https://training.example";
const course = courseById("close-protection");

test("a course page gives its name and its price with a pound sign", () => {
  const meta = pageMeta({
    type: "course",
    title: "T",
    name: "Close Protection",
    price: "£2,500",
    description: "Words. ".repeat(60),
    path: "/close-protection",
    siteUrl,
  });
  expect(meta).toContainEqual({ name: "course:price", content: "£2,500" });
  const description = meta.find((tag) => "name" in tag && tag.name === "description");
  expect(description).toMatchObject({ content: expect.stringMatching(/^Close Protection, £2,500\. .*…$/) });
  expect(description && "content" in description && String(description.content).length).toBeLessThanOrEqual(160);
});

test("every page has one canonical address on the public site", () => {
  const meta = pageMeta({ type: "blog", title: "T", description: "D", path: "/blog/a-post", siteUrl });
  expect(meta).toContainEqual({ tagName: "link", rel: "canonical", href: "https://training.example/blog/a-post" });
});

test("a post names its author and date", () => {
  const meta = pageMeta({
    type: "blog",
    title: "T",
    description: "D",
    path: "/blog/a",
    siteUrl,
    author: "Jess",
    published: "2026-11-17T09:00:00Z",
  });
  expect(meta).toContainEqual({ name: "author", content: "Jess" });
  expect(meta).toContainEqual({ property: "article:published_time", content: "2026-11-17T09:00:00Z" });
});

test("the URL of a relative picture is made absolute", () => {
  const meta = pageMeta({ type: "blog", title: "T", description: "D", path: "/", siteUrl, image: { address: "/images/a.jpg", alt: "A" } });
  expect(meta).toContainEqual({ property: "og:image", content: "https://training.example/images/a.jpg" });
  expect(meta.some((tag) => "property" in tag && tag.property === "og:image:width")).toBe(false);
});

test("a page without a picture has the site's own, with its size and a description", () => {
  const meta = pageMeta({ type: "blog", title: "T", description: "D", path: "/", siteUrl });
  for (const tag of [
    { property: "og:image", content: "https://training.example/social/site.jpg" },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: expect.stringContaining("security and first-aid training") },
    { name: "twitter:image", content: "https://training.example/social/site.jpg" },
    { name: "twitter:image:alt", content: expect.stringContaining("security and first-aid training") },
  ])
    expect(meta).toContainEqual(tag);
});

test("the provider is open on weekdays, serves 50 km in metres and shows its rating", () => {
  expect(organisation(siteUrl)).toMatchObject({
    "@type": ["LocalBusiness", "EducationalOrganization"],
    priceRange: "£50-£2500",
    foundingDate: "2020",
    areaServed: { "@type": "GeoCircle", geoRadius: 50_000 },
    openingHoursSpecification: { dayOfWeek: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"], opens: "09:00", closes: "17:00" },
    aggregateRating: { ratingValue: 4.9, ratingCount: 127 },
  });
});

test("a course offers its price as a number in GBP, with an instance for each date", () => {
  if (!course) throw new Error("no such course");
  const date = { instant: "2027-01-05T09:00:00+00:00" };
  const node = courseNode(siteUrl, course, [
    { date, lastDay: null, availability: "open" },
    { date, lastDay: null, availability: "cancelled" },
  ]);
  expect(node).toMatchObject({
    offers: { price: 2500, priceCurrency: "GBP" },
    hasCourseInstance: [
      {
        startDate: "2027-01-05T09:00:00+00:00",
        courseSchedule: { repeatFrequency: "Daily", repeatCount: 24 },
        eventStatus: "https://schema.org/EventScheduled",
        offers: { price: 2500, availability: "https://schema.org/InStock" },
      },
      { eventStatus: "https://schema.org/EventCancelled", offers: { availability: "https://schema.org/SoldOut" } },
    ],
  });
  expect(courseNode(siteUrl, course, [])).not.toHaveProperty("hasCourseInstance");
});

test("the list of courses and the breadcrumb count from one and have absolute URLs", () => {
  expect(courseList(siteUrl, courses)).toMatchObject({
    itemListElement: [
      { position: 1, url: "https://training.example/door-supervisor" },
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      {},
      { position: 15 },
    ],
  });
  expect(breadcrumb(siteUrl, [{ name: "Blog", path: "/blog" }])).toMatchObject({
    itemListElement: [
      { position: 1, item: "https://training.example/" },
      { position: 2, item: "https://training.example/blog" },
    ],
  });
});

test.each([
  ["Jess", "Person"],
  ["The training office", "Organization"],
  [provider.name, "Organization"],
])("a post by %s is a BlogPosting by a %s", (author, type) => {
  const post = { title: "T", description: "D", path: "/blog/t", published: "2026-11-17T09:00:00Z", updated: "2026-11-18T09:00:00Z" };
  expect(blogPosting(siteUrl, { ...post, author })).toMatchObject({
    headline: "T",
    author: { "@type": type, name: author },
    mainEntityOfPage: "https://training.example/blog/t",
    datePublished: "2026-11-17T09:00:00Z",
    dateModified: "2026-11-18T09:00:00Z",
  });
});

test("a title names the provider if that leaves it short enough for search engines", () => {
  expect(pageTitle("Short")).toBe(`Short | ${provider.name}`);
  expect(pageTitle(`${"x".repeat(30)} course`, "x".repeat(30))).toBe(`${"x".repeat(30)} course | ${provider.name}`);
  expect(pageTitle("x".repeat(60), "x")).toBe(`x | ${provider.name}`);
  expect(pageTitle("x".repeat(60))).toBe("x".repeat(60));
  expect(pageTitle("x".repeat(90))).toBe("x".repeat(90));
});
