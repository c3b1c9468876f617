import { useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Message } from "../../ui/message.tsx";
import { canMail } from "../session/can-mail.ts";
import { LoadingPage } from "../frame/loading-page.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import { readLinkToken } from "../session/link-token.ts";
import { outcomeOf, refused, type Outcome } from "../frame/outcome.ts";
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

/** The reader's own account: name, address, password, second factor, and where it is signed in. */
export default function Profile({ loaderData: { userId, email, profile, mails, sessions } }: Route.ComponentProps) {
  const { revalidate } = useRevalidator();
  const { hash } = useLocation();
  const [notice, setNotice] = useState<Outcome | null>(() => toldBy(hash));
  const [round, setRound] = useState(0);

  function show(outcome: Outcome): void {
    setNotice(outcome);
    setRound((now) => now + 1);
    void revalidate();
  }
  async function act(action: () => Promise<Outcome>): Promise<void> {
    setNotice(null);
    show(await outcomeOf(action()));
  }

  const keyOf = (form: string): FormKey => ({ userId, area: "profile", form });
  return (
    <PageFrame title={TITLE} email={email} back notice={notice}>
      {profile === null ? (
        <Message tone="error">
          <p>Your account could not be read. Please load this page again.</p>
        </Message>
      ) : (
        <div key={round} className={styles.parts}>
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
function toldBy(hash: string): Outcome | null {
  const arrival = readLinkToken(hash);
  if (arrival.kind === "told") return { ok: true, message: arrival.message };
  if (arrival.kind === "session") return { ok: true, message: "Your new address is confirmed." };
  return arrival.kind === "refused" ? refused("This link has expired or was used before. Ask for your new address once more.") : null;
}
