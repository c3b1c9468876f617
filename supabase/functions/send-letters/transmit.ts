import { Readable } from "node:stream";
import type { SendMailOptions, Transporter } from "nodemailer";

/** The result of one try: 'withdrawn' if the hand-over was refused, 'unclear' if the mail server did not answer after it. */
export interface Transmission {
  result: "sent" | "again" | "refused" | "unclear" | "withdrawn";
  /** The answer of the mail server to a refused letter. */
  response?: string;
  error?: unknown;
  /** True if the mail server refused this one letter; other failures concern all letters. */
  refusedAlone?: boolean;
}

const PERMANENT = 500;

/**
 * Sends a mail whose end is transmitted only after `handOver` has returned true. Without its end a mail server discards a message, so a
 * crash before the hand-over sends nothing.
 */
export async function transmit(mailServer: Transporter, mail: SendMailOptions, handOver: () => Promise<boolean>): Promise<Transmission> {
  let handedOver: boolean | undefined;
  async function* untilHandedOver(message: Readable): AsyncGenerator<Uint8Array> {
    for await (const chunk of message) yield chunk;
    handedOver = await handOver();
    if (!handedOver) throw new Error("The letter was withdrawn");
  }
  mailServer.use("stream", (compiled, done) => {
    // The mail server has accepted the recipient when it reads this stream.
    compiled.message.processFunc((message) => Readable.from(untilHandedOver(message), { objectMode: false }));
    done();
  });
  try {
    await mailServer.sendMail(mail);
    return { result: "sent" };
  } catch (error) {
    if (handedOver === false) return { result: "withdrawn" };
    const { responseCode, response, code } = answerOf(error);
    const refusedAlone = responseCode !== undefined && (code === "EENVELOPE" || code === "EMESSAGE");
    const answer = response === undefined ? {} : { response };
    if (refusedAlone) return { result: responseCode >= PERMANENT ? "refused" : "again", ...answer, error, refusedAlone };
    return { result: handedOver ? "unclear" : "again", ...answer, error };
  }
}

/** The reply of the mail server in an error of nodemailer. */
function answerOf(error: unknown): { responseCode?: number; response?: string; code?: string } {
  if (!(error instanceof Error)) return {};
  return {
    ...("responseCode" in error && typeof error.responseCode === "number" ? { responseCode: error.responseCode } : {}),
    ...("response" in error && typeof error.response === "string" ? { response: error.response } : {}),
    ...("code" in error && typeof error.code === "string" ? { code: error.code } : {}),
  };
}
