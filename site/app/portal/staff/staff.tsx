import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { TextField } from "../../ui/field.tsx";
import { PortalForm } from "../forms/portal-form.tsx";
import { canMail } from "../session/can-mail.ts";
import { textOf } from "../forms/form-text.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded, Outcome } from "../frame/outcome.ts";
import { usePromise } from "../frame/use-promise.ts";
import { Moment } from "../time/moment.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { useRecordPage } from "../records/use-record-page.ts";
import { HandedLink } from "./handed-link.tsx";
import { MemberList } from "./member-list.tsx";
import { actOn, invite, listActs, listMembers, type ActResult } from "./queries.ts";
import { actInWords, LINK_LASTS, type Act, type Member, type MemberAct } from "./schema.ts";
import styles from "./staff.module.css";
import type { Route } from "./+types/staff";

export const handle = { title: "Staff" };

export async function clientLoader() {
  const supabase = browserClient();
  const lists = { members: listMembers(supabase), acts: listActs(supabase) };
  return { mails: await canMail(supabase), ...lists };
}

/** A link to hand over; it is stored nowhere else. */
interface Handed {
  link: string;
  who: string;
}

/** The accounts of staff, with the form to invite a person. */
export default function Staff({ loaderData: { mails, members, acts } }: Route.ComponentProps) {
  const page = useRecordPage<never>({ area: "staff", reopen: () => Promise.resolve(null) });
  const [handed, setHanded] = useState<Handed | null>(null);

  function keepLink({ outcome, link }: ActResult, who: string): Outcome {
    setHanded(link === null ? null : { link, who });
    return outcome;
  }
  function act(name: MemberAct, member: Member): Promise<void> {
    return page.act(async () => keepLink(await actOn(browserClient(), name, member), member.email));
  }

  return (
    <RecordPage
      title={handle.title}
      page={page}
      addLabel="Invite"
      form={
        page.open && (
          <PortalForm
            name="Invitation"
            formKey={page.keyOf("new")}
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
      {handed && <HandedLink key={handed.link} {...handed} close={() => setHanded(null)} />}
      <MemberList members={members} mails={mails} act={act} />
      <ActList acts={acts} />
    </RecordPage>
  );
}

/** The latest account activity. */
function ActList({ acts }: { acts: Promise<Loaded<Act>> }) {
  const answer = usePromise(acts);
  if (!answer) return null;
  return (
    <details className={styles.acts}>
      <summary>Account activity</summary>
      <LoadStatus answer={answer} />
      {answer.ok && answer.rows.length === 0 && <p>Nothing yet.</p>}
      {answer.ok && (
        <ol>
          {answer.rows.map((act) => (
            <li key={act.id}>
              <Moment iso={act.begun_at} /> <span>{actInWords(act)}</span>
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}
