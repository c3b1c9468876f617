import { useId, useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { copied } from "../forms/copied.ts";
import { whatsAppHref } from "../lists/contact/contact-href.ts";
import { recipientOf, type KindRow, type Letter } from "./fields.ts";
import styles from "./letters.module.css";
import { mailtoOf, textOfLetter } from "./text-of-letter.ts";

interface LetterDialogProps {
  letter: Letter;
  kinds: readonly KindRow[];
  close: () => void;
  /** Notes that the letter was sent by hand. */
  noteSent: () => void;
}

/** The text of a letter, to read, to copy or to send with another program. */
export default function LetterDialog({ letter, kinds, close, noteSent }: LetterDialogProps) {
  const text = textOfLetter(letter, kinds);
  const id = useId();
  const [announced, setAnnounced] = useState("");
  const { address } = recipientOf(letter);
  const whatsApp = letter.channel === "text" ? whatsAppHref(address, text.body) : null;
  const isUnsent = letter.state === "waiting" || letter.state === "failed";

  async function copy(): Promise<void> {
    setAnnounced((await copied(text.body)) ? "Copied." : "Select the text and press Ctrl+C or ⌘C.");
  }

  return (
    <Dialog
      id={id}
      open
      title={text.subject}
      onClose={close}
      actions={
        <>
          <span role="status">{announced}</span>
          {isUnsent && (
            <Button look="plain" onClick={noteSent}>
              I sent it myself
            </Button>
          )}
          {letter.channel === "mail" && <a href={mailtoOf(address, text)}>Open in mail program</a>}
          {whatsApp !== null && (
            <a href={whatsApp} target="_blank" rel="noreferrer">
              Open in WhatsApp
            </a>
          )}
          <Button onClick={() => void copy()}>Copy text</Button>
        </>
      }
    >
      <p className="soft">To {address}</p>
      {/* The letter scrolls on small screens, so it must be focusable. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles.text} tabIndex={0} role="region" aria-label="Text of the letter">
        {text.body}
      </pre>
    </Dialog>
  );
}
