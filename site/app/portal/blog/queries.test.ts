import { anyText } from "backend/test/any-text.ts";
import { openTestPglite } from "backend/test/database.ts";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../../test/support/project.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { deletePost, lastChangedBy, listPosts, openPost, publishPost, savePost, takeDownPost } from "./queries.ts";
import { LONGEST_AUTHOR, LONGEST_CONTENT, LONGEST_IMAGE_URL, LONGEST_TITLE, type Post } from "./fields.ts";
import { slugOf } from "./slug.ts";

const NONE: ReadonlySet<string> = new Set();
const PAST = "2025-01-01T09:00:00+00:00";
const FILLED_IN = { title: "Winter dates", author: "Rowan Fell", content: "Wrap up.\r\n\r\nBring a coat." };

let project: Project;
let staff: BrowserSupabase;
let staffId: string;
let visitor: BrowserSupabase;

beforeAll(async () => {
  project = await openProject(openTestPglite);
  ({ client: staff, id: staffId } = await project.staff("rowan@site.example"));
  visitor = project.visitor;
});
afterAll(() => project.database.close());
beforeEach(async () => {
  await staff.from("blog_posts").delete().not("id", "is", null);
});

function form(changes: Record<string, string> = {}): FormData {
  const filledIn = new FormData();
  for (const [name, value] of Object.entries({ ...FILLED_IN, ...changes })) filledIn.set(name, value);
  return filledIn;
}

async function add(values: Partial<Post> = {}): Promise<Post> {
  const post = { title: "Winter dates", author: "Rowan Fell", content: "Wrap up.\n\nBring a coat.", slug: "winter-dates", ...values };
  const { data, error } = await staff.from("blog_posts").insert(post).select("*").single();
  if (error) throw error;
  return data;
}

async function edit(id: string) {
  const opened = await openPost(staff, id);
  if (!("opened" in opened)) throw new Error(opened.message);
  return opened;
}

async function stored(id: string): Promise<Post> {
  return (await edit(id)).opened;
}

async function slugs(): Promise<(string | null)[]> {
  const { data } = await staff.from("blog_posts").select("slug").order("created_at");
  return data?.map(({ slug }) => slug) ?? [];
}

test("the list shows drafts, then scheduled posts, then the newest, without their content", async () => {
  await add({ slug: "old", published_at: PAST });
  await add({ slug: "draft", published_at: null });
  await add({ slug: "new" });
  await add({ slug: "later", published_at: "2031-07-07T08:00:00Z" });
  const list = await listPosts(staff);
  expect(list.ok && list.rows.map(({ slug }) => slug)).toEqual(["draft", "later", "new", "old"]);
  expect(list.ok && list.rows[0]).not.toHaveProperty("content");
});

test("a failure names the reason", async () => {
  const gone = await project.bearer({ sub: staffId, role: "authenticated", exp: 1 });
  expect(await listPosts(gone)).toEqual({ ok: false, message: "Error fetching blog posts: JWT expired" });
  expect(await publishPost(visitor, form(), NONE)).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^Failed to add blog post: permission denied|^Failed to add blog post: new row violates/),
  });
});

test("a post that was deleted cannot be opened", async () => {
  const { id } = await add();
  await staff.from("blog_posts").delete().eq("id", id);
  expect(await openPost(staff, id)).toEqual({ ok: false, message: "This blog post is no longer there." });
});

test("the change log names the account that changed a post last", async () => {
  const { id } = await add();
  expect(await lastChangedBy(staff, id)).toBe(staffId);
  expect(await lastChangedBy(staff, crypto.randomUUID())).toBeNull();
});

describe("publishing a new post", () => {
  test("stores its fields and shows it to visitors", async () => {
    expect(await publishPost(staff, form(), NONE)).toEqual({ ok: true, message: "Blog post added successfully!" });
    const { data } = await visitor.from("blog_posts").select("title, author, content, image_url, slug");
    expect(data).toEqual([{ ...FILLED_IN, image_url: null, slug: "winter-dates" }]);
  });

  test("uses the first free slug of the title, also when the list is out of date", async () => {
    for (const taken of [NONE, new Set(["winter-dates"]), NONE]) await publishPost(staff, form(), taken);
    expect(await slugs()).toEqual(["winter-dates", "winter-dates-2", "winter-dates-3"]);
  });
});

describe("changing a published post", () => {
  test("writes only the changed fields, and never the slug; line breaks of a browser are no change", async () => {
    const post = await add({ published_at: PAST });
    const current = await edit(post.id);
    expect(await savePost(staff, current, form({ title: "Spring dates" }), NONE)).toMatchObject({
      ok: true,
      message: "Blog post saved successfully!",
    });
    const { updated_at } = await stored(post.id);
    expect(await stored(post.id)).toEqual({ ...post, title: "Spring dates", updated_at });
  });

  test("refuses a lost update and shows the change of the other person", async () => {
    const { id } = await add({ published_at: PAST });
    const current = await edit(id);
    await staff.from("blog_posts").update({ author: "Jo" }).eq("id", id);
    expect(await savePost(staff, current, form({ title: "Spring dates" }), NONE)).toMatchObject({
      ok: false,
      message: expect.stringContaining("Author: Rowan Fell, now Jo."),
    });
    expect((await stored(id)).title).toBe("Winter dates");
    expect(await savePost(staff, current, form({ title: "Spring dates" }), NONE)).toMatchObject({ ok: true });
    expect(await stored(id)).toMatchObject({ title: "Spring dates", author: "Jo" });
  });
});

