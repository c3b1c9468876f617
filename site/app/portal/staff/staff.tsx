import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../forms/unsaved-form.ts";
import { Options } from "../forms/options.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { canMail } from "../session/message-services.ts";
import { subject, textOf } from "../forms/form-text.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { done, type Loaded, type Outcome } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { useUser } from "../frame/use-user.ts";
import { Moment } from "../time/moment.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { useRecordPage } from "../records/use-record-page.ts";
import { HandedLink } from "./handed-link.tsx";
import { MemberList } from "./member-list.tsx";
import { runCommand, invite, listActivity, listMembers, type CommandResult } from "./queries.ts";
import { activityInWords, invitedRoles, LINK_LASTS, type Activity, type Member, type MemberCommand } from "./schema.ts";
import styles from "./staff.module.css";
import type { Route } from "./+types/staff";

export async function clientLoader() {
  const supabase = browserClient();
  const lists = { members: listMembers(supabase), activity: listActivity(supabase) };
  return { mails: await canMail(supabase), ...lists };
}

/** A link to hand over; it is stored nowhere else. */
interface Handed {
  link: string;
  who: string;
}

function inWords({ email = "" }: FormValues): string {
  return subject("invitation", email);
}

/** The accounts of staff, with the form to invite a person. */
export default function Staff({ loaderData: { mails, members, activity } }: Route.ComponentProps) {
  const page = useRecordPage<never>({ area: "staff", reopen: () => Promise.resolve(null), inWords });
  const role = useUser()?.role;
  const [handed, setHanded] = useState<Handed | null>(null);

  function keepLink({ outcome, link }: CommandResult, who: string): Outcome {
    setHanded(link === null ? null : { link, who });
    return outcome;
  }
  function hideLink(): void {
    setHanded(null);
    page.show(done("The link is hidden."));
  }
  function act(name: MemberCommand, member: Member): Promise<unknown> {
    return page.act(async () => keepLink(await runCommand(browserClient(), name, member), member.email));
  }

  return (
    <RecordPage
      page={page}
      addLabel="Invite"
      form={
        page.open && (
          <PortalForm
            name="Invitation"
            titled
            formKey={page.keyOf("new")}
            begin={{ role: "office" }}
            takesFocus
            label="Invite"
            busyLabel="Inviting..."
            submit={async (form) => keepLink(await invite(browserClient(), form), textOf(form, "email"))}
            onDone={page.finish}
          >
            {({ field, value }) => (
              <>
                <TextField {...field("email")} label="E-mail" type="email" autoComplete="off" required />
                <TextField {...field("name")} label="Name" autoComplete="off" maxLength={120} />
                <SelectField
                  {...field("role")}
                  label="Role"
                  hint="The office works with all records; a trainer sees only the registers of their own dates."
                  required
                >
                  <Options labels={invitedRoles(role)} />
                </SelectField>
                {mails && (
                  <div className={styles.byHand}>
                    <label>
                      <input type="checkbox" name="by_hand" defaultChecked={value["by_hand"] === "on"} /> Give me the link to hand over
                    </label>
                    <p className="soft">Otherwise it is sent by e-mail. It works once, within {LINK_LASTS}.</p>
                  </div>
                )}
              </>
            )}
          </PortalForm>
        )
      }
    >
      {handed && <HandedLink key={handed.link} {...handed} close={hideLink} />}
      <MemberList members={members} mails={mails} act={act} />
      <ActivityList activity={activity} members={members} />
    </RecordPage>
  );
}

/** The latest account activity. */
function ActivityList({ activity, members }: { activity: Promise<Loaded<Activity>>; members: Promise<Loaded<Member>> }) {
  const result = useLoaded(activity);
  const staff = useLoaded(members);
  if (!result) return null;
  return (
    <details className={styles.activity}>
      <summary>Account activity</summary>
      <LoadStatus result={result} />
      {result.ok && result.rows.length === 0 && <p>Nothing yet.</p>}
      {result.ok && (
        <ol>
          {result.rows.map((entry) => (
            <li key={entry.id}>
              <Moment iso={entry.begun_at} /> <span>{activityInWords(entry, staff?.ok ? staff.rows : [])}</span>
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}
