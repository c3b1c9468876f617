import { useRef, useState } from "react";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { LINK_LASTS } from "./schema.ts";

interface HandedLinkProps {
  link: string;
  who: string;
  close: () => void;
}

/** A link to hand over, shown this once. */
export function HandedLink({ link, who, close }: HandedLinkProps) {
  const box = useRef<HTMLElement>(null);
  const [announced, setAnnounced] = useState("");

  async function copy(): Promise<void> {
    setAnnounced((await copied(link)) ? "Copied." : "Selected; press Ctrl+C or ⌘C.");
    const field = box.current?.querySelector("input");
    if (field && field.ownerDocument.activeElement !== field) field.select();
  }

  return (
    <section ref={box} className="panel" aria-labelledby="handed-title">
      <h2 id="handed-title">Link for {who}</h2>
      <p>It opens their account, so give it to nobody else. It is shown only now, good for {LINK_LASTS}, and works once.</p>
      <TextField id="handed-link" label="Link" standalone readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
      <div className="row">
        <Button onClick={() => void copy()}>Copy link</Button>
        <ButtonLink look="plain" href={`mailto:${encodeURIComponent(who)}?${mailOf(link)}`}>
          Write an e-mail
        </ButtonLink>
        <Button look="plain" onClick={close}>
          Hide link
        </Button>
        <span role="status">{announced}</span>
      </div>
    </section>
  );
}

/** Copies a text; false without a clipboard, as on pages without TLS, or if the browser refuses. */
async function copied(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotAllowedError") return false;
    throw error;
  }
}

/** Mail programs read a space where forms write a plus. */
function mailOf(link: string): string {
  const fields = { subject: "Your staff account", body: `This link opens your account, once:\n\n${link}\n` };
  return Object.entries(fields)
    .map(([name, text]) => `${name}=${encodeURIComponent(text)}`)
    .join("&");
}
