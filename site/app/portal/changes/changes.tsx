import { Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { listBookableDates } from "../bookable-dates/bookable-date.ts";
import { rowOf, type Outcome } from "../frame/outcome.ts";
import { RecordPage } from "../records/record-page.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import { isUndoKind, undoDelete, type Instead } from "../records/undo.ts";
import { useRecordPage } from "../records/use-record-page.ts";
import { ChangeList } from "./change-list.tsx";
import { listPeople } from "../lists/people.ts";
import { listChanges, MOST_CHANGES } from "../history/queries.ts";
import { RestoreForm } from "./restore-form.tsx";
import { restoreText } from "./restore-text.ts";
import type { Change } from "../history/change.ts";
import { addressOf, readScope } from "./scope.ts";
import { ScopeForm } from "./scope-form.tsx";
import styles from "./changes.module.css";
import type { Route } from "./+types/changes";

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const scope = readScope(new URL(request.url).searchParams);
  const supabase = browserClient();
  const people = listPeople(supabase);
  return { scope, people, changes: listChanges(supabase, scope, people) };
}

interface RestoreElsewhere {
  form: "restore";
  change: Change;
  /** The value that must be replaced. */
  field: keyof Instead;
}

/** All changes of course dates, posts and bookings, with a form to restore deleted records. */
export default function Changes({ loaderData: { scope, changes, people } }: Route.ComponentProps) {
  const page = useRecordPage<RestoreElsewhere>({
    area: "changes",
    async reopen(_form, id) {
      const change = await rowOf(changes, id);
      return change ? { form: "restore", change, field: change.kind === "blog_posts" ? "address" : "onto" } : null;
    },
    inWords: () => "restoring a record",
  });
  const result = useLoaded(changes);
  const accounts = useLoaded(people);
  const staff = accounts?.ok ? accounts.rows : [];
  const oldest = result?.ok && result.rows.length === MOST_CHANGES ? result.rows.at(-1) : undefined;
  const { open } = page;

  async function restore(change: Change): Promise<Outcome> {
    const outcome = await restoreAs(change);
    if (outcome.ok) return outcome;
    const { field, message } = outcome;
    if (field === "onto" || field === "address") page.begin({ form: "restore", change, field });
    return { ok: false, message };
  }

  return (
    <RecordPage
      page={page}
      form={
        open?.form === "restore" && (
          <RestoreForm
            change={open.change}
            field={open.field}
            listDates={() => listBookableDates(browserClient(), { since: new Date().toISOString() })}
            formKey={page.keyOf(open.form)}
            submit={(instead) => restoreAs(open.change, instead)}
            onDone={page.finish}
          />
        )
      }
    >
      <ScopeForm scope={scope} people={staff} />
      <ChangeList
        changes={changes}
        scope={scope}
        people={staff}
        restore={(change) => page.act(() => restore(change))}
        restoreText={(change) => page.act(() => restoreText(browserClient(), change))}
      />
      {oldest && (
        <p className={styles.older}>
          <Link to={addressOf(scope, { before: oldest.at })}>Earlier changes</Link>
        </p>
      )}
    </RecordPage>
  );
}

async function restoreAs({ kind, record_id }: Change, instead: Instead = {}): Promise<Outcome> {
  if (!isUndoKind(kind)) return { ok: false, message: "This cannot be restored." };
  return undoDelete(browserClient(), kind, record_id, instead);
}
