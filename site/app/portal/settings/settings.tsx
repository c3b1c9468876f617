import { href, Link } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { useNotice } from "../frame/use-notice.ts";
import { FullExport } from "./full-export.tsx";
import { HoldForm } from "./hold-form.tsx";
import { readHold } from "./queries.ts";
import styles from "./settings.module.css";
import type { Route } from "./+types/settings";

export async function clientLoader() {
  return { hold: readHold(browserClient()) };
}

/** The settings of the office, and the export of all records. */
export default function Settings({ loaderData: { hold } }: Route.ComponentProps) {
  const { notice, act, show } = useNotice();
  return (
    <PageFrame title="Settings" notice={notice}>
      <div className={styles.parts}>
        <section aria-labelledby="hold-title">
          <h2 id="hold-title">Requests for places</h2>
          <p>
            A request from the website can keep its places free until you have answered. They count as taken for the hours you choose here,
            and the visitor is told so. Earlier requests stay as they are.
          </p>
          <HoldForm hold={hold} onDone={show} />
        </section>
        <section aria-labelledby="letters-title">
          <h2 id="letters-title">Letters</h2>
          <p>
            <Link to={`${href("/admin/letters")}?show=templates`}>The templates of letters</Link> say which letters are sent, by e-mail or
            as a text message, and with which words.
          </p>
        </section>
        <FullExport act={act} />
      </div>
    </PageFrame>
  );
}
