import { z } from "zod";
import { expectJsonError, JsonError, readJson } from "../../../backend/src/body/read-json.ts";

const MAX_BYTES = 4096;

const memberId = z.guid();

const commandSchema = z.discriminatedUnion("act", [
  z.strictObject({
    act: z.literal("invite"),
    email: z.string().trim().toLowerCase().max(255).pipe(z.email()),
    name: z.string().trim().max(120).default(""),
    role: z.enum(["owner", "office", "trainer"]).default("office"),
    /** Returns the link instead of mailing it, even if there is a mail server. */
    by_hand: z.boolean().default(false),
  }),
  z.strictObject({ act: z.enum(["link", "make_owner"]), member_id: memberId, by_hand: z.boolean().default(false) }),
  z.strictObject({
    act: z.enum(["disable", "enable", "remove_factor", "remove", "make_office", "make_trainer"]),
    member_id: memberId,
  }),
]);

/** An action of staff on an account. */
export type Command = z.infer<typeof commandSchema>;

/** A command that creates a link into an account. */
export type LinkCommand = Extract<Command, { act: "invite" | "link" | "make_owner" }>;

/** Reads the command in a request; null if there is none. */
export async function readCommand(request: Request): Promise<Command | null> {
  const command = await readJson(request, commandSchema, { maxBytes: MAX_BYTES }).catch(expectJsonError);
  return command instanceof JsonError ? null : command;
}
