import { useState } from "react";
import { href, Link, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import type { LinkToken } from "./link-token.ts";
import { confirmAddress, redeemLink } from "./redeem-link.ts";

interface OpenLinkProps {
  linkToken: LinkToken;
  /** The address of the account that is signed in here. */
  other: string | undefined;
}

const OPEN_ACCOUNT = {
  title: "Welcome",
  lead: "This link opens your staff account, once. On the next page you choose a password.",
  label: "Open my account",
  busyLabel: "Opening...",
};

const TEXTS: Readonly<Record<LinkToken["type"], typeof OPEN_ACCOUNT>> = {
  invite: OPEN_ACCOUNT,
  recovery: OPEN_ACCOUNT,
  signup: OPEN_ACCOUNT,
  magiclink: { title: "Sign in", lead: "This link signs you in, once.", label: "Sign in", busyLabel: "Signing in..." },
  email_change: {
    title: "Confirm your e-mail address",
    lead: "Confirm that the address of your staff account changes.",
    label: "Confirm the change",
    busyLabel: "Confirming...",
  },
};

/** Uses the link only after a press of a button, because mail scanners open links, and a link works once. */
export function OpenLink({ linkToken, other }: OpenLinkProps) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { title, lead, label, busyLabel } = TEXTS[linkToken.type];
  const signsIn = linkToken.type !== "email_change";

  async function open(): Promise<void> {
    setBusy(true);
    setOutcome(null);
    const redeem = signsIn ? redeemLink : confirmAddress;
    const result = await outcomeOf(redeem(browserClient(), linkToken));
    setBusy(false);
    if (!result.ok || !signsIn) return setOutcome(result);
    // Removes the token from the history.
    await navigate(linkToken.type === "magiclink" ? href("/admin") : href("/admin/password"), { replace: true });
  }

  if (outcome?.ok)
    return (
      <PageFrame title={title} notice={outcome}>
        <p>
          <Link to={href("/admin")} replace>
            Go to the portal
          </Link>
        </p>
      </PageFrame>
    );
  return (
    <PageFrame title={title} notice={outcome}>
      <p className="lead">{lead}</p>
      {signsIn && other !== undefined && (
        <div className="lead">
          <Message>
            <p>{other} is signed in here and will be signed out in this browser.</p>
          </Message>
        </div>
      )}
      <div className="row">
        <Button busy={busy} onClick={() => void open()}>
          {busy ? busyLabel : label}
        </Button>
        {outcome && signsIn && <Link to={href("/admin/password")}>Get a new link</Link>}
      </div>
    </PageFrame>
  );
}
