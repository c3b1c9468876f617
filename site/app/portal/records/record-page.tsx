import { Fragment, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import styles from "./record-page.module.css";
import type { RecordPageState } from "./use-record-page.ts";

interface RecordPageProps<Other> {
  title: string;
  email: string | undefined;
  page: RecordPageState<Other>;
  /** What opens the form of a new record: "Add course date"; absent where none is made. */
  addLabel?: string;
  /** The form that is open. */
  form: ReactNode;
  children: ReactNode;
}

/** The one page of records: what just happened, the form that is open, and the list below it. */
export function RecordPage<Other>({ title, email, page, addLabel, form, children }: RecordPageProps<Other>) {
  const open = page.open !== null;
  return (
    <PageFrame
      title={title}
      email={email}
      back
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
      <div id="form" className={styles.form} hidden={!open}>
        <Fragment key={page.round}>{form}</Fragment>
      </div>
      {children}
    </PageFrame>
  );
}
