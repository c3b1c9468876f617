import { describe, expect, test } from "vitest";
import { refusal, scriptedClient } from "../wire-fixture.ts";
import { deletePost, listPosts, publishPost } from "./queries.ts";

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
  test("asks for every post without its text, the newest first", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [] }]);
    expect(await listPosts(supabase)).toEqual({ ok: true, rows: [] });
    expect(asked).toEqual([
      "GET /rest/v1/blog_posts?select=id,title,author,slug,created_at&order=created_at.desc,id.asc&offset=0&limit=1000",
    ]);
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(401, "PGRST303", "JWT expired")]);
    expect(await listPosts(supabase)).toEqual({ ok: false, message: "Error fetching blog posts: JWT expired" });
  });
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

describe("deleting", () => {
  test("deletes by id", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [{ id: ID }] }]);
    expect(await deletePost(supabase, ID)).toEqual({ ok: true, message: "Blog post deleted successfully!" });
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
