import { z } from "zod";

const memberId = z.guid();

const wishSchema = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("invite"),
    email: z.string().trim().toLowerCase().max(255).pipe(z.email()),
    name: z.string().trim().max(120).default(""),
    /** Makes a link to hand over, whether or not there is a mail server. */
    by_hand: z.boolean().default(false),
  }),
  z.strictObject({ act: z.literal("link"), member_id: memberId, by_hand: z.boolean().default(false) }),
  z.strictObject({ act: z.enum(["disable", "enable", "remove_factor", "remove"]), member_id: memberId }),
]);

/** What staff may ask for: to invite somebody, or to do something to the account of a colleague. */
export type Wish = z.infer<typeof wishSchema>;

const LONGEST_BODY = 4096;

/** Reads a request's wish; null when it is none. */
export async function readWish(request: Request): Promise<Wish | null> {
  const text = await request.text();
  if (text.length > LONGEST_BODY) return null;
  return wishSchema.safeParse(parseJson(text)).data ?? null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
