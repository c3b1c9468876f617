import { createClient } from "@supabase/supabase-js";
import { openTestPglite } from "backend/test/database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../../../../test/support/project.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { startEdit } from "../../records/save-record.ts";
import type { Post } from "../fields.ts";
import type { Fields } from "../schema.ts";
import { createAutosave, type SaveState } from "./autosave.ts";

const TYPED: Fields = { title: "Winter", author: "Jo", image_url: "", slug: "", content: "Bring a hat." };

let project: Project;
let staff: BrowserSupabase;
/** Requests to the REST API since the last reset. */
let requests: string[] = [];
/** True while the service fails; "response" processes requests and loses their responses. */
let failing: boolean | "response" = false;

beforeAll(async () => {
  project = await openProject(openTestPglite);
  const { accessToken } = await project.staff("jo@site.example");
  staff = createClient(PROJECT_URL, PUBLISHABLE_KEY, {
    accessToken: () => Promise.resolve(accessToken),
    global: {
      async fetch(input, init) {
        const request = new Request(input, init);
        requests.push(request.method);
        if (failing === true) throw new TypeError("Failed to fetch");
        const response = await project.backend.fetch(request);
        if (failing === "response") throw new TypeError("Failed to fetch");
        return response;
      },
    },
  });
});
afterAll(() => project.database.close());

/** An autosave with short pauses, and the states it reports. */
function open(post: Post | null = null, id?: string) {
  requests = [];
  const states: SaveState[] = [];
  const posts: Post[] = [];
  const deleted: Fields[] = [];
  const autosave = createAutosave({
    supabase: staff,
    edit: post && startEdit(post),
    id,
    onState: (state) => states.push(state),
    onPost: (row) => posts.push(row),
    onDeleted: (unsaved) => deleted.push(unsaved),
    pauseMs: 20,
    retryMs: 20,
  });
  const settled = async (is: SaveState["is"], count = 1): Promise<void> =>
    await expect.poll(() => states.filter((state) => state.is === is).length).toBe(count);
  return { autosave, states, posts, deleted, settled };
}

async function addDraft(values: Partial<Post> = {}): Promise<Post> {
  const draft = { title: "Winter", author: "Jo", content: "Bring a coat.", slug: `winter-${crypto.randomUUID()}`, published_at: null };
  const { data, error } = await project.service
    .from("blog_posts")
    .insert({ ...draft, ...values })
    .select("*")
    .single();
  if (error) throw error;
  return data;
}

async function stored(id: string): Promise<Post> {
  const { data, error } = await project.service.from("blog_posts").select("*").eq("id", id).single();
  if (error) throw error;
  return data;
}

function fieldsOf({ title, author, slug, content }: Post): Fields {
  return { ...TYPED, title, author, slug: slug ?? "", content };
}

test("several changes are saved once after a pause, as one draft, even if fields are empty", async () => {
  const { autosave, posts, settled } = open();
  autosave.change({ ...TYPED, title: "", author: "" });
  autosave.change({ ...TYPED, title: "" });
  await settled("saved");
  expect(requests).toEqual(["POST"]);
  autosave.change(TYPED);
  await settled("saved", 2);
  expect(requests).toEqual(["POST", "PATCH"]);
  expect(await stored(posts[0]?.id ?? "")).toMatchObject({ title: "Winter", content: "Bring a hat.", slug: null, published_at: null });
  expect(autosave.unsaved()).toBeNull();
});

test("input during a save is saved after it", async () => {
  const { autosave, posts, settled } = open();
  autosave.change({ ...TYPED, content: "a" });
  const saving = autosave.flush();
  autosave.change({ ...TYPED, content: "ab" });
  await saving;
  expect(autosave.unsaved()).toMatchObject({ content: "ab" });
  await settled("saved", 2);
  expect((await stored(posts[0]?.id ?? "")).content).toBe("ab");
});

test("a failed save is retried until it succeeds", async () => {
  const { autosave, states, settled } = open();
  failing = true;
  autosave.change(TYPED);
  await expect.poll(() => states.length).toBeGreaterThan(1);
  expect(states[0]).toMatchObject({ is: "failed", message: expect.stringContaining("Failed to fetch") });
  expect(autosave.unsaved()).toEqual(TYPED);
  failing = false;
  await settled("saved");
});

test.each([false, true])("a first save whose response was lost adds no second post, after a reload: %s", async (reloaded) => {
  const title = `Lost ${reloaded}`;
  const first = open();
  failing = "response";
  first.autosave.change({ ...TYPED, title });
  await first.autosave.flush();
  failing = false;
  const { autosave } = reloaded ? open(null, first.autosave.id()) : first;
  if (reloaded) {
    await first.autosave.close();
    autosave.change({ ...TYPED, title, content: "More." });
  }
  await autosave.flush();
  expect(autosave.unsaved()).toBeNull();
  const { data } = await project.service.from("blog_posts").select("id").eq("title", title);
  expect(data).toHaveLength(1);
});

