import { letterKinds, type LetterKindId } from "content/letters.ts";
import type { LetterText } from "./letter-text.ts";

/** The texts of staff for a kind of letter; null for the default. */
interface OwnTexts {
  subject: string | null;
  body: string | null;
  text_message: string | null;
}

/** Returns the template of a letter: the text of staff, or else the default. A text message has the subject of the mail, for lists. */
export function letterTemplate(kind: LetterKindId, channel: string, own: OwnTexts | undefined): LetterText {
  const { subject, body, textMessage } = letterKinds[kind];
  return {
    subject: own?.subject ?? subject,
    body: (channel === "text" ? (own?.text_message ?? textMessage) : null) ?? own?.body ?? body,
  };
}
