import { describe, expect, test } from "vitest";
import { refusal, scriptedClient } from "../../wire-fixture.ts";
import { AT_ONCE, deleteImage, listImages } from "./queries.ts";

const NAME = "practice-room-3f9a1c2b-2400x1600.jpg";
const stored = (name: string) => ({ name, id: "1", created_at: "2026-11-21T09:00:00Z", metadata: { size: 1 } });

describe("listing", () => {
  test("asks for the newest first and one more than are shown", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [stored(NAME)] }]);
    expect(await listImages(supabase, 24)).toEqual({
      ok: true,
      images: [{ name: NAME, width: 2400, height: 1600, added: "2026-11-21T09:00:00Z" }],
      more: false,
    });
    expect(asked).toEqual([
      'POST /storage/v1/object/list/post-images {"limit":25,"offset":24,"sortBy":{"column":"created_at","order":"desc"},"prefix":""}',
    ]);
  });

  test("says when there are more, and leaves out what was not added here", async () => {
    const body = [...Array.from({ length: AT_ONCE }, () => stored("holiday.jpg")), stored(NAME)];
    const { supabase } = scriptedClient([{ status: 200, body }]);
    expect(await listImages(supabase, 0)).toEqual({ ok: true, images: [], more: true });
  });

  test("says why it failed", async () => {
    const { supabase } = scriptedClient([refusal(400, "AccessDenied", "jwt expired")]);
    expect(await listImages(supabase, 0)).toEqual({ ok: false, message: "Error fetching pictures: jwt expired" });
  });
});

describe("deleting", () => {
  test("deletes by name", async () => {
    const { supabase, asked } = scriptedClient([{ status: 200, body: [stored(NAME)] }]);
    expect(await deleteImage(supabase, NAME)).toEqual({ ok: true, message: "Picture deleted successfully!" });
    expect(asked).toEqual([`DELETE /storage/v1/object/post-images {"prefixes":["${NAME}"]}`]);
  });

  test("says in which posts it is used", async () => {
    const post = { id: "7", title: "Winter dates", slug: "winter-dates", published_at: "2026-11-21T09:00:00Z" };
    const { supabase } = scriptedClient([
      { status: 200, body: [] },
      { status: 200, body: ["7"] },
      { status: 200, body: [post] },
    ]);
    expect(await deleteImage(supabase, NAME)).toEqual({
      ok: false,
      message: "This picture is in use. Take it out of these posts first:",
      uses: [post],
    });
  });

  test("says why it failed, also where nothing was deleted and nothing uses it", async () => {
    const { supabase } = scriptedClient([
      refusal(400, "AccessDenied", "jwt expired"),
      { status: 200, body: [] },
      { status: 200, body: [] },
      { status: 200, body: [] },
    ]);
    expect(await deleteImage(supabase, NAME)).toEqual({ ok: false, message: "Failed to delete the picture: jwt expired" });
    expect(await deleteImage(supabase, NAME)).toMatchObject({ ok: false, message: expect.stringContaining("no longer there") });
  });
});
