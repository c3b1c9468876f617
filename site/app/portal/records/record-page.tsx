import { Fragment, type ReactNode } from "react";
import { useLocation } from "react-router";
import { Button } from "../../ui/button.tsx";
import { areaTitle } from "../areas.ts";
import { PageFrame } from "../frame/page-frame.tsx";
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
  return (
    <PageFrame
      title={areaTitle(useLocation().pathname)}
      notice={page.notice}
      act={page.act}
      action={
        (open || addLabel !== undefined) && (
          <Button look={open ? "plain" : "primary"} aria-expanded={open} aria-controls="form" onClick={page.toggle}>
            {open ? "Cancel" : addLabel}
          </Button>
        )
      }
    >
      <div id="form" className="record-form" hidden={!open}>
        <Fragment key={page.formNumber}>{form}</Fragment>
      </div>
      {children}
    </PageFrame>
  );
}
