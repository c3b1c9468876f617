import { useState } from "react";
import { href, Link, useLocation, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { LoadingPage } from "../frame/loading-page.tsx";
import { CodeForm } from "../session/code-form.tsx";
import { readLinkToken, type UsableToken } from "../session/link-token.ts";
import { NewPasswordFields } from "../session/new-password-fields.tsx";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { codeIsMissing, currentSession } from "../session/session.ts";
import { choosePassword, redeemLink, linkRefusal } from "./redeem-link.ts";
import type { Route } from "./+types/password";

const TITLE = "Choose a password";

export async function clientLoader() {
  const session = await currentSession();
  return { email: session?.user.email, signedIn: session !== null, codeMissing: session !== null && (await codeIsMissing()) };
}

export function HydrateFallback() {
  return <LoadingPage title={TITLE} label="Reading the link…" />;
}

/** The page that links of invitations and password resets open. */
export default function Password({ loaderData: { email, signedIn, codeMissing } }: Route.ComponentProps) {
  const navigate = useNavigate();
  // Not from the loader: a second link in the same tab changes only the hash.
  const { hash } = useLocation();
  const linkToken = readLinkToken(hash);
  if (linkToken.kind === "proof" || linkToken.kind === "session") return <OpenAccount key={hash} linkToken={linkToken} other={email} />;
  if (linkToken.kind === "refused") return <InvalidLink outcome={linkRefusal(linkToken.code)} />;
  if (!signedIn) return <InvalidLink outcome={null} />;
  return (
    <PageFrame title={codeMissing ? "Enter your code" : TITLE} email={email}>
      {codeMissing ? (
        <div className="narrow">
          <CodeForm />
        </div>
      ) : (
        <>
          <p className="lead">
            For the account <strong>{email}</strong>. You sign in with it from now on.
          </p>
          <div className="narrow">
            <PortalForm
              name="Choose a password"
              label="Save password"
              busyLabel="Saving..."
              submit={(form) => choosePassword(browserClient(), form)}
              onDone={() => void navigate(href("/admin"), { replace: true })}
            >
              {({ field }) => (
                <>
                  {/* Password managers store the password under this name. */}
                  <input type="hidden" name="username" autoComplete="username" value={email} />
                  <NewPasswordFields field={field} />
                </>
              )}
            </PortalForm>
          </div>
        </>
      )}
    </PageFrame>
  );
}

/** Asks for a click, because mail scanners that open links must not redeem them. */
function OpenAccount({ linkToken, other }: { linkToken: UsableToken; other: string | undefined }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Outcome | null>(null);
  async function open(): Promise<void> {
    setBusy(true);
    setRefusal(null);
    const outcome = await outcomeOf(redeemLink(browserClient(), linkToken));
    setBusy(false);
    if (!outcome.ok) return setRefusal(outcome);
    // Removes the token from the history.
    await navigate(href("/admin/password"), { replace: true });
  }
  return (
    <PageFrame title="Welcome" notice={refusal}>
      <p className="lead">This link opens your staff account, once. On the next page you choose a password.</p>
      {other !== undefined && (
        <div className="lead">
          <Message>
            <p>{other} is signed in here and will be signed out in this browser.</p>
          </Message>
        </div>
      )}
      <Button disabled={busy} onClick={() => void open()}>
        {busy ? "Opening..." : "Open my account"}
      </Button>
    </PageFrame>
  );
}

function InvalidLink({ outcome }: { outcome: Outcome | null }) {
  return (
    <PageFrame title={TITLE} notice={outcome}>
      {outcome === null && (
        <Message>
          <p>This page needs the whole link that a colleague gave you, or that was mailed to you.</p>
        </Message>
      )}
      <p>
        <Link to={href("/admin")}>Go to the login</Link>
      </p>
    </PageFrame>
  );
}
