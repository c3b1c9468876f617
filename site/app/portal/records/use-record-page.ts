import { useEffect, useEffectEvent, useState } from "react";
import { unsavedForms, clearUnsaved, readUnsaved, type FormValues, type FormKey } from "../forms/unsaved-form.ts";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";
import { useUser } from "../frame/use-user.ts";
import { useNotice, type PageNotice } from "../frame/use-notice.ts";

/** The open form: that of a new record, with initial values, or another form of the page. */
export type OpenForm<Other> = { form: "new"; begin?: FormValues } | Other;

interface RecordPageOptions<Other> {
  /** The area of the page in the keys of unsaved forms. */
  area: string;
  /** The form that the URL requests: true for that of a new record. */
  requested?: boolean | RequestedForm;
  /** Opens a form by its name and the id of its record; null if the record was deleted. */
  reopen: (form: string, id: string) => Promise<Other | null>;
}

/** A form of an existing record. */
interface RequestedForm {
  form: string;
  id: string;
}

/** The state and the actions of a page of records. */
export interface RecordPageState<Other> extends Pick<PageNotice, "notice" | "act" | "show"> {
  open: OpenForm<Other> | null;
  /** Opens a form instead of the open one. */
  begin: (next: OpenForm<Other>) => void;
  /** Deletes a row and hides it at once (optimistic update); a row that could not be deleted is shown again. */
  remove: (row: object, action: () => Promise<Outcome>) => Promise<void>;
  /** The rows hidden by `remove`. */
  removed: ReadonlySet<object>;
  /** Closes the open form, shows the outcome and reloads the list. */
  finish: (outcome: Outcome) => void;
  keyOf: (form: string) => FormKey;
  /** The React key of the open form. */
  formNumber: number;
  /** Closes the open form, or opens that of a new record. */
  toggle: () => void;
}

const NEW = "new";

/** Manages the open form, the notice and the optimistic deletions of a page; reopens a form with unsaved input. */
export function useRecordPage<Other extends { form: string }>(options: RecordPageOptions<Other>): RecordPageState<Other> {
  const { area, requested = false, reopen } = options;
  const { userId = "" } = useUser() ?? {};
  const keyOf = (form: string): FormKey => ({ userId, area, form });
  const [first] = useState(() => firstForm(requested, userId, area));
  const [open, setOpen] = useState<OpenForm<Other> | null>(() => (first === NEW ? { form: NEW } : null));
  const [formNumber, setFormNumber] = useState(0);
  const [removed, setRemoved] = useState<ReadonlySet<object>>(new Set());
  const { notice, setNotice, show, act } = useNotice();

  const reopenFirst = useEffectEvent(async () => {
    return first === null || first === NEW ? null : reopen(first.form, first.id);
  });
  useEffect(() => {
    let current = true;
    void reopenFirst().then((other) => {
      if (current && other) setOpen((now) => now ?? other);
    });
    return () => {
      current = false;
    };
  }, []);

  function change(next: OpenForm<Other> | null): void {
    // Input of the form of a new record stays unless the next form has initial values; other records may change meanwhile.
    const hasValues = next !== null && "begin" in next;
    for (const form of unsavedForms(userId, area)) {
      if (form !== NEW || hasValues) clearUnsaved(keyOf(form));
    }
    setNotice(null);
    setFormNumber((now) => now + 1);
    setOpen(next);
  }

  async function remove(row: object, action: () => Promise<Outcome>): Promise<void> {
    setNotice(null);
    setRemoved((now) => new Set(now).add(row));
    const outcome = await outcomeOf(action());
    if (!outcome.ok) setRemoved((now) => new Set([...now].filter((each) => each !== row)));
    show(outcome);
  }

  function finish(outcome: Outcome): void {
    setOpen(null);
    show(outcome);
  }

  const toggle = (): void => change(open ? null : { form: NEW });
  return { open, begin: change, act, remove, removed, show, finish, keyOf, notice, formNumber, toggle };
}

/** Returns the form that the URL requests for a record, else one with unsaved input, else that of a new record if it is requested. */
function firstForm(requested: boolean | RequestedForm, userId: string, area: string): typeof NEW | RequestedForm | null {
  if (typeof requested !== "boolean") return requested;
  const form = unsavedForms(userId, area).toSorted(newLast)[0] ?? (requested ? NEW : undefined);
  if (form === undefined || form === NEW) return form ?? null;
  const id = readUnsaved({ userId, area, form })?.["id"];
  return id === undefined ? null : { form, id };
}

/** Sorts the form of a new record last: its input stays when another form is opened, so input of other forms is newer. */
function newLast(a: string, b: string): number {
  return Number(a === NEW) - Number(b === NEW);
}