describe("publishing a draft", () => {
  test("uses the time of the database", async () => {
    const { id } = await add({ published_at: null });
    expect(await savePost(staff, await edit(id), form(), NONE)).toEqual({ ok: true, message: "Blog post added successfully!" });
    const { published_at, updated_at } = await stored(id);
    expect(Math.abs(Date.parse(published_at ?? "") - Date.parse(updated_at))).toBeLessThan(1000);
  });

  test("can be scheduled in London time; a later edit keeps the time", async () => {
    const { id } = await add({ published_at: null });
    const scheduled = { when: "later", publish_at: "2031-07-07T09:00", slug: "winter-dates" };
    expect(await savePost(staff, await edit(id), form(scheduled), NONE)).toEqual({
      ok: true,
      message: "Blog post scheduled. It appears on Monday 7 July 2031 at 09:00.",
    });
    expect(await savePost(staff, await edit(id), form({ ...scheduled, title: "Summer dates" }), NONE)).toMatchObject({
      ok: true,
      message: "Blog post saved successfully!",
    });
    expect(await stored(id)).toMatchObject({ title: "Summer dates", slug: "winter-dates", published_at: "2031-07-07T08:00:00+00:00" });
  });

  test("at a given address that is taken is refused at its field", async () => {
    await add({ slug: "snow" });
    const { id } = await add({ published_at: null });
    expect(await savePost(staff, await edit(id), form({ slug: "snow" }), NONE)).toEqual({
      ok: false,
      field: "slug",
      message: "Another post has this address. Choose another.",
    });
  });

  test("at the address of its title uses the next free one", async () => {
    await add({ slug: "winter-dates" });
    const { id } = await add({ slug: null, published_at: null });
    expect(await savePost(staff, await edit(id), form(), NONE)).toMatchObject({ ok: true });
    expect((await stored(id)).slug).toBe("winter-dates-2");
  });

  test("at a numbered address of its title that is taken uses the next free number", async () => {
    for (const slug of ["winter-dates", "winter-dates-2"]) await add({ slug });
    const { id } = await add({ slug: null, published_at: null });
    expect(await savePost(staff, await edit(id), form({ slug: "winter-dates-2" }), NONE)).toMatchObject({ ok: true });
    expect((await stored(id)).slug).toBe("winter-dates-3");
  });

  test("shows the words and the time that somebody else changed", async () => {
    const { id } = await add({ content: "Wrap up.", published_at: null });
    const current = await edit(id);
    await staff.from("blog_posts").update({ content: "Wrap up warm.", published_at: PAST }).eq("id", id);
    expect(await savePost(staff, current, form({ content: "Wrap up." }), NONE)).toMatchObject({
      ok: false,
      message: expect.stringContaining("Content: “up.”, now “up warm.”; Published: not published, now Wednesday 1 January 2025 at 09:00."),
    });
  });
});

test("a post that is taken down is a draft; one that was deleted cannot be taken down", async () => {
  const { id } = await add();
  expect(await takeDownPost(staff, id)).toMatchObject({ ok: true });
  expect((await stored(id)).published_at).toBeNull();
  expect((await visitor.from("blog_posts").select("id")).data).toEqual([]);
  await deletePost(staff, id);
  expect(await takeDownPost(staff, id)).toMatchObject({ ok: false, message: expect.stringMatching(/^Failed to save blog post: /) });
});

test("a deletion can be undone; a post that is already deleted is reported", async () => {
  const { id } = await add();
  const deletion = await deletePost(staff, id);
  expect(deletion).toMatchObject({ ok: true, message: "Blog post deleted successfully!" });
  expect(await deletePost(staff, id)).toMatchObject({ ok: false, message: expect.stringMatching(/^Failed to delete blog post: /) });
  expect(deletion.ok && (await deletion.undo?.())).toMatchObject({ ok: true });
  expect((await stored(id)).slug).toBe("winter-dates");
});

describe("the database accepts", () => {
  const url = (length: number): string => "https://images.example/".padEnd(length, "x");

  test.each([
    ["title", "x".repeat(LONGEST_TITLE)],
    ["author", "🏔".repeat(LONGEST_AUTHOR)],
    ["content", "x".repeat(LONGEST_CONTENT)],
    ["image_url", url(LONGEST_IMAGE_URL)],
  ])("the longest %s of the form and nothing longer", async (field, longest) => {
    await expect(add({ slug: "longest", [field]: longest })).resolves.toBeDefined();
    await expect(add({ slug: "longer", [field]: `${longest}x` })).rejects.toMatchObject({ code: "23514" });
  });

  test("every slug that is made of a title", async () => {
    const titles = [...fc.sample(anyText(200), 200), "x".repeat(500), "İx".repeat(100), "-a-", "7"];
    const made = [...new Set(titles.map(slugOf))].filter(Boolean);
    const rows = made.map((slug) => ({ title: "T", author: "A", content: "C", slug }));
    expect((await staff.from("blog_posts").insert(rows)).error).toBeNull();
    await expect(add({ slug: "Not-A-Slug" })).rejects.toMatchObject({ code: "23514" });
  });
});
