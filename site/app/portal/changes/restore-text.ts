import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { done, refused, type Outcome } from "../frame/outcome.ts";
import type { Change, Values } from "../history/change.ts";

const TEXTS = ["title", "content"] as const;
type Texts = { [Column in (typeof TEXTS)[number]]?: string };

/** True if a change replaced a text of a post that can be restored. */
export function replacedText({ kind, act, before }: Change): boolean {
  return kind === "blog_posts" && act === "update" && Object.keys(textsOf(before)).length > 0;
}

/** Restores the texts that a post had before a change; the undo restores the current ones. */
export async function restoreText(supabase: BrowserSupabase, { record_id, before }: Change): Promise<Outcome> {
  return replaceTexts(supabase, record_id, textsOf(before));
}

async function replaceTexts(supabase: BrowserSupabase, id: string, texts: Texts): Promise<Outcome> {
  const { data: found, error } = await supabase.from("blog_posts").select("title, content, updated_at").eq("id", id);
  if (error) return failed(error);
  const post = found[0];
  if (!post) return refused("This post was deleted. Restore the post first.");
  const { updated_at, ...present } = post;
  if (TEXTS.every((name) => texts[name] === undefined || texts[name] === present[name])) return done("The post has this text already.");
  const write = await supabase.from("blog_posts").update(texts).eq("id", id).eq("updated_at", updated_at).select("id");
  if (write.error) return failed(write.error);
  if (write.data.length === 0) return refused("Somebody else changed this post at the same time. Nothing was restored; please try again.");
  const replaced = Object.fromEntries(TEXTS.filter((name) => name in texts).map((name) => [name, present[name]]));
  return { ...done("The earlier text is restored."), undo: () => replaceTexts(supabase, id, replaced) };
}

function textsOf(values: Values | null): Texts {
  const texts: Texts = {};
  for (const name of TEXTS) {
    const text = values?.[name];
    if (typeof text === "string") texts[name] = text;
  }
  return texts;
}

function failed({ message }: { message: string }): Outcome {
  return refused(`Failed to restore: ${message}`);
}
