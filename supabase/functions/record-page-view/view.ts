import { z } from "zod";
import { readJson } from "../_shared/read-json.ts";

const MAX_BODY = 4096;

const viewSchema = z.object({
  page_path: z.string().min(1).max(2048),
  session_id: z.uuid(),
  // An unreadable referrer counts as none.
  referrer: z.string().optional().catch(undefined),
});

/** Reads the body of a page view; returns an error if it is invalid. */
export async function readView(request: Request): Promise<z.infer<typeof viewSchema> | { error: string; message: string }> {
  const { value, tooLarge } = await readJson(request, MAX_BODY);
  if (tooLarge) return { error: "body_too_large", message: "The body is longer than a page view can be." };
  const parsed = viewSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  return field === "session_id"
    ? { error: "invalid_session_id", message: "session_id must be a UUID." }
    : { error: "invalid_page_path", message: "page_path must be the path of a page." };
}
