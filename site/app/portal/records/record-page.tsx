import { Suspense, useRef, type ReactNode } from "react";
import { useLocation } from "react-router";
import { lazyPart } from "../frame/lazy-part.tsx";
import { Button } from "../../ui/button.tsx";
import { areaTitle } from "../areas.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { MarkedRecord } from "../lists/marked-row.ts";
import { SentFormContext } from "../forms/sent-form.ts";
import { useUser } from "../frame/use-user.ts";
import styles from "./record-page.module.css";
import { DiscardQuestion } from "./discard-question.tsx";
import type { EditedRecord } from "./edited-by.tsx";
import { UnsavedLine } from "./unsaved-line.tsx";
import type { RecordPageState } from "./use-record-page.ts";

// Lazy: a new record has no other editors.
const EditedBy = lazyPart(() => import("./edited-by.tsx"));

interface RecordPageProps<Other> {
  page: RecordPageState<Other>;
  /** The label of the button that opens the form of a new record; no button without it. */
  addLabel?: string;
  /** The open form. */
  form: ReactNode;
  /** The record of the open form; undefined if it is a new one. */
  edited?: EditedRecord | undefined;
  /** The open record beside the list. */
  panel?: ReactNode;
  children: ReactNode;
}

/** A page with a notice, the open form and a list of records. */
export function RecordPage<Other>({ page, addLabel, form, edited, panel, children }: RecordPageProps<Other>) {
  const open = page.open !== null;
  const button = useRef<HTMLButtonElement>(null);
  const user = useUser();

  function close(): void {
    const { current: opener } = page.opener;
    (opener?.isConnected ? opener : button.current)?.focus();
    page.toggle();
  }

  return (
    <PageFrame
      title={areaTitle(useLocation().pathname)}
      notice={page.notice}
      act={page.act}
      action={
        (open || addLabel !== undefined) && (
          <Button
            ref={button}
            look={open ? "plain" : "primary"}
            aria-expanded={open}
            aria-controls="form"
            onClick={open ? close : page.toggle}
          >
            {open ? "Cancel" : addLabel}
          </Button>
        )
      }
    >
      {page.unsaved.map((line) => (
        <UnsavedLine key={line.discarded ? "discarded" : "offered"} {...line} takesFocus={!open} />
      ))}
      <div id="form" className="record-form" hidden={!open}>
        {edited && user && (
          <Suspense>
            <EditedBy record={edited} user={user} />
          </Suspense>
        )}
        <SentFormContext key={page.formNumber} value={page.onSent}>
          {form}
        </SentFormContext>
      </div>
      {open && <DiscardQuestion typed={page.typed} close={close} />}
      <div className={panel ? styles.beside : undefined} data-panel={panel ? "open" : undefined}>
        <div>
          <MarkedRecord value={page.notice?.ok ? (page.notice.record ?? null) : null}>{children}</MarkedRecord>
        </div>
        {panel && <Suspense>{panel}</Suspense>}
      </div>
    </PageFrame>
  );
}
