import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useSyncExternalStore, type ReactNode } from "react";
import { useLocation } from "react-router";
import { LoadStatus } from "../frame/load-status.tsx";
import { Notice } from "../frame/notice.tsx";
import { usePageKeys } from "../frame/use-page-keys.ts";
import { RecordHistory } from "../history/record-history.tsx";
import { useCloseRecord, type OpenRecord } from "../lists/open-record/open-record.ts";
import styles from "./record-panel.module.css";
import type { RecordPageState } from "./use-record-page.ts";

/** A record in words and controls. */
export interface ShownRecord {
  title: string;
  /** The actions of the row. */
  actions: ReactNode;
  /** The properties by their labels; those that are null, false or empty are not shown. */
  facts: Readonly<Record<string, ReactNode>>;
  more?: ReactNode;
}

interface RecordPanelProps<Row> {
  open: OpenRecord<Row>;
  page: Pick<RecordPageState<unknown>, "notice" | "act" | "open">;
  /** The word for the record: "booking". */
  noun: string;
  shown: ShownRecord | null | undefined;
}

/** A record with its actions and its history: beside the list on a wide screen, elsewhere a dialog. */
export function RecordPanel<Row extends { updated_at: string }>({ open: { id, row, failure }, page, noun, shown }: RecordPanelProps<Row>) {
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const isBeside = useSyncExternalStore(followWidth, isWide);
  const close = useCloseRecord();
  const { state } = useLocation();
  const stays = typeof state === "object" && state !== null && "stays" in state && state.stays === true;

  const takeFocus = useEffectEvent((beside: boolean) => {
    if (!beside) dialog.current?.showModal();
    if (!stays) heading.current?.focus();
  });
  // A layout effect, because after the panel is on screen the focus would leave a field in which somebody types already.
  useLayoutEffect(() => {
    takeFocus(isBeside);
    // React removes the panel after this call.
    return () => queueMicrotask(() => returnFocus(id));
  }, [id, isBeside]);

  // A dialog would cover the form.
  const hidesForm = !isBeside && page.open !== null;
  const closeForForm = useEffectEvent(close);
  useEffect(() => {
    if (hidesForm) closeForForm();
  }, [hidesForm]);

  usePageKeys((event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !isBeside || page.open || isBusy(event.target)) return;
    event.preventDefault();
    close();
  });

  const content = (
    <>
      <div className={styles.head}>
        <h2 ref={heading} id={titleId} tabIndex={-1}>
          {shown ? shown.title : `This ${noun}`}
        </h2>
        <button type="button" className={styles.close} aria-label="Close panel" onClick={close}>
          ×
        </button>
      </div>
      {!isBeside && page.notice && <Notice outcome={page.notice} act={page.act} />}
      {(failure || row === undefined) && <LoadStatus result={failure} />}
      {row === null && <p>This {noun} does not exist any more.</p>}
      {row && shown && (
        <>
          {shown.actions}
          <dl className={styles.facts}>
            {Object.entries(shown.facts)
              .filter(([, value]) => value !== null && value !== false && value !== "")
              .map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
          </dl>
          {shown.more}
          <section aria-labelledby={`${titleId}-history`}>
            <h3 id={`${titleId}-history`}>History</h3>
            <RecordHistory key={`${id} ${row.updated_at}`} id={id} />
          </section>
        </>
      )}
    </>
  );
  if (isBeside) {
    return (
      <section className={styles.panel} aria-labelledby={titleId}>
        {content}
      </section>
    );
  }
  return (
    <dialog
      ref={dialog}
      className={`${styles.panel} ${styles.modal}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // React bubbles the events of a nested dialog.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
    >
      {content}
    </dialog>
  );
}

const WIDE = "(width >= 80rem)";

function isWide(): boolean {
  return matchMedia(WIDE).matches;
}

function followWidth(changed: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}

/** True while a dialog is open, and for a control that Escape has a meaning for. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open]")) return true;
  return target instanceof Element && target.matches("input, select, textarea");
}

/** Moves the focus from a closed panel to the open form, the row or, if that was deleted, the title of the page, unless a control has it. */
function returnFocus(id: string): void {
  if (document.activeElement !== document.body) return;
  const field = document.querySelector<HTMLElement>("#form:not([hidden]) :is(input:not([type=hidden]), select, textarea)");
  const row = document.querySelector<HTMLElement>(`main a[data-open="${id}"]`);
  (field ?? row ?? document.querySelector("h1"))?.focus();
}
