import { useLocation } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Message } from "../../ui/message.tsx";
import { canMail } from "../session/can-mail.ts";
import { LoadingPage } from "../frame/loading-page.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import { readLinkToken } from "../session/link-token.ts";
import { refused, type Outcome } from "../frame/outcome.ts";
import { useNotice } from "../frame/use-notice.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { portalMeta } from "../frame/portal-meta.ts";
import { requireSession } from "../session/session.ts";
import { EmailPart } from "./email-part.tsx";
import { NameForm } from "./name-form.tsx";
import { PasswordForm } from "./password-form.tsx";
import styles from "./profile.module.css";
import { endLinkSession, listSessions, readProfile } from "./queries.ts";
import { SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";
import type { Route } from "./+types/profile";

const TITLE = "My profile";

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader() {
  const supabase = browserClient();
  await endLinkSession(supabase, readLinkToken(location.hash));
  const { user } = await requireSession();
  const [profile, mails] = await Promise.all([readProfile(supabase), canMail(supabase)]);
  return { userId: user.id, email: profile?.email ?? user.email, profile, mails, sessions: listSessions(supabase) };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <LoadingPage title={TITLE} />;
}

/** The account of the signed-in person: name, e-mail address, password, second factor and sessions. */
export default function Profile({ loaderData: { userId, email, profile, mails, sessions } }: Route.ComponentProps) {
  const { hash } = useLocation();
  const { notice, shown, show, act } = useNotice(() => linkOutcome(hash));

  const keyOf = (form: string): FormKey => ({ userId, area: "profile", form });
  return (
    <PageFrame title={TITLE} email={email} back notice={notice}>
      {profile === null ? (
        <Message tone="error">
          <p>Your account could not be read. Please load this page again.</p>
        </Message>
      ) : (
        <div key={shown} className={styles.parts}>
          <NameForm name={profile.name} formKey={keyOf("name")} onDone={show} />
          <EmailPart profile={profile} mails={mails} formKey={keyOf("email")} onDone={show} />
          <PasswordForm email={profile.email} onDone={show} />
          <SecondFactor factors={profile.factors} formKey={keyOf("device")} onDone={show} act={act} />
          <Sessions sessions={sessions} act={act} />
        </div>
      )}
    </PageFrame>
  );
}

/** The result of a link that confirms a new e-mail address. */
function linkOutcome(hash: string): Outcome | null {
  const token = readLinkToken(hash);
  if (token.kind === "message") return { ok: true, message: token.message };
  if (token.kind === "session") return { ok: true, message: "Your new address is confirmed." };
  return token.kind === "refused" ? refused("This link has expired or was used before. Ask for your new address once more.") : null;
}
