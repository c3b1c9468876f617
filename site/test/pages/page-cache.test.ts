import { describeDatabases } from "backend/test/database.ts";
import { IN_PROCESS } from "backend";
import { beforeAll, expect, test } from "vitest";
import { createPageCache, type PageCache } from "../../app/server/page-cache.server.ts";
import { createServerClient, type Reads, type Supabase } from "../../app/supabase/supabase.server.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

const ROOMS = `
create table public.rooms (id uuid primary key default gen_random_uuid(), course_date uuid references public.course_dates (id), name text);
grant select on public.rooms to anon;
grant select, insert on public.rooms to service_role;
create trigger announce_change after insert or update or delete or truncate on public.rooms
  for each statement execute function private.announce_change();
notify pgrst, 'reload schema';
`;

describeDatabases("the page cache", (open) => {
  let project: Project;
  let cache: PageCache;

  beforeAll(async () => {
    project = await openProject(open);
    await project.database.transaction((tx) => tx.script(ROOMS));
    cache = createPageCache(60_000);
    await project.backend.onChange(cache.drop);
  });

  /** Requests a page whose loader makes this read; resolves to its body. */
  async function visit(path: string, read: (supabase: Supabase) => PromiseLike<{ data: unknown; error: unknown }>): Promise<string> {
    const response = await cache.respond(new Request(`http://site.example${path}`), async () => {
      const reads: Reads = { relations: new Set(), failed: false };
      const supabase = createServerClient(
        {
          url: PROJECT_URL,
          publishableKey: PUBLISHABLE_KEY,
          fetch: (request, { relations }) => project.backend.fetch(request, { ...IN_PROCESS, relations }),
        },
        reads,
      );
      const { data, error } = await read(supabase);
      if (error) throw new Error("The page could not be read", { cause: error });
      return { response: Response.json(data), relations: reads.relations, complete: !reads.failed, expires: Infinity };
    });
    return response.text();
  }

  test("drops a page when a table changes that its loader only embeds", async () => {
    // The REST API reloads its schema cache after the notification above.
    await expect.poll(async () => (await project.visitor.from("rooms").select("id")).error).toBeNull();
    const date = { course_name: "Lvl 2 CCTV", course_date: "2031-03-10T09:00:00Z", capacity: 12 };
    const { data } = await project.service.from("course_dates").insert(date).select().single();
    const withRooms = () => visit("/rooms", (supabase) => supabase.from("course_dates").select("id, rooms(name)"));
    expect(await withRooms()).toContain('"rooms":[]');
    await project.service.from("rooms").insert({ course_date: data?.id, name: "Fell room" }).throwOnError();
    expect(await withRooms()).toContain("Fell room");
  });

  test("keeps a page that calls a function when a table changes that the function does not read", async () => {
    const nextPost = () => visit("/blog", (supabase) => supabase.rpc("posts_expire_at"));
    const first = await nextPost();
    await project.service.from("rooms").insert({ name: "Tarn room" }).throwOnError();
    expect(await nextPost()).toBe(first);
    await project.service.from("blog_posts").insert({ title: "Snow", content: "Drive slowly.", author: "Jo", slug: "snow" }).throwOnError();
    await expect.poll(nextPost).not.toBe(first);
  });
});
