import { Suspense } from "react";
import { href, Link } from "react-router";
import { lazyPart } from "../frame/lazy-part.tsx";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Message } from "../../ui/message.tsx";
import { idParam } from "../forms/search-params.ts";
import { rowOf } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { ScopeSelect } from "../lists/scope-select.tsx";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import { loadedBy } from "../lists/use-filters.ts";
import { RecordPage } from "../records/record-page.tsx";
import { startEdit } from "../records/save-record.ts";
import { useRecordPage } from "../records/use-record-page.ts";
import { messageServices } from "../session/message-services.ts";
import type { KindForm } from "./fields.ts";
import { KindList } from "./kind-list.tsx";
import { LetterList } from "./letter-list.tsx";
import styles from "./letters.module.css";
import { listKinds, listLetters, listSamples, type Scope } from "./queries.ts";
import type { Route } from "./+types/letters";

// Lazy: it contains the catalogue of courses.
const KindFormPanel = lazyPart(() => import("./kind-form.tsx"));

export const shouldRevalidate = loadedBy("show", "booking", "when");

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams;
  const bookingId = idParam(search, "booking");
  const supabase = browserClient();
  const now = Date.now();
  const scope: Scope = bookingId !== null ? { booking: bookingId } : search.get("when") === "all" ? "all" : { now };
  const templates = search.get("show") === "templates";
  return {
    templates,
    bookingId,
    services: messageServices(supabase),
    kinds: listKinds(supabase),
    letters: templates ? null : listLetters(supabase, scope),
    samples: templates ? listSamples(supabase, now) : null,
  };
}

/** The outbox, or the templates, of the letters to learners and enquirers. */
export default function Letters({ loaderData: { templates, bookingId, services, kinds, letters, samples } }: Route.ComponentProps) {
  const page = useRecordPage<KindForm>({
    area: "letters",
    async reopen(_form, id) {
      const kind = await rowOf(kinds, id);
      return kind ? { form: "kind", edit: startEdit(kind) } : null;
    },
    inWords: () => "the template",
  });
  useFollowChanges(["letters"]);
  const { mails: canMail, texts: canText } = useLoaded(services) ?? {};
  const templateRows = useLoaded(kinds);
  const wantsTexts = templateRows?.ok === true && templateRows.rows.some(({ texts }) => texts === "on");
  const { open } = page;
  const outbox = href("/admin/letters");
  return (
    <RecordPage
      page={page}
      form={
        open?.form === "kind" && (
          <Suspense>
            <KindFormPanel edit={open.edit} samples={samples} page={page} />
          </Suspense>
        )
      }
    >
      <div className={styles.views}>
        <Link to={outbox} aria-current={templates ? undefined : "page"}>
          Outbox
        </Link>
        <Link to={`${outbox}?show=templates`} aria-current={templates ? "page" : undefined}>
          Templates
        </Link>
      </div>
      {canMail === false && (
        <div className="lead">
          <Message>
            <p>
              The website cannot send mail yet, so letters wait here. Ask the person who runs the server to set up mail. Until then, open a
              letter to copy it or to send it with your own mail program.
            </p>
          </Message>
        </div>
      )}
      {canText === false && wantsTexts && (
        <div className="lead">
          <Message>
            <p>
              The website cannot send text messages yet, so they wait here. Ask the person who runs the server to set them up. Until then,
              open one to send it with WhatsApp, or copy it.
            </p>
          </Message>
        </div>
      )}
      {templates && <KindList kinds={kinds} page={page} />}
      {letters && (
        <>
          {bookingId !== null && (
            <p className={styles.one}>
              The letters of one booking. <Link to={outbox}>Show all</Link>
            </p>
          )}
          <LetterList
            letters={letters}
            bookingId={bookingId}
            kinds={kinds}
            page={page}
            canSend={({ channel }) => (channel === "text" ? canText : canMail) !== false}
            scope={bookingId === null && <ScopeSelect label="Show" recent="The last 30 days and the next 14" />}
          />
        </>
      )}
    </RecordPage>
  );
}
