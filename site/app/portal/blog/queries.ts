import * as SQLSTATE from "backend/sqlstates.ts";
import { londonDayAndTime } from "../../time/london-date.ts";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { deletionOutcome } from "../records/deletion.ts";
import { newId } from "../forms/new-id.ts";
import { startEdit, saveRecord, type RecordEdit, type ServiceError } from "../records/save-record.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../frame/outcome.ts";
import { readList } from "../lists/read-list.ts";
import { differingWords } from "./differing-words.ts";
import { NOW, postFields, type CheckedPost, type ListedPost, type Post, type PostValues } from "./fields.ts";
import { checkPost, postStatus, withLf } from "./schema.ts";
import { freeSlug, isSlugOf, slugOf } from "./slug.ts";

/** Reached only if others publish the same title this often within a second. */
const MOST_TRIES = 20;

/** Lists all posts: drafts, then scheduled posts, then published ones, newest first. */
export function listPosts(supabase: BrowserSupabase): Promise<Loaded<ListedPost>> {
  return readList("blog posts", (from, to) =>
    supabase
      .from("blog_posts")
      .select("id, title, author, slug, image_url, published_at, created_at, updated_at")
      .order("published_at", { ascending: false })
      .order("id")
      .range(from, to),
  );
}

/** Publishes a new post, now or at its scheduled time, at the given slug or the first free one of its title; a retry with its id stores it once. */
export async function publishPost(supabase: BrowserSupabase, form: FormData, taken: ReadonlySet<string>, id = newId()): Promise<Outcome> {
  const checked = checkPost(form);
  if (!checked.ok) return checked;
  const { published_at, ...post } = checked.value;
  const time = published_at === NOW ? {} : { published_at };
  return atFreeSlug(checked.value, taken, async (slug) => {
    const { error } = await supabase.from("blog_posts").insert({ id, ...post, slug, ...time });
    const isStored = !error || (error.code === SQLSTATE.uniqueViolation && "opened" in (await openPost(supabase, id)));
    return isStored ? done(publishedMessage(published_at)) : failedAs("add")(error);
  });
}

/** Reads a post to edit it. */
export async function openPost(supabase: BrowserSupabase, id: string): Promise<RecordEdit<Post> | Refusal> {
  const { data, error } = await supabase.from("blog_posts").select("*").eq("id", id).maybeSingle();
  if (error) return refused(`Error fetching blog posts: ${error.message}`);
  return data ? startEdit(data) : refused("This blog post is no longer there.");
}

/** Returns the id of the account that changed a post last; null if the change log has no entry. */
export async function lastChangedBy(supabase: BrowserSupabase, id: string): Promise<string | null> {
  const { data } = await supabase.from("changes").select("actor_id").eq("record_id", id).order("id", { ascending: false }).limit(1);
  return data?.[0]?.actor_id ?? null;
}

/** Saves the changes to a post, and publishes or schedules a draft. The slug of a published post never changes. */
export async function savePost(
  supabase: BrowserSupabase,
  edit: RecordEdit<Post>,
  form: FormData,
  taken: ReadonlySet<string>,
): Promise<Outcome> {
  const checked = checkPost(form);
  if (!checked.ok) return checked;
  const { opened } = edit;
  // The check trims the text; if nothing else differs, the text was not changed.
  const content = withLf(checked.value.content) === withLf(opened.content).trim() ? opened.content : checked.value.content;
  const values = { ...checked.value, content };
  if (postStatus(opened) === "published") {
    const fixed = { slug: opened.slug, published_at: opened.published_at };
    return (await saveValues(supabase, edit, { ...values, ...fixed })).outcome;
  }
  const wasDraft = opened.published_at === null;
  const sameTime = !wasDraft && values.published_at !== NOW && isSameInstant(opened.published_at, values.published_at);
  const published_at = sameTime ? opened.published_at : values.published_at;
  return atFreeSlug(values, taken, async (slug) => {
    const { outcome, error } = await saveValues(supabase, edit, { ...values, slug, published_at });
    if (error) return failedAs(wasDraft ? "add" : "save")(error);
    return outcome.ok && !sameTime ? done(publishedMessage(values.published_at)) : outcome;
  });
}

/** Saves the values that differ from the post as it was opened; `error` is set if the service failed. */
export async function saveValues(
  supabase: BrowserSupabase,
  edit: RecordEdit<Post>,
  values: PostValues,
): Promise<{ outcome: Outcome & { deleted?: true }; error?: ServiceError }> {
  let error: ServiceError | undefined;
  const outcome = await saveRecord<PostValues, Post>(supabase, edit, values, {
    table: "blog_posts",
    noun: "blog post",
    fields: postFields,
    show(field, row, other) {
      if (field === "content") return differingWords(row.content, other.content);
      if (field === "published_at") return row.published_at === null ? "not published" : londonDayAndTime(row.published_at);
      return undefined;
    },
    saved: "Blog post saved successfully!",
    failed(failure) {
      error = failure;
      return failedAs("save")(failure);
    },
  });
  return error ? { outcome, error } : { outcome };
}

/** Turns a post into a draft again. */
export async function takeDownPost(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { data, error } = await supabase.from("blog_posts").update({ published_at: null }).eq("id", id).select("id");
  if (error) return failedAs("save")(error);
  if (data.length === 0) return refused("Failed to save blog post: it is no longer there, or this account may not change it.");
  return done("Blog post is a draft again. Visitors do not see it.");
}

export async function deletePost(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const deletion = await supabase.from("blog_posts").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "blog post", "Blog post deleted successfully!", { supabase, kind: "blog_posts", id });
}

/** Tries free slugs of the title until one is accepted; a slug that was given is the only one tried. */
async function atFreeSlug(
  { title, slug: wanted }: CheckedPost,
  taken: ReadonlySet<string>,
  attempt: (slug: string) => Promise<Outcome>,
): Promise<Outcome> {
  const known = new Set(taken);
  const followsTitle = isSlugOf(title, wanted);
  for (let tries = 1; ; tries += 1) {
    const slug = followsTitle && known.has(wanted) ? freeSlug(slugOf(title), known) : wanted;
    const outcome = await attempt(slug);
    if (outcome.ok || outcome.field !== "slug" || !followsTitle || tries === MOST_TRIES) return outcome;
    known.add(slug);
  }
}

function failedAs(verb: "add" | "save"): (error: ServiceError) => Refusal {
  return ({ code, message }) =>
    code === SQLSTATE.uniqueViolation
      ? refused("Another post has this address. Choose another.", "slug")
      : refused(`Failed to ${verb} blog post: ${message}`);
}

function publishedMessage(published_at: string): string {
  return published_at === NOW ? "Blog post added successfully!" : `Blog post scheduled. It appears on ${londonDayAndTime(published_at)}.`;
}

function isSameInstant(one: string | null, other: string): boolean {
  return one !== null && Date.parse(one) === Date.parse(other);
}
