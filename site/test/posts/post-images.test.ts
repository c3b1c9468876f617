import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { noise } from "../../../backend/test/wire/picture-fixture.ts";
import { openProject, PROJECT_URL, type Project } from "../support/project.ts";

const BUCKET = "post-images";

describeDatabases("post images", (open) => {
  let project: Project;
  let staff: SupabaseClient;
  let picture: Uint8Array<ArrayBuffer>;
  let count = 0;

  beforeAll(async () => {
    project = await openProject(open);
    staff = (await project.staff("pictures@site.example")).client;
    picture = await noise("jpeg", 60, 40);
  });

  const freshName = (): string => `practice-room-${(count += 1).toString(16).padStart(8, "0")}-60x40.jpg`;

  function upload(client: SupabaseClient, name: string, body = picture, contentType = "image/jpeg") {
    return client.storage.from(BUCKET).upload(name, body, { contentType });
  }

  async function stored(): Promise<string> {
    const name = freshName();
    const { error } = await upload(staff, name);
    if (error) throw error;
    return name;
  }

  async function post(fields: Record<string, unknown>): Promise<string> {
    const values = { title: "T", content: "c", author: "a", slug: `p-${crypto.randomUUID()}`, ...fields };
    const { data, error } = await staff.from("blog_posts").insert(values).select("id").single();
    if (error) throw error;
    return data.id;
  }

  async function isThere(name: string): Promise<boolean> {
    const { data } = staff.storage.from(BUCKET).getPublicUrl(name);
    return (await project.backend.fetch(new Request(data.publicUrl))).status === 200;
  }

  test("are visible to everyone, also in other sizes", async () => {
    const name = await stored();
    for (const path of [`object/public/${BUCKET}/${name}`, `render/image/public/${BUCKET}/${name}?width=30`]) {
      const response = await project.backend.fetch(new Request(`${PROJECT_URL}/storage/v1/${path}`));
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    }
  });

  test("are added, listed and deleted by staff", async () => {
    const name = await stored();
    const listed = await staff.storage.from(BUCKET).list("", { limit: 1, sortBy: { column: "created_at", order: "desc" } });
    expect(listed.data?.map((one) => one.name)).toEqual([name]);
    expect((await staff.storage.from(BUCKET).remove([name])).data).toHaveLength(1);
    expect(await isThere(name)).toBe(false);
  });

  describe("are not added, listed or deleted by", () => {
    const others: Record<string, () => Promise<SupabaseClient>> = {
      "a visitor": () => Promise.resolve(project.visitor),
      "an anonymous account": async () => {
        const { id } = await project.staff(`anonymous-${crypto.randomUUID()}@site.example`);
        return project.bearer({ sub: id, role: "authenticated", aal: "aal1", is_anonymous: true });
      },
      "banned staff": async () => {
        const banned = await project.staff(`banned-${crypto.randomUUID()}@site.example`);
        await project.service.auth.admin.updateUserById(banned.id, { ban_duration: "24h" });
        return banned.client;
      },
      "a token for an unknown account": () => project.bearer({ sub: crypto.randomUUID(), role: "authenticated", aal: "aal1" }),
    };

    test.each(Object.entries(others))("%s", async (_who, make) => {
      const client = await make();
      const name = await stored();
      const fresh = freshName();
      expect((await upload(client, fresh)).error).toMatchObject({ statusCode: "403" });
      expect(await isThere(fresh)).toBe(false);
      expect((await client.storage.from(BUCKET).list()).data ?? []).toEqual([]);
      expect((await client.storage.from(BUCKET).remove([name])).data ?? []).toEqual([]);
      expect(await isThere(name)).toBe(true);
      const { data } = await client.rpc("post_image_uses", { image_name: name });
      expect(data ?? []).toEqual([]);
    });
  });

  test.each([
    ["holiday.jpg", "no size in its name"],
    ["Room-00000001-60x40.jpg", "a capital letter"],
    ["a b-60x40.jpg", "a space"],
    ["2026/room-60x40.jpg", "a folder"],
    ["room-0x40.jpg", "a width of zero"],
    ["room-60x40.svg", "another extension"],
    [`${"a".repeat(120)}-60x40.jpg`, "too long a name"],
  ])("called %s are refused: %s", async (name) => {
    expect((await upload(staff, name)).error).toMatchObject({ statusCode: "403" });
    expect(await isThere(name)).toBe(false);
  });

  test.each([
    ["an SVG", () => new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'), "image/jpeg"],
    ["an HTML page", () => new TextEncoder().encode("<html><script>alert(1)</script></html>"), "image/jpeg"],
    ["a GIF, which may be animated,", () => noise("gif", 60, 40), "image/gif"],
    ["an empty file", () => new Uint8Array(), "image/jpeg"],
    ["more than 10 MB", () => new Uint8Array(Buffer.concat([picture, new Uint8Array(10_000_000)])), "image/jpeg"],
  ])("that are %s are refused", async (_what, make, type) => {
    const name = freshName();
    expect((await upload(staff, name, await make(), type)).error).not.toBeNull();
    expect(await isThere(name)).toBe(false);
  });

  describe("that a post uses", () => {
    const address = (name: string): string => `/storage/v1/object/public/${BUCKET}/${name}`;

    test.each([
      ["in its text", (name: string) => ({ content: `Look:\n\n![A room](${address(name)})` })],
      ["as its cover image", (name: string) => ({ image_url: address(name) })],
      ["by an absolute URL", (name: string) => ({ image_url: `https://project.supabase.co${address(name)}` })],
      ["in another size", (name: string) => ({ content: `![A room](/storage/v1/render/image/public/${BUCKET}/${name}?width=480)` })],
      ["as a draft", (name: string) => ({ content: `![A room](${address(name)})`, published_at: null, slug: null })],
    ])("%s are not deleted, and the function returns the posts that use them", async (_how, fields) => {
      const name = await stored();
      const id = await post(fields(name));
      expect((await staff.storage.from(BUCKET).remove([name])).data).toEqual([]);
      expect(await isThere(name)).toBe(true);
      expect((await staff.rpc("post_image_uses", { image_name: name })).data).toEqual([id]);
      expect((await project.visitor.rpc("post_image_uses", { image_name: name })).error).not.toBeNull();
      await staff.from("blog_posts").delete().eq("id", id);
      expect((await staff.storage.from(BUCKET).remove([name])).data).toHaveLength(1);
    });

    test("are neither replaced, moved nor deleted, and other images of the same request are deleted", async () => {
      const used = await stored();
      const unused = await stored();
      await post({ image_url: address(used) });
      const files = staff.storage.from(BUCKET);
      expect((await files.upload(used, picture, { upsert: true, contentType: "image/jpeg" })).error).not.toBeNull();
      expect((await files.update(used, picture, { contentType: "image/jpeg" })).error).not.toBeNull();
      expect((await files.move(used, freshName())).error).not.toBeNull();
      expect((await files.remove([used, unused])).data?.map(({ name }) => name)).toEqual([unused]);
      expect([await isThere(used), await isThere(unused)]).toEqual([true, false]);
    });
  });
});
