import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { startEdit, type RecordEdit } from "../../records/save-record.ts";
import { refused } from "../../frame/outcome.ts";
import type { SaveOutcome } from "./autosave.ts";
import { fieldsOf, unlike, withLf, type Fields } from "./fields.ts";
import { openPost, saveValues, UNIQUE_VIOLATION } from "../queries.ts";
import type { Post, PostValues } from "../schema.ts";
import { slugOf } from "../slug.ts";

export interface DraftKeeperOptions {
  supabase: BrowserSupabase;
  edit: RecordEdit<Post> | null;
  /** The id that a first save was sent with whose answer was not waited for. */
  sentAs: string | undefined;
  onSaved: (post: Post) => void;
  /** Somebody else was faster: how the row was when the fields last agreed with it, and how it is now. */
  onTheirs: (before: Post, now: Post) => void;
}

export interface DraftKeeper {
  /** The id a new draft is saved under. */
  id: () => string;
  /** The post as this editor last wrote or saw it; null where there is no row of it. */
  edit: () => Promise<RecordEdit<Post> | null>;
  /** Saves what stands in the fields as a draft, whatever may be missing. */
  save: (fields: Fields) => Promise<SaveOutcome>;
  /** Goes on from what a colleague wrote, where an edit has met with it; says whether it has. */
  goOnFromTheirs: (met: RecordEdit<Post> | null) => boolean;
}

/** Keeps one draft in the database as it is typed; nothing of a colleague's is overwritten unless the person who types says so. */
export function createDraftKeeper({ supabase, edit: begun, sentAs, onSaved, onTheirs }: DraftKeeperOptions): DraftKeeper {
  let edit = begun;
  // Known before the row is there, so that a draft whose answer was lost is found and not made twice.
  let id = sentAs ?? freshId();
  let asked = sentAs !== undefined;

  function keep(post: Post): void {
    edit = startEdit(post);
    onSaved(post);
  }

  async function find(): Promise<RecordEdit<Post> | null> {
    if (edit || !asked) return edit;
    const there = await openPost(supabase, id);
    if ("opened" in there) edit = there;
    return edit;
  }

  async function add(values: PostValues): Promise<SaveOutcome> {
    asked = true;
    const attempt = (slug: string | null) =>
      supabase
        .from("blog_posts")
        .insert({ id, ...values, slug })
        .select("*")
        .single();
    let { data, error } = await attempt(values.slug);
    if (error?.code === UNIQUE_VIOLATION) ({ data, error } = await attempt(null));
    if (!data) return { ok: false, again: true, message: error?.message ?? "" };
    keep(data);
    return { ok: true };
  }

  async function change(before: RecordEdit<Post>, values: PostValues, fields: Fields): Promise<SaveOutcome> {
    let again = false;
    const attempt = (wanted: PostValues) =>
      saveValues(supabase, before, wanted, {
        saved: "",
        failed({ code, message }) {
          again = true;
          return refused(message, code === UNIQUE_VIOLATION ? "slug" : undefined);
        },
        onWritten: keep,
        onGone() {
          // Saved again, it becomes a draft anew.
          edit = null;
          id = freshId();
          asked = false;
        },
      });
    let outcome = await attempt(values);
    if (!outcome.ok && outcome.field === "slug") outcome = await attempt({ ...values, slug: before.opened.slug });
    if (outcome.ok) return { ok: true };
    // What this page sent as it was left may arrive after the page is there again.
    if (before.seen !== before.opened && !unlike(fields, fieldsOf(before.seen))) {
      keep(before.seen);
      return { ok: true };
    }
    goOnFromTheirs(before);
    return { ok: false, again, message: outcome.message };
  }

  function goOnFromTheirs(met: RecordEdit<Post> | null): boolean {
    if (!met || met.seen === met.opened) return false;
    edit = startEdit(met.seen);
    onTheirs(met.opened, met.seen);
    return true;
  }

  return {
    id: () => id,
    edit: find,
    async save(fields) {
      const there = await find();
      const values = toDraft(fields, there);
      if (values.published_at !== null)
        return { ok: false, again: false, message: "This post is no draft any more. Save Post changes it." };
      return there ? change(there, values, fields) : add(values);
    },
    goOnFromTheirs,
  };
}

function toDraft({ title, author, image_url, slug, content }: Fields, edit: RecordEdit<Post> | null): PostValues {
  const kept = edit?.opened ?? { slug: null, content: "", published_at: null };
  return {
    title,
    author,
    image_url: image_url === "" ? null : image_url,
    // An address half typed waits until it is one.
    slug: slug !== "" && slug === slugOf(slug) ? slug : kept.slug,
    content: content === withLf(kept.content) ? kept.content : content,
    published_at: kept.published_at,
  };
}

/** A UUID in Postgres's eyes; `crypto.randomUUID` is refused to pages that came without TLS. */
function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
