import * as SQLSTATE from "backend/sqlstates.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { newId } from "../../forms/new-id.ts";
import { startEdit, type RecordEdit } from "../../records/save-record.ts";
import { openPost, saveValues } from "../queries.ts";
import type { Post, PostValues } from "../fields.ts";
import { differences, fieldsOf, withLf, type Fields } from "../schema.ts";
import { slugOf } from "../slug.ts";

/** The result of the last save; after a `conflict` nothing is saved until the person confirms it. */
export type SaveState = { is: "saved"; post: Post } | { is: "failed" | "conflict"; message: string };

interface AutosaveOptions {
  supabase: BrowserSupabase;
  /** The post to edit; null for a new one. */
  edit: RecordEdit<Post> | null;
  /** The id of a new post whose first save may have arrived before the page was reloaded. */
  id?: string | undefined;
  onState: (state: SaveState) => void;
  /** Called with the row as it was saved or as somebody else saved it. */
  onPost: (post: Post) => void;
  /** Called with the unsaved input when somebody else has deleted the post; the next save adds it as a new one. */
  onDeleted: (unsaved: Fields) => void;
  /** The pause in typing before a save, in milliseconds. */
  pauseMs?: number;
  /** The pause before a failed save is retried, in milliseconds. */
  retryMs?: number;
}

export type Autosave = ReturnType<typeof createAutosave>;

type SaveResult = { ok: true; post: Post } | { ok: false; message: string; retry: boolean };

/** Saves a draft after each pause in typing, one save at a time; never overwrites somebody else's save unless it is confirmed. */
export function createAutosave(options: AutosaveOptions) {
  const { supabase, onState, onPost, onDeleted, pauseMs = 1500, retryMs = 5000 } = options;
  let { edit } = options;
  // Chosen here, so that a first save whose response is lost is not repeated as a second post.
  let id = options.id ?? newId();
  let mayExist = options.id !== undefined;
  let pending: Fields | null = null;
  let running: Promise<unknown> | null = null;
  let held = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), ms);
  }

  async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    while (running) await running.catch(() => undefined);
    clearTimeout(timer);
    const result = work();
    running = result;
    try {
      return await result;
    } finally {
      running = null;
    }
  }

  /** Saves pending input now; input in conflict only if `confirmed`. */
  async function flush(confirmed = false): Promise<void> {
    if (confirmed) held = false;
    await exclusively(async () => {
      const fields = pending;
      if (!fields || held) return;
      const result = await save(fields);
      if (result.ok) {
        if (pending === fields) pending = null;
        else schedule(pauseMs);
        onState({ is: "saved", post: result.post });
      } else if (result.retry) {
        schedule(retryMs);
        onState({ is: "failed", message: result.message });
      } else hold(result.message);
    });
  }

  function hold(message: string): void {
    held = true;
    onState({ is: "conflict", message });
  }

  function use(post: Post): void {
    edit = startEdit(post);
    onPost(post);
  }

  async function find(): Promise<RecordEdit<Post> | null> {
    if (!edit && mayExist) {
      const found = await openPost(supabase, id);
      if ("opened" in found) edit = found;
    }
    return edit;
  }

  async function save(fields: Fields): Promise<SaveResult> {
    const found = await find();
    if (!found) return insert(draftValues(fields, null));
    if (found.opened.published_at !== null)
      return { ok: false, retry: false, message: "This post is no longer a draft. “Save post” saves your changes." };
    return update(found, fields);
  }

  async function insert(values: PostValues): Promise<SaveResult> {
    mayExist = true;
    const attempt = (slug: string | null) =>
      supabase
        .from("blog_posts")
        .insert({ id, ...values, slug })
        .select("*")
        .single();
    let { data, error } = await attempt(values.slug);
    if (error?.code === SQLSTATE.uniqueViolation) ({ data, error } = await attempt(null));
    if (!data) return { ok: false, retry: true, message: error?.message ?? "" };
    use(data);
    return { ok: true, post: data };
  }

  async function update(found: RecordEdit<Post>, fields: Fields): Promise<SaveResult> {
    const values = draftValues(fields, found.opened);
    let { outcome, error } = await saveValues(supabase, found, values);
    if (error?.code === SQLSTATE.uniqueViolation)
      ({ outcome, error } = await saveValues(supabase, found, { ...values, slug: found.opened.slug }));
    if (outcome.deleted) {
      edit = null;
      id = newId();
      mayExist = false;
      onDeleted(pending ?? fields);
    }
    if (found.seen !== found.opened) use(found.seen);
    // A save of this page that arrived after a reload is no conflict.
    if (outcome.ok || (found.seen !== found.opened && differences(fields, fieldsOf(found.seen)) === ""))
      return { ok: true, post: found.seen };
    return { ok: false, retry: error !== undefined, message: error?.message ?? outcome.message };
  }

  return {
    /** The id of the post, also of a new one that is not saved yet. */
    id: () => edit?.opened.id ?? id,
    /** Takes the input to save after the next pause. */
    change(fields: Fields): void {
      pending = fields;
      if (!held) schedule(pauseMs);
    },
    flush,
    hold,
    unsaved: () => pending,
    /** The unsaved input and its post, except input whose conflict was shown before: what would be lost if the editor closed now. */
    rest: () => ({ unsaved: held ? null : pending, post: edit?.opened ?? null }),
    /** Publishes or saves the post by the form, while no save is running; `id` is that of a new post. */
    submit<Outcome extends { ok: boolean }>(send: (edit: RecordEdit<Post> | null, id: string) => Promise<Outcome>): Promise<Outcome> {
      return exclusively(async () => {
        const found = await find();
        mayExist = true;
        const outcome = await send(found, id);
        if (outcome.ok) pending = null;
        else if (found && found.seen !== found.opened) {
          use(found.seen);
          if (pending) hold("Nothing is saved until you decide.");
        } else if (pending) schedule(pauseMs);
        return outcome;
      });
    },
    /** Saves pending input a last time; returns its post and the input that is still unsaved, except input whose conflict was shown before. */
    async close(): Promise<{ unsaved: Fields | null; post: Post | null }> {
      const isDiscarded = held;
      const opened = edit?.opened;
      await flush();
      clearTimeout(timer);
      return { unsaved: isDiscarded ? null : pending, post: (edit && opened) ?? null };
    },
  };
}

/** The values of a draft; an incomplete address is not saved. */
function draftValues({ title, author, image_url, slug, content }: Fields, post: Post | null): PostValues {
  return {
    title,
    author,
    image_url: image_url === "" ? null : image_url,
    slug: slug !== "" && slug === slugOf(slug) ? slug : (post?.slug ?? null),
    content: content === withLf(post?.content ?? "") ? (post?.content ?? "") : content,
    published_at: null,
  };
}
