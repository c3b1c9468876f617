import type { BrowserSupabase } from "../../../supabase.client.ts";
import { deletionOutcome } from "../deletion.ts";
import { editing, saveEdit, type Editing } from "../edit.ts";
import { done, refused, type Loaded, type Outcome, type Refusal } from "../outcome.ts";
import { readList } from "../read-list.ts";
import { checkPost, type ListedPost, type Post, type PostValues } from "./schema.ts";
import { freeSlug } from "./slug.ts";

const UNIQUE_VIOLATION = "23505";
/** Others would have to publish the same title this often within a second. */
const MOST_TRIES = 20;
const LABELS = { title: "Title", author: "Author", content: "Content", image_url: "Image URL" };

/** Every post without its text, the newest first. */
export function listPosts(supabase: BrowserSupabase): Promise<Loaded<ListedPost>> {
  return readList("blog posts", (from, to) =>
    supabase
      .from("blog_posts")
      .select("id, title, author, slug, created_at")
      .order("created_at", { ascending: false })
      .order("id")
      .range(from, to),
  );
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

/** Begins an edit with the whole post as it is now, or says why it cannot. */
export async function openPost(supabase: BrowserSupabase, id: string): Promise<Editing<Post> | Refusal> {
  const { data, error } = await supabase.from("blog_posts").select("*").eq("id", id).maybeSingle();
  if (error) return refused(`Error fetching blog posts: ${error.message}`);
  return data ? editing(data) : refused("This blog post is no longer there.");
}

/** Saves what a filled-in form changed of a post; its address never changes. */
export async function savePost(supabase: BrowserSupabase, edit: Editing<Post>, form: FormData): Promise<Outcome> {
  const checked = checkPost(form);
  if (!checked.ok) return checked;
  const { title, author, content, image_url } = checked.value;
  // A text area has no line breaks but LF and the check trims: where nothing else differs the text was not touched.
  const text = withLf(content) === withLf(edit.opened.content).trim() ? edit.opened.content : content;
  return saveEdit<PostValues, Post>(
    edit,
    { title, author, content: text, image_url },
    {
      what: "blog post",
      labels: LABELS,
      show: (field, row) => (field === "content" ? `${row.content.length} characters` : (row[field] ?? "empty")),
      write: (changes, seen) => supabase.from("blog_posts").update(changes).eq("id", seen.id).eq("updated_at", seen.updated_at).select("*"),
      read: (postId) => supabase.from("blog_posts").select("*").eq("id", postId),
      saved: "Blog post saved successfully!",
      failed: ({ message }) => refused(`Failed to save blog post: ${message}`),
    },
  );
}

/** Deletes a post. */
export async function deletePost(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const deletion = await supabase.from("blog_posts").delete().eq("id", id).select("id");
  return deletionOutcome(deletion, "blog post", "Blog post deleted successfully!");
}

function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
