import { z } from "zod";

const LONGEST_BODY = 4096;

const viewSchema = z.object({
  page_path: z.string().min(1).max(2048),
  session_id: z.uuid(),
  // Where the visitor came from; whatever cannot be read counts as nowhere.
  referrer: z.string().optional().catch(undefined),
});

type View = z.infer<typeof viewSchema>;

/** Reads the body of a view, or says what is wrong with it. */
export async function readView(request: Request): Promise<View | { error: string; message: string }> {
  const text = await request.text();
  if (text.length > LONGEST_BODY) return { error: "body_too_large", message: "The body is longer than a page view can be." };
  const parsed = viewSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path[0];
  return field === "session_id"
    ? { error: "invalid_session_id", message: "session_id must be a UUID." }
    : { error: "invalid_page_path", message: "page_path must be the path of a page." };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
