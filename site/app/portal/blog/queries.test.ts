import { describe, expect, test } from "vitest";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { startEdit } from "../records/save-record.ts";
import { deletePost, lastChangedBy, listPosts, openPost, publishPost, savePost, takeDownPost } from "./queries.ts";
import type { Post } from "./schema.ts";

const ID = "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01";
const slugTaken = refusal(409, "23505", "duplicate key value violates unique constraint");

function filledIn(): FormData {
  const form = new FormData();
  form.set("title", "Winter dates");
  form.set("author", "Rowan Fell");
  form.set("content", "Wrap up.");
  return form;
}

function slugsSent(asked: readonly string[]): string[] {
  return asked.map((question) => /"slug":"([^"]+)"/.exec(question)?.[1] ?? "");
}

describe("listing", () => {
  test("asks for every post without its text, drafts first, then the newest", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [] }]);
    expect(await listPosts(supabase)).toEqual({ ok: true, rows: [] });
    expect(asked).toEqual([
      "GET /rest/v1/blog_posts?select=id,title,author,slug,image_url,published_at,created_at,updated_at&order=published_at.desc,id.asc&offset=0&limit=1000",
    ]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired")]);
    expect(await listPosts(supabase)).toEqual({ ok: false, message: "Error fetching blog posts: JWT expired" });
  });
});

test("who changed a post last is read from the change log", async () => {
  const { supabase, asked } = scriptedClient([
    { status: 200, body: [{ actor_id: "u1" }] },
    { status: 200, body: [] },
  ]);
  expect([await lastChangedBy(supabase, ID), await lastChangedBy(supabase, ID)]).toEqual(["u1", null]);
  expect(asked[0]).toBe(`GET /rest/v1/changes?select=actor_id&record_id=eq.${ID}&order=id.desc&limit=1`);
});

describe("publishing", () => {
  test("sends the five fields", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    expect(await publishPost(supabase, filledIn(), new Set())).toEqual({ ok: true, message: "Blog post added successfully!" });
    const sent = '{"title":"Winter dates","author":"Rowan Fell","content":"Wrap up.","image_url":null,"slug":"winter-dates"}';
    expect(asked).toEqual([`POST /rest/v1/blog_posts ${sent}`]);
  });

  test("begins with the first slug that is free", async () => {
    const { supabase, asked } = scriptedClient([{ status: 201 }]);
    await publishPost(supabase, filledIn(), new Set(["winter-dates", "winter-dates-2"]));
    expect(slugsSent(asked)).toEqual(["winter-dates-3"]);
  });

  test("goes on to the next where somebody was faster", async () => {
    const { supabase, asked } = scriptedClient([slugTaken, slugTaken, { status: 201 }]);
    expect(await publishPost(supabase, filledIn(), new Set())).toMatchObject({ ok: true });
    expect(slugsSent(asked)).toEqual(["winter-dates", "winter-dates-2", "winter-dates-3"]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(403, "42501", "permission denied")]);
    expect(await publishPost(supabase, filledIn(), new Set())).toEqual({
      ok: false,
      message: "Failed to add blog post: permission denied",
    });
  });
});

describe("changing", () => {
  const post: Post = {
    id: ID,
    title: "Winter dates",
    author: "Rowan Fell",
    content: "Wrap up.\n\nBring a coat.",
    image_url: null,
    slug: "winter",
    created_at: "2027-01-01T09:00:00+00:00",
    published_at: "2025-01-01T09:00:00+00:00",
    updated_at: "2027-01-01T09:00:00+00:00",
  };

  function changed(changes: Record<string, string>): FormData {
    const form = filledIn();
    form.set("content", "Wrap up.\r\n\r\nBring a coat.");
    for (const [name, value] of Object.entries(changes)) form.set(name, value);
    return form;
  }

  test("begins with the whole post, or says that it is gone", async () => {
    const { supabase } = scriptedClient([
      { status: 200, body: [post] },
      { status: 200, body: [] },
    ]);
    expect(await openPost(supabase, ID)).toEqual({ opened: post, seen: post });
    expect(await openPost(supabase, ID)).toMatchObject({ ok: false });
  });

  test("sends what was changed and never the address; a browser's line breaks are no change", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [post] }]);
    expect(await savePost(supabase, startEdit(post), changed({ title: "Spring dates" }), new Set())).toEqual({
      ok: true,
      message: "Blog post saved successfully!",
    });
    expect(asked).toEqual([
      `PATCH /rest/v1/blog_posts?id=eq.${ID}&updated_at=eq.2027-01-01T09:00:00+00:00&select=* {"title":"Spring dates"}`,
    ]);
  });

  test("tells what somebody else changed", async () => {
    const theirs = { ...post, author: "Jo", updated_at: "2027-01-02T09:00:00+00:00" };
    const { supabase } = scriptedClient([
      { status: 200, body: [] },
      { status: 200, body: [theirs] },
    ]);
    expect(await savePost(supabase, startEdit(post), changed({ title: "Spring dates" }), new Set())).toMatchObject({
      ok: false,
      message: expect.stringContaining("Author: Rowan Fell, now Jo."),
    });
  });
});

