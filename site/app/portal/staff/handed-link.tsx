import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyField } from "../forms/copy-field.tsx";
import { LINK_LASTS } from "./schema.ts";

interface HandedLinkProps {
  link: string;
  who: string;
  close: () => void;
}

/** A link to hand over, shown this once. */
export function HandedLink({ link, who, close }: HandedLinkProps) {
  return (
    <section className="panel" aria-labelledby="handed-title">
      <h2 id="handed-title">Link for {who}</h2>
      <p>It opens their account, so give it to nobody else. It is not shown again, is valid for {LINK_LASTS}, and works once.</p>
      <CopyField label="Link" value={link}>
        <ButtonLink look="plain" href={`mailto:${encodeURIComponent(who)}?${mailOf(link)}`}>
          Write an e-mail
        </ButtonLink>
        <Button look="plain" onClick={close}>
          Hide link
        </Button>
      </CopyField>
    </section>
  );
}

/** Encodes the subject and text of a mail, with spaces as %20, because mail programs show the plus of form encoding. */
function mailOf(link: string): string {
  const fields = { subject: "Your staff account", body: `This link opens your account, once:\n\n${link}\n` };
  return Object.entries(fields)
    .map(([name, text]) => `${name}=${encodeURIComponent(text)}`)
    .join("&");
}
