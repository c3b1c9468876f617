import { provider } from "content/provider.ts";

/** The message and the status of a form that was not stored; `noun` is the word for the form: "question". */
export function notSent(reason: "rate_limited" | "not_stored", noun: string): { problem: string; status: number } {
  return reason === "rate_limited"
    ? { problem: `You have sent several ${noun}s in a short time. Please wait ten minutes, or call us on ${provider.phone}.`, status: 429 }
    : {
        problem: `Your ${noun} could not be sent just now. Please try again in a few minutes, or call us on ${provider.phone}.`,
        status: 503,
      };
}