describe("publishing a draft", () => {
  const draft: Post = {
    id: ID,
    title: "Winter dates",
    author: "Rowan Fell",
    content: "Wrap up.",
    image_url: null,
    slug: "winter-dates",
    created_at: "2027-01-01T09:00:00+00:00",
    published_at: null,
    updated_at: "2027-01-01T09:00:00+00:00",
  };
  const written = { status: 200, body: [draft] };
  const changes = (asked: readonly string[]): string[] => asked.map((question) => question.slice(question.indexOf("{")));

  function sent(values: Record<string, string> = {}): FormData {
    const form = filledIn();
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    return form;
  }

  test("now sends the database's own time", async () => {
    const { supabase, asked } = scriptedClient([written]);
    expect(await savePost(supabase, startEdit(draft), sent(), new Set())).toEqual({ ok: true, message: "Blog post added successfully!" });
    expect(changes(asked)).toEqual(['{"published_at":"now"}']);
  });

  test("later sends the instant, and says when in London", async () => {
    const { supabase, asked } = scriptedClient([written]);
    const form = sent({ when: "later", publish_at: "2031-07-07T09:00" });
    expect(await savePost(supabase, startEdit(draft), form, new Set())).toEqual({
      ok: true,
      message: "Blog post scheduled. It appears on Monday 7 July 2031 at 09:00.",
    });
    expect(changes(asked)).toEqual(['{"published_at":"2031-07-07T08:00:00.000Z"}']);
  });

  test("that is scheduled leaves the time alone where it is the same", async () => {
    const { supabase, asked } = scriptedClient([written]);
    const scheduled = { ...draft, published_at: "2031-07-07T08:00:00+00:00" };
    const form = sent({ when: "later", publish_at: "2031-07-07T09:00", title: "Summer dates", slug: "winter-dates" });
    expect(await savePost(supabase, startEdit(scheduled), form, new Set())).toMatchObject({ message: "Blog post saved successfully!" });
    expect(changes(asked)).toEqual(['{"title":"Summer dates"}']);
  });

  test("at an address of its own that somebody has says so, and tries no other", async () => {
    const { supabase, asked } = scriptedClient([slugTaken]);
    expect(await savePost(supabase, startEdit(draft), sent({ slug: "snow" }), new Set())).toEqual({
      ok: false,
      field: "slug",
      message: "Another post has this address. Choose another.",
    });
    expect(slugsSent(asked)).toEqual(["snow"]);
  });

  test("at the address of its title goes on to the next that is free", async () => {
    const { supabase, asked } = scriptedClient([slugTaken, written]);
    await savePost(supabase, startEdit({ ...draft, slug: null }), sent(), new Set(["winter-dates"]));
    expect(slugsSent(asked)).toEqual(["winter-dates-2", "winter-dates-3"]);
  });

  test("that a colleague rewrote tells the words", async () => {
    const theirs = { ...draft, content: "Wrap up warm.", published_at: "2025-01-01T09:00:00+00:00", updated_at: "2" };
    const { supabase } = scriptedClient([
      { status: 200, body: [] },
      { status: 200, body: [theirs] },
    ]);
    expect(await savePost(supabase, startEdit(draft), sent(), new Set())).toMatchObject({
      ok: false,
      message: expect.stringContaining("Content: “up.”, now “up warm.”; Published: not published, now Wednesday 1 January 2025 at 09:00."),
    });
  });

  test("is taken back by making it a draft", async () => {
    const { supabase, asked } = scriptedClient([
      { status: 200, body: [{ id: ID }] },
      { status: 200, body: [] },
    ]);
    expect(await takeDownPost(supabase, ID)).toMatchObject({ ok: true });
    expect(asked).toEqual([`PATCH /rest/v1/blog_posts?id=eq.${ID}&select=id {"published_at":null}`]);
    expect(await takeDownPost(supabase, ID)).toMatchObject({ ok: false });
  });
});

describe("deleting", () => {
  test("deletes by id", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [{ id: ID }] }]);
    expect(await deletePost(supabase, ID)).toMatchObject({ ok: true, message: "Blog post deleted successfully!" });
    expect(asked).toEqual([`DELETE /rest/v1/blog_posts?id=eq.${ID}&select=id`]);
  });

  test("says why it failed, also where nothing was deleted", async () => {
    const refused = scriptedClient([refusal(403, "42501", "permission denied")]);
    expect(await deletePost(refused.supabase, ID)).toEqual({ ok: false, message: "Failed to delete blog post: permission denied" });
    const kept = scriptedClient([{ status: 200, body: [] }]);
    expect(await deletePost(kept.supabase, ID)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^Failed to delete blog post: /),
    });
  });
});
