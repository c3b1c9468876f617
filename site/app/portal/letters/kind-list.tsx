import { browserClient } from "../../supabase/supabase.client.ts";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { kindOf, type KindForm, type KindRow } from "./fields.ts";
import { restoreDefault } from "./queries.ts";

interface KindListProps {
  kinds: Promise<Loaded<KindRow>>;
  page: RecordPageState<KindForm>;
}

const columns: readonly Column<KindRow>[] = [
  { heading: "Letter", cell: ({ id }) => <strong>{kindOf(id).label}</strong> },
  { heading: "When", cell: ({ id }) => kindOf(id).when },
  {
    heading: "Sending",
    cell: ({ sending, texts }) => (
      <>
        <span className="chip" data-tone={sending === "on" ? "confirmed" : undefined}>
          {sending === "on" ? "On" : "Off"}
        </span>
        {sending === "on" && texts === "on" && <span className="second">Text message without an e-mail address</span>}
      </>
    ),
  },
  { heading: "Text", cell: (kind) => (isOwn(kind) ? "Own text" : "Default text") },
];

/** The kinds of letters with their templates. */
export function KindList({ kinds, page }: KindListProps) {
  return (
    <RecordList
      caption="Templates"
      loaded={kinds}
      columns={columns}
      empty={{ title: "No templates here yet..." }}
      isPast={({ sending }) => sending === "off"}
      renderActions={(kind) => (
        <RowActions>
          <RowAction label="Edit" what={kindOf(kind.id).label} run={() => page.begin({ form: "kind", edit: startEdit(kind) })} />
          {isOwn(kind) && (
            <DeleteButton
              verb="Restore default"
              busyLabel="Restoring..."
              what={kindOf(kind.id).label}
              question="Restore the default text?"
              consequence="Your own subject and texts are deleted."
              run={() => page.act(() => restoreDefault(browserClient(), kind))}
            />
          )}
        </RowActions>
      )}
    />
  );
}

function isOwn({ subject, body, text_message }: KindRow): boolean {
  return subject !== null || body !== null || text_message !== null;
}
