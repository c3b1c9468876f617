import type { BrowserSupabase } from "../../../supabase.client.ts";
import { done, refused, type Loaded, type Outcome } from "../outcome.ts";
import { readAll } from "../read-all.ts";
import { checkPost, type ListedPost } from "./schema.ts";
import { freeSlug } from "./slug.ts";

const UNIQUE_VIOLATION = "23505";
/** Others would have to publish the same title this often within a second. */
const MOST_TRIES = 20;

/** Every post without its text, the newest first. */
export async function listPosts(supabase: BrowserSupabase): Promise<Loaded<ListedPost>> {
  try {
    const answer = await readAll((from, to) =>
      supabase
        .from("blog_posts")
        .select("id, title, author, slug, created_at")
        .order("created_at", { ascending: false })
        .order("id")
        .range(from, to),
    );
    if ("message" in answer) return { ok: false, message: `Error fetching blog posts: ${answer.message}` };
    return { ok: true, rows: answer.rows };
  } catch (error) {
    reportError(error);
    return { ok: false, message: "Unexpected error fetching blog posts. Please try again." };
  }
}

/** Publishes the post of a filled-in form at the first free slug, beginning with what `taken` leaves. */
export async function publishPost(supabase: BrowserSupabase, form: FormData, taken: ReadonlySet<string>): Promise<Outcome> {
  const checked = checkPost(form);
  if (!checked.ok) return checked;
  const post = checked.value;
  const known = new Set(taken);
  for (let tries = 1; ; tries += 1) {
    const slug = freeSlug(post.slug, known);
    const { error } = await supabase.from("blog_posts").insert({ ...post, slug });
    if (!error) return done("Blog post added successfully!");
    if (error.code !== UNIQUE_VIOLATION || tries === MOST_TRIES) return refused(`Failed to add blog post: ${error.message}`);
    known.add(slug);
  }
}

/** Deletes a post. */
export async function deletePost(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { data, error } = await supabase.from("blog_posts").delete().eq("id", id).select("id");
  if (error) return refused(`Failed to delete blog post: ${error.message}`);
  // Policies hide what may not be deleted instead of refusing it.
  if (data.length === 0) return refused("Failed to delete blog post: it is no longer there, or this account may not delete it.");
  return done("Blog post deleted successfully!");
}
