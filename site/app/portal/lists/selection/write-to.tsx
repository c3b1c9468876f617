import { useState } from "react";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { copied } from "../../forms/copied.ts";
import { addressesOf, bccHref, type MailBegin } from "../contact/bcc.ts";

interface WriteToProps {
  people: readonly { email: string | null }[];
  begin?: MailBegin;
}

/** Writes to the people with an e-mail address, or copies their addresses. */
export function WriteTo({ people, begin }: WriteToProps) {
  const [announced, setAnnounced] = useState("");
  const addresses = addressesOf(people);
  const href = bccHref(addresses, begin);
  return (
    <>
      {href !== null && (
        <ButtonLink look="plain" size="small" href={href}>
          Write to {addresses.length}
        </ButtonLink>
      )}
      {addresses.length > 0 && (
        <Button
          look="plain"
          size="small"
          onClick={async () => setAnnounced((await copied(addresses.join(", "))) ? "Copied." : "The browser does not allow copying.")}
        >
          Copy {addresses.length} {addresses.length === 1 ? "address" : "addresses"}
        </Button>
      )}
      <span role="status" className={announced === "" ? "visually-hidden" : undefined}>
        {announced}
      </span>
    </>
  );
}
