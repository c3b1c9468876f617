import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

const POST = { title: "Snow", content: "Drive slowly.", author: "Jo" };

describeDatabases("posts", (open) => {
  let project: Project;
  let staff: SupabaseClient;
  const readers: Record<string, SupabaseClient> = {};

  beforeAll(async () => {
    project = await openProject(open);
    ({ client: staff } = await project.staff("office@site.example"));
    const anonymous = await project.staff("anonymous@site.example");
    const banned = await project.staff("banned@site.example");
    await project.service.auth.admin.updateUserById(banned.id, { ban_duration: "24h" });
    Object.assign(readers, {
      "a visitor": project.visitor,
      "an anonymous account": await project.bearer({ sub: anonymous.id, role: "authenticated", aal: "aal1", is_anonymous: true }),
      "banned staff": banned.client,
    });
  });

  /** Writes a post with an unused slug; `published_at` null makes it a draft. */
  async function write(values: object = {}): Promise<{ id: string; slug: string; published_at: string | null; updated_at: string }> {
    const { data, error } = await staff
      .from("blog_posts")
      .insert({ ...POST, slug: `snow-${crypto.randomUUID()}`, ...values })
      .select("id, slug, published_at, updated_at")
      .single();
    if (error) throw error;
    return data;
  }

  async function soon(seconds: number): Promise<string> {
    const [row] = await project.database.transaction((tx) =>
      tx.query<{ instant: Date | string }>("select now() + make_interval(secs => $1) as instant", [seconds]),
    );
    return new Date(row?.instant ?? "").toISOString();
  }

  /** Moves the publication time of a post into the past. */
  async function letTimePass(id: string): Promise<void> {
    await project.database.transaction((tx) =>
      tx.query("update public.blog_posts set published_at = now() - interval '1 second' where id = $1", [id]),
    );
  }

  /** Tries several ways to find a post; returns for each whether the reader found it. */
  async function found(reader: SupabaseClient, { id, slug }: { id: string; slug: string }): Promise<boolean[]> {
    const answers = await Promise.all([
      reader.from("blog_posts").select("*").eq("id", id),
      reader.from("blog_posts").select("title").eq("slug", slug),
      reader.from("blog_posts").select("id").or(`published_at.is.null,published_at.gt.2026-01-01,id.eq.${id}`).eq("id", id),
    ]);
    const { count } = await reader.from("blog_posts").select("*", { count: "exact", head: true }).eq("slug", slug);
    return [...answers.map(({ data }) => data?.length === 1), count === 1];
  }

  test("a post without a publication time is published at once", async () => {
    const post = await write();
    expect(post.published_at).not.toBeNull();
    expect(await found(project.visitor, post)).toEqual([true, true, true, true]);
  });

  test.each(["a visitor", "an anonymous account", "banned staff"])(
    "%s sees no draft and no scheduled post in any request",
    async (reader) => {
      const client = readers[reader];
      if (!client) throw new Error(`no client for ${reader}`);
      for (const published_at of [null, await soon(3600)]) {
        const post = await write({ published_at });
        expect(await found(client, post)).toEqual([false, false, false, false]);
        expect(await found(staff, post)).toEqual([true, true, true, true]);
        const changed = await client.from("blog_posts").update({ published_at: "now" }).eq("id", post.id).select("id");
        const deleted = await client.from("blog_posts").delete().eq("id", post.id).select("id");
        expect([changed.data ?? [], deleted.data ?? []]).toEqual([[], []]);
      }
      const { data } = await client.from("blog_posts").select("published_at");
      for (const { published_at } of data ?? []) expect(Date.parse(published_at)).toBeLessThanOrEqual(Date.now() + 1000);
    },
  );

  test("a scheduled post appears at its time without a write, and disappears when it is unpublished", async () => {
    const post = await write({ published_at: await soon(3600) });
    expect(await found(project.visitor, post)).toEqual([false, false, false, false]);
    await letTimePass(post.id);
    expect(await found(project.visitor, post)).toEqual([true, true, true, true]);
    await staff.from("blog_posts").update({ published_at: null }).eq("id", post.id);
    expect(await found(project.visitor, post)).toEqual([false, false, false, false]);
  });

  test("'now' publishes by the database's clock", async () => {
    const post = await write({ published_at: null });
    const { error } = await staff.from("blog_posts").update({ published_at: "now" }).eq("id", post.id);
    expect(error).toBeNull();
    expect(await found(project.visitor, post)).toEqual([true, true, true, true]);
  });

  test("a draft may lack any field, and several drafts may lack a slug", async () => {
    const empty = { title: "", content: "", author: "", slug: null, published_at: null };
    for (const values of [empty, empty, { ...empty, image_url: "https:/" }]) await expect(write(values)).resolves.toBeDefined();
  });

  test.each([
    ["no title", { title: " " }, "blog_posts_title_check"],
    ["no text", { content: "" }, "blog_posts_content_check"],
    ["no author", { author: "" }, "blog_posts_author_check"],
    ["an invalid image address", { image_url: "https:/" }, "blog_posts_image_url_check"],
    ["no slug", { slug: null }, "blog_posts_published_somewhere"],
  ])("a post with %s is not published at once, from a draft or for later", async (_what, values, constraint) => {
    await expect(write(values)).rejects.toMatchObject({ code: "23514", message: expect.stringContaining(constraint) });
    const draft = await write({ ...values, published_at: null });
    for (const published_at of ["now", await soon(3600)]) {
      const { error } = await staff.from("blog_posts").update({ published_at }).eq("id", draft.id);
      expect([error?.code, error?.message]).toEqual(["23514", expect.stringContaining(constraint)]);
    }
  });

  test("a draft has the same limits of length as a post, and no invalid slug", async () => {
    for (const values of [
      { title: "x".repeat(201) },
      { content: "x".repeat(200_001) },
      { author: "x".repeat(121) },
      { image_url: `https://images.example/${"x".repeat(2000)}` },
      { slug: "Snow!" },
      { slug: "" },
    ])
      await expect(write({ published_at: null, ...values })).rejects.toMatchObject({ code: "23514" });
  });

  test("a publication time is within the range that a page can show", async () => {
    for (const published_at of ["infinity", "-infinity", "1999-12-31T00:00Z", "10000-01-01T00:00Z"])
      await expect(write({ published_at })).rejects.toMatchObject({ code: "23514" });
    await expect(write({ published_at: "2001-01-01T00:00Z" })).resolves.toBeDefined();
  });

  test("a slug can change unless the post is public, and again once it is unpublished", async () => {
    const fresh = (): string => `ice-${crypto.randomUUID()}`;
    const rename = (id: string, values: object = {}) =>
      staff
        .from("blog_posts")
        .update({ slug: fresh(), ...values })
        .eq("id", id);
    const draft = await write({ published_at: null });
    const scheduled = await write({ published_at: await soon(3600) });
    for (const { id } of [draft, scheduled]) expect((await rename(id)).error).toBeNull();
    expect((await rename(draft.id, { published_at: "now" })).error).toBeNull();
    await letTimePass(scheduled.id);
    for (const { id } of [draft, scheduled]) {
      const { error, status } = await rename(id);
      expect([status, error?.code]).toEqual([409, "PT409"]);
      // Also not in the same update that unpublishes the post.
      for (const values of [{ published_at: null }, { published_at: null, slug: null }])
        expect((await rename(id, values)).error?.code).toBe("PT409");
      expect((await staff.from("blog_posts").update({ published_at: null }).eq("id", id)).error).toBeNull();
      expect((await rename(id)).error).toBeNull();
    }
  });

  test("no two posts have the same slug, drafts included", async () => {
    const { slug } = await write({ published_at: null });
    for (const published_at of [null, "now", await soon(3600)])
      await expect(write({ slug, published_at })).rejects.toMatchObject({ code: "23505" });
  });

  test("the second of two concurrent saves writes nothing, and neither can hide its author", async () => {
    const { client: other, id: otherId } = await project.staff("other@site.example");
    const { id, updated_at } = await write({ published_at: null });
    const save = (client: SupabaseClient, content: string) =>
      client.from("blog_posts").update({ content }).eq("id", id).eq("updated_at", updated_at).select("content");
    const answers = await Promise.all([save(staff, "One."), save(other, "Two.")]);
    expect(answers.map(({ data }) => data?.length).toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 1]);
    await other.from("blog_posts").update({ author: "Other" }).eq("id", id);
    const { data: last } = await staff.from("changes").select("actor_id").eq("record_id", id).order("id", { ascending: false }).limit(1);
    expect(last).toEqual([{ actor_id: otherId }]);
    // The same value would be no change.
    const before = new Date(Date.parse(updated_at) - 1000).toISOString();
    for (const column of [{ updated_at: before }, { created_at: before }, { id: crypto.randomUUID() }])
      expect((await staff.from("blog_posts").update(column).eq("id", id)).error).toMatchObject({ code: "42501" });
  });

  test("visitors learn when the list of posts expires, at most five minutes ahead", async () => {
    const expiry = async (): Promise<number> => {
      const { data, error } = await project.visitor.rpc("posts_expire_at");
      if (error) throw error;
      return Date.parse(data);
    };
    await project.database.transaction((tx) => tx.query("delete from public.blog_posts where published_at > now()"));
    const { id } = await write({ published_at: await soon(3600) });
    const before = Date.parse(await soon(300));
    const read = await expiry();
    expect([read >= before, read <= Date.parse(await soon(300))]).toEqual([true, true]);
    const instant = await soon(120);
    await staff.from("blog_posts").update({ published_at: instant }).eq("id", id);
    await write({ published_at: await soon(200) });
    expect(await expiry()).toBe(Date.parse(instant));
  });

  test("only views of published posts are counted", async () => {
    const view = async (slug: string): Promise<number> => {
      const body = JSON.stringify({ page_path: `/blog/${slug}`, session_id: crypto.randomUUID() });
      const request = new Request(`${PROJECT_URL}/functions/v1/record-page-view`, {
        method: "POST",
        headers: { apikey: PUBLISHABLE_KEY },
        body,
      });
      return (await project.backend.fetch(request, { clientAddress: "198.51.100.1" })).status;
    };
    const [published, scheduled, draft] = [
      await write(),
      await write({ published_at: await soon(3600) }),
      await write({ published_at: null }),
    ];
    expect([await view(published.slug), await view(scheduled.slug), await view(draft.slug)]).toEqual([201, 400, 400]);
    await letTimePass(scheduled.id);
    expect(await view(scheduled.slug)).toBe(201);
  });

  test("the newest published posts are read with an index", async () => {
    const plan = await project.database.transaction(async (tx) => {
      await tx.query(
        `insert into public.blog_posts (title, content, author, slug, published_at)
         select 'T', 'c', 'a', 'many-' || n, now() - make_interval(hours => n) from generate_series(1, 2000) n`,
      );
      await tx.script("analyze public.blog_posts");
      return tx.query("explain select * from public.blog_posts where published_at <= now() order by published_at desc limit 30");
    });
    expect(JSON.stringify(plan)).toContain("blog_posts_published_at_idx");
  });
});
