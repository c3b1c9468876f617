import { logMailFailure } from "../_shared/log-mail-failure.ts";
import { openMailServer } from "../_shared/mail-server.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, siteUrlOf, type FunctionContext, type ProjectClient } from "../_shared/runtime.ts";
import { claimedLetterSchema, letterMail, renderLetter, type ClaimedLetter, type RenderedLetter } from "./letter-mail.ts";
import { transmit, type Transmission } from "./transmit.ts";

/** The most letters of one call; the next call continues. */
const MOST_LETTERS = 50;

/**
 * Sends the letters that are due, one at a time (decision 039). Anybody may call it: it reads nothing from the caller, reveals nothing and
 * sends each letter once. A letter that fails is tried again later, and the response is a 202. Does nothing without SMTP_URL.
 */
async function sendLetters(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Letters are sent with POST.", { Allow: "POST" });
  const failures = await sendDue(context);
  for (const failure of failures) logMailFailure("A letter failed.", failure);
  return failures.length === 0 ? json({ done: true }) : json({ done: false }, 202);
}

/** Sends until no letter is due or the mail server cannot be reached, and returns the errors. */
async function sendDue(context: FunctionContext): Promise<unknown[]> {
  const failures: unknown[] = [];
  const project = projectClient("service_role", context);
  for (let sent = 0; sent < MOST_LETTERS; sent += 1) {
    const mailServer = await openMailServer(context);
    if (!mailServer) return failures;
    try {
      const claimed = await claim(project);
      if (claimed === null) return failures;
      const rendered = renderLetter(claimed);
      const mail = letterMail(claimed, rendered, siteUrlOf(context));
      const transmission = await transmit(mailServer, mail, () => handOver(project, claimed));
      await note(project, claimed, transmission, rendered);
      if (transmission.error === undefined) continue;
      failures.push(transmission.error);
      if (!transmission.refusedAlone) return failures;
    } finally {
      mailServer.close();
    }
  }
  return failures;
}

async function claim(project: ProjectClient): Promise<ClaimedLetter | null> {
  const { data, error } = await project.rpc("claim_letter");
  if (error) throw new Error("No letter could be claimed", { cause: error });
  return claimedLetterSchema.nullable().parse(data);
}

/** Returns true if the letter may be completed; false if it was withdrawn or claimed again. */
async function handOver(project: ProjectClient, { letter }: ClaimedLetter): Promise<boolean> {
  const { data, error } = await project.rpc("hand_over_letter", { letter: letter.id, claim: letter.claim });
  if (error) throw new Error("The hand-over of a letter could not be stored", { cause: error });
  return data;
}

async function note(
  project: ProjectClient,
  { letter }: ClaimedLetter,
  transmission: Transmission,
  rendered: RenderedLetter,
): Promise<void> {
  const { result, response } = transmission;
  if (result === "withdrawn") return;
  const { error } = await project.rpc("note_letter", {
    letter: letter.id,
    claim: letter.claim,
    result,
    ...(response === undefined ? {} : { response }),
    ...(result === "sent" ? rendered : {}),
  });
  if (error) throw new Error("The result of a letter could not be stored", { cause: error });
}

export default { fetch: (request: Request, context: FunctionContext = {}) => sendLetters(request, context) };
