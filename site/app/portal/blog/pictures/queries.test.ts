import { openTestPglite } from "backend/test/database.ts";
import { noise } from "backend/test/wire/picture-fixture.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProject, type Project } from "../../../../test/support/project.ts";
import { POST_IMAGES, storedAddress } from "../../../pictures/stored-pictures.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { deletePicture, listPictures } from "./queries.ts";

const NAMES = ["first-00000001-60x40.jpg", "second-00000002-60x40.jpg"] as const;

let project: Project;
let staff: BrowserSupabase;
let expired: BrowserSupabase;

beforeAll(async () => {
  project = await openProject(openTestPglite);
  const account = await project.staff("jo@site.example");
  staff = account.client;
  expired = await project.bearer({ sub: account.id, role: "authenticated", exp: 1 });
  const bytes = await noise("jpeg", 60, 40);
  for (const name of NAMES) {
    const { error } = await staff.storage.from(POST_IMAGES).upload(name, bytes, { contentType: "image/jpeg" });
    if (error) throw error;
  }
});
afterAll(() => project.database.close());

test("the media library lists the newest pictures and says if there are more", async () => {
  const newest = { name: NAMES[1], width: 60, height: 40, added: expect.any(String) };
  expect(await listPictures(staff, 1)).toEqual({ ok: true, pictures: [newest], more: true });
  expect(await listPictures(staff, 2)).toMatchObject({ ok: true, pictures: [newest, { name: NAMES[0] }], more: false });
});

test("a failure names the reason", async () => {
  expect(await listPictures(expired, 1)).toMatchObject({ ok: false, message: expect.stringMatching(/^Error fetching pictures: ./) });
  expect(await deletePicture(expired, NAMES[0])).toMatchObject({
    ok: false,
    message: expect.stringMatching(/^Failed to delete the picture: ./),
  });
});

test("a picture that a post contains is not deleted, and the refusal names the post", async () => {
  const post = { title: "Winter dates", slug: "winter-dates", published_at: "2026-11-21T09:00:00+00:00" };
  const { data, error } = await staff
    .from("blog_posts")
    .insert({ ...post, author: "Jo", content: "Text.", image_url: storedAddress(NAMES[0]) })
    .select("id")
    .single();
  if (error) throw error;
  expect(await deletePicture(staff, NAMES[0])).toEqual({
    ok: false,
    message: "This picture is in use. Remove it from these posts first:",
    posts: [{ id: data.id, ...post }],
  });
});

test("an unused picture is deleted; one that is gone is reported", async () => {
  expect(await deletePicture(staff, NAMES[1])).toEqual({ ok: true, message: "Picture deleted successfully!" });
  expect(await deletePicture(staff, NAMES[1])).toMatchObject({ ok: false, message: expect.stringContaining("no longer there") });
});
