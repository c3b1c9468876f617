import { href, useLocation, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { LoadingPage } from "../frame/loading-page.tsx";
import { canMail } from "../session/message-services.ts";
import { CodeForm } from "../session/code-form.tsx";
import { NewPasswordFields } from "../session/new-password-fields.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { codeIsMissing, currentSession } from "../session/session.ts";
import { ForgottenPassword } from "./forgotten-password.tsx";
import { readLinkToken } from "./link-token.ts";
import { OpenLink } from "./open-link.tsx";
import { choosePassword } from "./redeem-link.ts";
import type { Route } from "./+types/password";

const TITLE = "Choose a password";

export async function clientLoader() {
  const session = await currentSession();
  const codeMissing = session !== null && (await codeIsMissing());
  const mails = session === null && (await canMail(browserClient()));
  return { email: session?.user.email, signedIn: session !== null, codeMissing, mails };
}

export function HydrateFallback() {
  return <LoadingPage title={TITLE} label="Reading the link…" />;
}

/** The page that mailed links and links handed over open; without a link it helps people who forgot the password. */
export default function Password({ loaderData: { email, signedIn, codeMissing, mails } }: Route.ComponentProps) {
  const navigate = useNavigate();
  // Not read in the loader: a second link in the same tab changes only the hash, which runs no loader.
  const { hash } = useLocation();
  const linkToken = readLinkToken(hash);
  if (linkToken) return <OpenLink key={hash} linkToken={linkToken} other={email} />;
  if (!signedIn) return <ForgottenPassword title={TITLE} mails={mails} />;
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