test("an address that is taken or incomplete is not saved, but the rest is", async () => {
  const taken = await addDraft();
  const draft = await addDraft();
  for (const slug of [taken.slug ?? "", "half an addr"]) {
    const { autosave } = open(await stored(draft.id));
    autosave.change({ ...fieldsOf(draft), slug, content: `With ${slug}` });
    await autosave.flush();
    expect(autosave.unsaved()).toBeNull();
    expect(await stored(draft.id)).toMatchObject({ slug: draft.slug, content: `With ${slug}` });
  }
  const added = open();
  added.autosave.change({ ...TYPED, slug: taken.slug ?? "" });
  await added.autosave.flush();
  expect(added.posts[0]?.slug).toBeNull();
});

test("a conflict shows both versions and waits until the person confirms", async () => {
  const draft = await addDraft();
  const { autosave, states, posts } = open(draft);
  await project.service.from("blog_posts").update({ content: "Bring boots.", author: "Rowan" }).eq("id", draft.id);
  autosave.change({ ...fieldsOf(draft), content: "Bring a hat." });
  await autosave.flush();
  expect(states).toMatchObject([{ is: "conflict", message: expect.stringContaining("Content: “a coat.”, now “boots.”") }]);
  expect(posts.at(-1)).toMatchObject({ author: "Rowan" });
  autosave.change({ ...fieldsOf(draft), author: "Rowan", content: "Bring a hat and a map." });
  await autosave.flush();
  expect((await stored(draft.id)).content).toBe("Bring boots.");
  await autosave.flush(true);
  expect(await stored(draft.id)).toMatchObject({ author: "Rowan", content: "Bring a hat and a map." });
});

test("a stored version that equals the input is no conflict", async () => {
  const draft = await addDraft();
  const { autosave, states } = open(draft);
  await project.service.from("blog_posts").update({ content: "Bring a hat." }).eq("id", draft.id);
  autosave.change({ ...fieldsOf(draft), content: "Bring a hat." });
  await autosave.flush();
  expect(states).toMatchObject([{ is: "saved" }]);
});

test("a draft that somebody else published is not changed", async () => {
  const draft = await addDraft();
  const { autosave, states } = open(draft);
  await project.service.from("blog_posts").update({ published_at: "2026-01-05T09:00:00Z" }).eq("id", draft.id);
  autosave.change({ ...fieldsOf(draft), content: "Bring a hat." });
  await autosave.flush();
  await autosave.flush(true);
  expect(states.map(({ is }) => is)).toEqual(["conflict", "conflict"]);
  expect(states[1]).toMatchObject({ message: expect.stringContaining("no longer a draft") });
  expect((await stored(draft.id)).content).toBe("Bring a coat.");
});

test("a draft that somebody else deleted becomes a new draft once the person confirms", async () => {
  const draft = await addDraft();
  const { autosave, states, posts, deleted } = open(draft);
  await project.service.from("blog_posts").delete().eq("id", draft.id);
  autosave.change({ ...fieldsOf(draft), content: "Bring a hat." });
  await autosave.flush();
  expect(deleted).toMatchObject([{ content: "Bring a hat." }]);
  expect(states).toMatchObject([{ is: "conflict", message: expect.stringContaining("deleted") }]);
  await autosave.flush(true);
  expect(posts.at(-1)).toMatchObject({ content: "Bring a hat.", published_at: null });
  expect(posts.at(-1)?.id).not.toBe(draft.id);
});

test("publishing waits for the running save, and nothing is saved after it", async () => {
  const draft = await addDraft();
  const { autosave } = open(draft);
  autosave.change({ ...fieldsOf(draft), content: "a" });
  const saving = autosave.flush();
  autosave.change({ ...fieldsOf(draft), content: "ab" });
  const versions: string[] = [];
  const published = autosave.submit((edit) => {
    versions.push(edit?.opened.content ?? "");
    return Promise.resolve({ ok: true });
  });
  await Promise.all([saving, published]);
  expect(versions).toEqual(["a"]);
  await autosave.flush();
  expect([autosave.unsaved(), (await stored(draft.id)).content]).toEqual([null, "a"]);
});

test("closing saves pending input, and returns it if that fails", async () => {
  const draft = await addDraft();
  const saved = open(draft);
  saved.autosave.change({ ...fieldsOf(draft), content: "Last words." });
  expect(await saved.autosave.close()).toMatchObject({ unsaved: null });
  const failed = open(await stored(draft.id));
  failing = true;
  failed.autosave.change({ ...fieldsOf(draft), content: "Lost words." });
  expect(await failed.autosave.close()).toMatchObject({ unsaved: { content: "Lost words." }, post: { id: draft.id } });
  failing = false;
  expect((await stored(draft.id)).content).toBe("Last words.");
});

test("closing returns input that is not saved because of somebody else's change, with the version on which it is based", async () => {
  const draft = await addDraft();
  const { autosave } = open(draft);
  await project.service.from("blog_posts").update({ content: "Bring boots." }).eq("id", draft.id);
  autosave.change({ ...fieldsOf(draft), content: "Bring a hat." });
  expect(await autosave.close()).toMatchObject({ unsaved: { content: "Bring a hat." }, post: { updated_at: draft.updated_at } });
  expect((await stored(draft.id)).content).toBe("Bring boots.");
  const shown = open(draft);
  shown.autosave.change({ ...fieldsOf(draft), content: "Bring a hat." });
  await shown.autosave.flush();
  expect(await shown.autosave.close()).toMatchObject({ unsaved: null });
});
