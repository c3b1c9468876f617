import { createHash } from "node:crypto";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { DAY_MS } from "../../app/time/durations.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

/** A stranger calls the API directly, with the same rights as the page of a preview. */
describeDatabases("the preview link of a post", (open) => {
  let office: StaffProject;
  beforeAll(async () => {
    office = await openStaffProject(open);
  });

  /** Writes a draft. */
  function draft(values: object = {}): Promise<string> {
    return office.publish({ title: "Snow", slug: `snow-${crypto.randomUUID()}`, published_at: null, ...values });
  }

  async function share(post: string): Promise<string> {
    const { data, error } = await office.staff.rpc("share_post", { post });
    if (error) throw error;
    return data;
  }

  /** The answer to a visitor with a key. */
  async function seen(key: string) {
    const { data, error } = await office.project.visitor.rpc("post_preview", { key });
    if (error) throw error;
    return data;
  }

  test("shows a visitor this draft as it is saved last, for 14 days, and nothing without the key", async () => {
    const { visitor, service } = office.project;
    const id = await draft();
    const key = await share(id);
    const { data: shared } = await office.staff.rpc("shared_posts");
    expect(shared).toMatchObject([{ post_id: id }]);
    const days = (Date.parse(shared[0].expires_at) - Date.now()) / DAY_MS;
    expect(Math.round(days)).toBe(14);

    await office.staff.from("blog_posts").update({ content: "Drive slowly." }).eq("id", id);
    expect(await seen(key)).toMatchObject({
      title: "Snow",
      author: "Jo",
      content: "Drive slowly.",
      published_at: null,
      is_published: false,
    });
    expect(Object.keys(await seen(key))).not.toContain("id");
    expect(await seen(id)).toBeNull();
    expect(await seen(crypto.randomUUID())).toBeNull();
    expect((await visitor.from("blog_posts").select("id").eq("id", id)).data).toEqual([]);
    expect((await visitor.rpc("shared_posts")).error?.code).toBe("42501");
    for (const reader of [visitor, office.staff, service]) {
      expect((await reader.from("post_previews").select("*")).error?.code).toBe("PGRST205");
      expect((await reader.schema("private").from("post_previews").select("*")).error?.code).toBe("PGRST106");
    }
  });

  test("is stored as a digest only", async () => {
    const key = await share(await draft());
    const rows = await office.project.database.transaction((tx) => tx.query("select v::text as row from private.post_previews v"));
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(key);
    expect(stored).not.toContain(key.replaceAll("-", ""));
    expect(stored).toContain(createHash("sha256").update(key).digest("hex"));
  });

  test("ends when staff stop sharing, make a new one or delete the post, and after 14 days", async () => {
    const id = await draft();
    const first = await share(id);
    const second = await share(id);
    expect(await seen(first)).toBeNull();
    expect(await seen(second)).not.toBeNull();
    expect((await office.project.visitor.rpc("stop_sharing_post", { post: id })).error?.code).toBe("42501");
    expect(await seen(second)).not.toBeNull();
    expect((await office.staff.rpc("stop_sharing_post", { post: id })).error).toBeNull();
    expect(await seen(second)).toBeNull();

    const third = await share(id);
    await office.sql("update private.post_previews set expires_at = now()");
    expect(await seen(third)).toBeNull();
    expect((await office.staff.rpc("shared_posts")).data).toEqual([]);

    const fourth = await share(id);
    await office.remove("blog_posts", id);
    expect(await seen(fourth)).toBeNull();
  });

  test("exists for a scheduled post, not for a published one, and ends when a published post is taken down", async () => {
    const id = await draft({ published_at: "2031-07-07T09:00:00Z" });
    const key = await share(id);
    expect(await seen(key)).toMatchObject({ published_at: "2031-07-07T09:00:00+00:00", is_published: false });
    await office.staff.from("blog_posts").update({ published_at: "2026-01-05T09:00:00Z" }).eq("id", id);
    expect(await seen(key)).toMatchObject({ is_published: true });
    expect((await office.staff.rpc("shared_posts")).data).toEqual([]);
    expect((await office.staff.rpc("share_post", { post: id })).error).toMatchObject({
      code: "PT409",
      message: "Only a post that is not published has a preview",
    });
    await office.staff.from("blog_posts").update({ published_at: null }).eq("id", id);
    expect(await seen(key)).toBeNull();
  });
});
