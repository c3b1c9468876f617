import type { SupabaseClient } from "@supabase/supabase-js";
import { courses } from "content/courses/index.ts";
import type { Database } from "../../database.types.ts";

const LONGEST_PATH = 512;
const POST = /^\/blog\/([a-z0-9]+(?:-[a-z0-9]+)*)$/;

const staticPages = new Set(["/", "/blog", ...courses.map((course) => course.link)]);

/** The path as it is counted (no query, fragment or closing slash), or undefined where views of it are not. */
export async function publicPath(pagePath: string, project: SupabaseClient<Database>): Promise<string | undefined> {
  const [bare = ""] = pagePath.split(/[?#]/, 1);
  const path = bare.length > 1 ? bare.replace(/\/$/, "") : bare;
  if (path.length > LONGEST_PATH) return undefined;
  if (staticPages.has(path)) return path;

  const slug = POST.exec(path)?.[1];
  if (slug === undefined) return undefined;
  const { data, error } = await project.from("blog_posts").select("slug").eq("slug", slug).maybeSingle();
  if (error) throw new Error(`The post behind ${path} could not be looked up`, { cause: error });
  return data ? path : undefined;
}
