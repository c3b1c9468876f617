import { href } from "react-router";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { done, refused, type Loaded, type Outcome } from "../../frame/outcome.ts";
import { ALL, jsonRows, readList } from "../../lists/read-list.ts";

/** A post whose preview can be opened until the instant `expires_at`. */
export interface SharedPost {
  post_id: string;
  expires_at: string;
}

/** Lists the posts that have a preview link, without the links: only their digests are stored. */
export function listShared(supabase: BrowserSupabase): Promise<Loaded<SharedPost>> {
  return readList("preview links", () => jsonRows<SharedPost>(supabase.rpc("shared_posts")), ALL);
}

/** Makes the preview link of a post, which replaces an earlier one, and passes it to `show`. */
export async function sharePost(supabase: BrowserSupabase, id: string, show: (link: string) => void): Promise<Outcome> {
  const { data: key, error } = await supabase.rpc("share_post", { post: id });
  if (error) return refused(`Failed to share a preview: ${error.message}`);
  show(location.origin + href("/preview/:key", { key }));
  return done("The link is ready to copy.");
}

/** Makes the preview link of a post invalid. */
export async function stopSharing(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const { error } = await supabase.rpc("stop_sharing_post", { post: id });
  return error ? refused(`Failed to stop sharing: ${error.message}`) : done("Nobody can open the link any more.");
}
