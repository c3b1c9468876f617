import { Fragment, useRef, type KeyboardEvent, type ReactNode } from "react";
import { useLocation } from "react-router";
import { Button } from "../../ui/button.tsx";
import { areaTitle } from "../areas.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { MarkedRecord } from "../lists/marked-row.ts";
import { UnsavedLine } from "./unsaved-line.tsx";
import type { RecordPageState } from "./use-record-page.ts";

interface RecordPageProps<Other> {
  page: RecordPageState<Other>;
  /** The label of the button that opens the form of a new record; no button without it. */
  addLabel?: string;
  /** The open form. */
  form: ReactNode;
  children: ReactNode;
}

/** A page with a notice, the open form and a list of records. */
export function RecordPage<Other>({ page, addLabel, form, children }: RecordPageProps<Other>) {
  const open = page.open !== null;
  const button = useRef<HTMLButtonElement>(null);

  function closeOnEscape(event: KeyboardEvent): void {
    const inDialog = event.target instanceof Element && event.target.closest("dialog");
    if (event.key !== "Escape" || event.defaultPrevented || inDialog || !page.escapes) return;
    button.current?.focus();
    page.toggle();
  }

  return (
    <PageFrame
      title={areaTitle(useLocation().pathname)}
      notice={page.notice}
      act={page.act}
      action={
        (open || addLabel !== undefined) && (
          <Button ref={button} look={open ? "plain" : "primary"} aria-expanded={open} aria-controls="form" onClick={page.toggle}>
            {open ? "Cancel" : addLabel}
          </Button>
        )
      }
    >
      {/* The controls of the form have the focus. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div id="form" className="record-form" hidden={!open} onKeyDown={closeOnEscape}>
        <Fragment key={page.formNumber}>{form}</Fragment>
      </div>
      {page.unsaved && <UnsavedLine {...page.unsaved} />}
      <MarkedRecord value={page.notice?.ok ? (page.notice.record ?? null) : null}>{children}</MarkedRecord>
    </PageFrame>
  );
}
