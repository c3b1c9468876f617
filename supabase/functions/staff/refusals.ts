import type { AuthError } from "@supabase/supabase-js";
import { refusal } from "../_shared/answer.ts";
import type { Wish } from "./wish.ts";

/** The answer where the database does not let it be done, by the code it gives. */
export function notAllowed(code: string, { act }: Wish): Response {
  switch (code) {
    case "PT403":
      return refusal(
        403,
        "own_account",
        "This is your own account: another member of staff can do this, or you yourself under My Profile.",
      );
    case "PT404":
      return refusal(404, "no_such_member", "This account is gone.");
    case "PT409":
      return refusal(409, "last_account", "This is the last account that can sign in.");
    case "PT412":
      return act === "invite"
        ? refusal(409, "has_account", "This address has an account already; it is in the list.")
        : refusal(409, "changed_meanwhile", "The account has changed meanwhile.");
    case "PT429":
      return refusal(429, "too_many_acts", "That was a lot at once. Wait ten minutes and try again.", { "Retry-After": "600" });
    case "42501":
    case "PGRST301":
    case "PGRST303":
      return refusal(401, "not_authenticated", "Not authenticated");
    default:
      return refusal(503, "not_done", "This could not be done. Please try again.");
  }
}

/** The answer where the auth service did not do it, by the code it gives. */
export function notDone({ code }: AuthError): Response {
  switch (code) {
    case "email_exists":
      return refusal(409, "has_account", "This address has an account already; it is in the list.");
    case "validation_failed":
    case "email_address_invalid":
      return refusal(400, "invalid_email", "The auth service does not take this e-mail address.");
    case "over_email_send_rate_limit":
      return refusal(429, "too_many_mails", "Too much was mailed just now. Wait a minute, or hand over a link.", { "Retry-After": "60" });
    default:
      return refusal(503, "not_done", "This could not be done. Look at the list again, and try again.");
  }
}
