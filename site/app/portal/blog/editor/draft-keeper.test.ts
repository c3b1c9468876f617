import { expect, test } from "vitest";
import { startEdit } from "../../records/save-record.ts";
import { refusal, scriptedClient, type WireAnswer } from "../../wire-fixture.ts";
import { createDraftKeeper } from "./draft-keeper.ts";
import type { Fields } from "./fields.ts";
import type { Post } from "../schema.ts";

const SENT_AS = "0d1f5f0e7a554b7c9f0a3f2f3c1c9a01";
const row: Post = {
  id: "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01",
  title: "Winter",
  author: "Jo",
  content: "Bring a coat.",
  image_url: null,
  slug: "winter",
  created_at: "1",
  published_at: null,
  updated_at: "1",
};
const typed: Fields = { title: "Winter", author: "Jo", image_url: "", slug: "winter", content: "Bring a hat." };
const taken = refusal(409, "23505", "duplicate key");
const found = (...posts: Post[]): WireAnswer => ({ status: 200, body: posts });

function keeper(answers: readonly WireAnswer[], { begun = null, sentAs }: { begun?: Post | null; sentAs?: string } = {}) {
  const { supabase, asked } = scriptedClient(answers);
  const met: [string, string][] = [];
  const made = createDraftKeeper({
    supabase,
    edit: begun && startEdit(begun),
    sentAs,
    onSaved: () => {},
    onTheirs: (before, now) => met.push([before.content, now.content]),
  });
  return { ...made, asked, met };
}

test("a draft is added once, whatever is missing, and changed after that by what differs", async () => {
  const { save, asked } = keeper([{ status: 201, body: row }, found({ ...row, updated_at: "2" })]);
  expect(await save({ ...typed, title: "", slug: "" })).toEqual({ ok: true });
  expect(asked[0]).toContain('"title":"","author":"Jo","image_url":null,"slug":null,"content":"Bring a hat.","published_at":null');
  expect(await save(typed)).toEqual({ ok: true });
  expect(asked[1]).toBe(`PATCH /rest/v1/blog_posts?id=eq.${row.id}&updated_at=eq.1&select=* {"content":"Bring a hat."}`);
});

test("a first save whose answer was lost is found again", async () => {
  const { save, asked } = keeper([found(row), found({ ...row, updated_at: "2" })], { sentAs: SENT_AS });
  expect(await save(typed)).toEqual({ ok: true });
  expect(asked.map((question) => question.split(" ", 1)[0])).toEqual(["GET", "PATCH"]);
});

test("an address that is taken or half typed waits; the rest is saved", async () => {
  const added = keeper([taken, { status: 201, body: row }]);
  expect(await added.save(typed)).toEqual({ ok: true });
  expect(added.asked[1]).toContain('"slug":null');
  const changed = keeper([taken, found(row)], { begun: row });
  expect(await changed.save({ ...typed, slug: "snow" })).toEqual({ ok: true });
  expect(changed.asked[1]).toMatch(/ \{"content":"Bring a hat."\}$/);
  const half = keeper([found(row)], { begun: row });
  await half.save({ ...typed, slug: "my snow" });
  expect(half.asked[0]).toMatch(/ \{"content":"Bring a hat."\}$/);
});

test("what a colleague wrote is told, and only a decision goes over it", async () => {
  const theirs = { ...row, content: "Bring boots.", updated_at: "2" };
  const { save, met, asked } = keeper([found(), found(theirs), found(theirs)], { begun: row });
  expect(await save(typed)).toMatchObject({
    ok: false,
    again: false,
    message: expect.stringContaining("Content: “a coat.”, now “boots.”."),
  });
  expect(met).toEqual([["Bring a coat.", "Bring boots."]]);
  expect(await save(typed)).toEqual({ ok: true });
  expect(asked[2]).toContain("updated_at=eq.2");
});

test("what stands there already is saved, whoever was faster", async () => {
  const { save, met } = keeper([found(), found({ ...row, content: typed.content, updated_at: "2" })], { begun: row });
  expect(await save(typed)).toEqual({ ok: true });
  expect(met).toEqual([]);
});

test("what a colleague published is no draft any more, and is not written to", async () => {
  const theirs = { ...row, published_at: "2026-01-05T09:00:00+00:00", updated_at: "2" };
  const { save, asked } = keeper([found(), found(theirs)], { begun: row });
  expect(await save(typed)).toMatchObject({ ok: false, again: false });
  expect(await save(typed)).toMatchObject({ ok: false, again: false, message: expect.stringContaining("no draft any more") });
  expect(asked).toHaveLength(2);
});

test("what a colleague deleted becomes a draft anew where the person saves it again", async () => {
  const { save, asked } = keeper([found(), found(), { status: 201, body: row }], { begun: row });
  expect(await save(typed)).toMatchObject({ ok: false, again: false, message: expect.stringContaining("deleted") });
  expect(await save(typed)).toEqual({ ok: true });
  expect(asked[2]).toMatch(/^POST/);
  expect(asked[2]).not.toContain(row.id);
});

test("a service that fails is asked again", async () => {
  expect(await keeper([refusal(503, "57014", "down")], { begun: row }).save(typed)).toEqual({ ok: false, again: true, message: "down" });
  expect(await keeper([refusal(503, "57014", "down")]).save(typed)).toEqual({ ok: false, again: true, message: "down" });
});
