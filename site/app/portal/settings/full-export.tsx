import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import type { Outcome } from "../frame/outcome.ts";
import { EXPORTS, exportTable, type Export } from "./queries.ts";
import styles from "./settings.module.css";

/** A button for each table, which downloads all its rows and columns. */
export function FullExport({ act }: { act: (action: () => Promise<Outcome>) => Promise<unknown> }) {
  const [busy, setBusy] = useState<Export | null>(null);

  async function run(each: Export): Promise<void> {
    setBusy(each);
    await act(() => exportTable(browserClient(), each));
    setBusy(null);
  }

  return (
    <section aria-labelledby="export-title">
      <h2 id="export-title">Full export</h2>
      <p>
        All records with all columns, for another program: ids, codes, and times in UTC. “Export CSV” above a list gives the rows that you
        see, in words and in London time. The files hold personal data, so delete them when you no longer need them. A text that starts like
        a formula has an apostrophe in front of it.
      </p>
      <ul className={styles.exports}>
        {EXPORTS.map((each) => (
          <li key={each.table}>
            <Button look="plain" size="small" busy={busy !== null} aria-label={`Export all: ${each.label}`} onClick={() => void run(each)}>
              {busy === each ? "Exporting..." : each.label}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
