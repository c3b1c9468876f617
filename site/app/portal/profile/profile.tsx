import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { canMail } from "../session/message-services.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import type { FormKey } from "../forms/unsaved-form.ts";
import { refused, type Outcome } from "../frame/outcome.ts";
import { useNotice } from "../frame/use-notice.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { useUser } from "../frame/use-user.ts";
import { CalendarFeed } from "./calendar-feed.tsx";
import { PasswordForm } from "./password-form.tsx";
import styles from "./profile.module.css";
import { changeEmail, listSessions, readFeed, readProfile, saveName } from "./queries.ts";
import { SecondFactor } from "./second-factor.tsx";
import { Sessions } from "./sessions.tsx";
import type { Route } from "./+types/profile";

export const handle = { title: "My profile" };

export async function clientLoader() {
  const supabase = browserClient();
  const [profile, mails] = await Promise.all([readProfile(supabase), canMail(supabase)]);
  return { profile, mails, sessions: listSessions(supabase), feed: readFeed(supabase) };
}

/** The account of the signed-in person: name, e-mail address, password, second factor and sessions. */
export default function Profile({ loaderData: { profile, mails, sessions, feed }, matches }: Route.ComponentProps) {
  const { version } = matches[1].loaderData;
  const { userId = "" } = useUser() ?? {};
  const { notice, show, act } = useNotice();
  const [sent, setSent] = useState<Readonly<Record<string, number>>>({});
  const [calendarAddress, setCalendarAddress] = useState<string | null>(null);
  if (profile === null)
    return <PageFrame title={handle.title} notice={refused("Your account could not be read. Please load this page again.")} />;

  const { name, email, newEmail, factors, needsPassword } = profile;
  const keyOf = (form: string): FormKey => ({ userId, area: "profile", form });
  /** Empties the form that was sent; the others keep their text. */
  const doneWith = (form: string) => (outcome: Outcome) => {
    setSent((now) => ({ ...now, [form]: (now[form] ?? 0) + 1 }));
    show(outcome);
  };
  return (
    <PageFrame title={handle.title} notice={notice}>
      <div className={styles.parts}>
        <section aria-labelledby="name-title">
          <h2 id="name-title">Name</h2>
          <PortalForm
            key={sent["name"]}
            name="Change name"
            label="Save name"
            busyLabel="Saving..."
            formKey={keyOf("name")}
            begin={{ name }}
            submit={(form) => saveName(browserClient(), form)}
            onDone={doneWith("name")}
          >
            {({ field }) => (
              <TextField {...field("name")} label="Your name" hint="As colleagues see it." autoComplete="name" maxLength={120} />
            )}
          </PortalForm>
        </section>
        <section aria-labelledby="email-title">
          <h2 id="email-title">E-mail</h2>
          <p>
            You sign in as <strong>{email}</strong>.
          </p>
          {newEmail !== undefined && <p>Your address changes to {newEmail} once the links mailed to both addresses were opened.</p>}
          {mails ? (
            <PortalForm
              key={sent["email"]}
              name="Change e-mail"
              label="Change e-mail"
              busyLabel="Saving..."
              formKey={keyOf("email")}
              submit={(form) => changeEmail(browserClient(), form)}
              onDone={doneWith("email")}
            >
              {({ field }) => (
                <TextField
                  {...field("email")}
                  label="New e-mail"
                  hint="Links to confirm it go to this one and to the new one."
                  type="email"
                  autoComplete="email"
                  required
                />
              )}
            </PortalForm>
          ) : (
            <p>
              This site has no mail server to confirm another address. Ask a colleague to invite the new one, and to remove this account
              then.
            </p>
          )}
        </section>
        <PasswordForm key={sent["password"]} email={email} needsPassword={needsPassword} onDone={doneWith("password")} />
        <SecondFactor key={sent["device"]} factors={factors} formKey={keyOf("device")} onDone={doneWith("device")} act={act} />
        <CalendarFeed feed={feed} address={calendarAddress} setAddress={setCalendarAddress} act={act} />
        <Sessions sessions={sessions} act={act} />
      </div>
      <p className="soft">Version {version}</p>
    </PageFrame>
  );
}
