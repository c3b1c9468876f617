import type { SendText } from "../_shared/text-messages.ts";
import type { Transmission } from "./transmit.ts";

/** Failures before the message left this machine. */
const NOT_CONNECTED: ReadonlySet<unknown> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);
const TOO_MANY = 429;
const SERVER_ERROR = 500;

/** Sends a text message after `handOver` has returned true. The service knows a second try by its id. */
export async function transmitText(
  send: SendText,
  message: Parameters<SendText>[0],
  handOver: () => Promise<boolean>,
): Promise<Transmission> {
  if (!(await handOver())) return { result: "withdrawn" };
  try {
    const { ok, status } = await send(message);
    if (ok) return { result: "sent" };
    const error = new Error(`The service for text messages answered ${status}`);
    const isRefusal = status < SERVER_ERROR && status !== TOO_MANY;
    return { result: isRefusal ? "refused" : "again", response: String(status), error, refusedAlone: isRefusal };
  } catch (error) {
    return { result: NOT_CONNECTED.has(codeOf(error)) ? "again" : "unclear", error };
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error && "code" in error.cause ? error.cause.code : undefined;
}
