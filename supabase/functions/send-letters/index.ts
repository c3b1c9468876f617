import { logMailFailure } from "../_shared/log-mail-failure.ts";
import { openMailServer } from "../_shared/mail-server.ts";
import { errorResponse, json, preflight } from "../_shared/response.ts";
import { projectClient, siteUrlOf, type FunctionContext, type ProjectClient } from "../_shared/runtime.ts";
import { openTextMessages, type SendText } from "../_shared/text-messages.ts";
import { claimedLetterSchema, letterMail, renderLetter, type ClaimedLetter, type RenderedLetter } from "./letter-mail.ts";
import { transmit, type Transmission } from "./transmit.ts";
import { transmitText } from "./transmit-text.ts";

/** The most letters of one call; the next call continues. */
const MOST_LETTERS = 50;

/**
 * Sends the letters that are due, one at a time (decision 039). Anybody may call it: it reads nothing from the caller, reveals nothing and
 * sends each letter once. A letter that fails is tried again later, and the response is a 202. Mails need SMTP_URL, text messages
 * SMS_HOOK_URL; without both it does nothing.
 */
async function sendLetters(request: Request, context: FunctionContext): Promise<Response> {
  if (request.method === "OPTIONS") return preflight();
  if (request.method !== "POST") return errorResponse(405, "method_not_allowed", "Letters are sent with POST.", { Allow: "POST" });
  const failures = await sendDue(context, request.signal);
  for (const failure of failures) logMailFailure("A letter failed.", failure);
  return failures.length === 0 ? json({ done: true }) : json({ done: false }, 202);
}

/** Sends the letters of both channels until none is due or the caller leaves, and returns the errors. */
async function sendDue(context: FunctionContext, signal: AbortSignal): Promise<unknown[]> {
  const project = projectClient("service_role", context);
  const sendText = await openTextMessages(context);
  return [
    ...(await sendWith(project, signal, () => sendMail(project, context))),
    ...(sendText === null ? [] : await sendWith(project, signal, () => sendTextMessage(project, sendText))),
  ];
}

/** A letter that was tried, with its text. */
interface Tried {
  claimed: ClaimedLetter;
  transmission: Transmission;
  rendered: RenderedLetter;
}

/** Sends until no letter is due, the service cannot be reached or the caller leaves, and returns the errors. */
async function sendWith(project: ProjectClient, signal: AbortSignal, sendOne: () => Promise<Tried | null>): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (let sent = 0; sent < MOST_LETTERS && !signal.aborted; sent += 1) {
    const tried = await sendOne();
    if (tried === null) return failures;
    const { claimed, transmission, rendered } = tried;
    await note(project, claimed, transmission, rendered);
    if (transmission.error === undefined) continue;
    failures.push(transmission.error);
    if (!transmission.refusedAlone) return failures;
  }
  return failures;
}

async function sendMail(project: ProjectClient, context: FunctionContext): Promise<Tried | null> {
  const mailServer = await openMailServer(context);
  if (!mailServer) return null;
  try {
    const claimed = await claim(project, { mails: true, texts: false });
    if (claimed === null) return null;
    const rendered = renderLetter(claimed);
    const mail = letterMail(claimed, rendered, siteUrlOf(context));
    return { claimed, rendered, transmission: await transmit(mailServer, mail, () => handOver(project, claimed)) };
  } finally {
    mailServer.close();
  }
}

async function sendTextMessage(project: ProjectClient, sendText: SendText): Promise<Tried | null> {
  const claimed = await claim(project, { mails: false, texts: true });
  if (claimed === null) return null;
  const rendered = renderLetter(claimed);
  const message = { id: `letter-${claimed.letter.id}`, phone: rendered.recipient, text: rendered.body };
  return { claimed, rendered, transmission: await transmitText(sendText, message, () => handOver(project, claimed)) };
}

async function claim(project: ProjectClient, channels: { mails: boolean; texts: boolean }): Promise<ClaimedLetter | null> {
  const { data, error } = await project.rpc("claim_letter", channels);
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
