import { useEffect, useEffectEvent, useState } from "react";
import {
  clearUnsaved,
  hasInput,
  OPENED,
  readUnsaved,
  storeUnsaved,
  unsavedForms,
  type FormValues,
  type FormKey,
} from "../forms/unsaved-form.ts";
import { outcomeOf, refused, type Outcome } from "../frame/outcome.ts";
import { useUser } from "../frame/use-user.ts";
import { useNotice, type PageNotice } from "../frame/use-notice.ts";
import { continueEdit, type RecordEdit } from "./save-record.ts";

/** The open form: that of a new record, with initial values, or another form of the page. */
export type OpenForm<Other> = { form: "new"; begin?: FormValues } | Other;

interface RecordPageOptions<Other> {
  /** The area of the page in the keys of unsaved forms. */
  area: string;
  /** The form that the URL requests: true for that of a new record. */
  requested?: boolean | RequestedForm;
  /** Opens a form by its name and the id of its record; null if the record was deleted. */
  reopen: (form: string, id: string) => Promise<Other | null>;
  /** Names the input of a form: "booking for Ada Fell". */
  inWords: (values: FormValues, form: string) => string;
  /** True if a form saves its input itself, so that closing it discards nothing. */
  savesItself?: (open: OpenForm<Other>) => boolean;
}

/** Unsaved input of a closed form. */
interface UnsavedInput<Other> {
  form: string;
  values: FormValues;
  /** The form as it was open; to be opened by its name if the input is from an earlier visit. */
  open: OpenForm<Other> | null;
  discarded: boolean;
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
  remove: (row: { id: string }, action: () => Promise<Outcome>) => Promise<void>;
  /** The rows hidden by `remove`, and the ids of those that are still being deleted. */
  removed: ReadonlySet<object | string>;
  /** True while a row is being deleted: a reload that ends after the deletion could show it again. */
  isPaused: boolean;
  /** Closes the open form, shows the outcome and reloads the list. */
  finish: (outcome: Outcome) => void;
  keyOf: (form: string) => FormKey;
  /** The React key of the open form. */
  formNumber: number;
  /** Closes the open form and discards its input, or opens that of a new record. */
  toggle: () => void;
  /** The input in words that closing the open form would discard; null if there is none. */
  typed: () => string | null;
  /** The unsaved input that can be continued; null while its form or that of another record is open. */
  unsaved: { what: string; discarded: boolean; resume: () => void; discard: () => void } | null;
}

const NEW = "new";

/** Manages the open form, the notice and the optimistic deletions of a page; offers to continue unsaved input. */
export function useRecordPage<Other extends { form: string; edit?: RecordEdit<object> }>(
  options: RecordPageOptions<Other>,
): RecordPageState<Other> {
  const { area, requested = false, reopen, inWords, savesItself = () => false } = options;
  const { userId = "" } = useUser() ?? {};
  const keyOf = (form: string): FormKey => ({ userId, area, form });
  const [first] = useState<typeof NEW | RequestedForm | null>(() => (requested === true ? NEW : requested || null));
  const [open, setOpen] = useState<OpenForm<Other> | null>(() => (first === NEW ? { form: NEW } : null));
  const [formNumber, setFormNumber] = useState(0);
  const [unsaved, setUnsaved] = useState(() => (typeof requested === "boolean" ? unsavedInput<Other>(userId, area) : null));
  const [removed, setRemoved] = useState<ReadonlySet<object | string>>(new Set());
  const [removing, setRemoving] = useState(0);
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

  /** The input that closing the open form would discard. */
  function typedValues(): FormValues | null {
    const values = open && !savesItself(open) ? readUnsaved(keyOf(open.form)) : null;
    return values && hasInput(values) ? values : null;
  }

  function typed(): string | null {
    const values = typedValues();
    return open && values && inWords(values, open.form);
  }

  function change(next: OpenForm<Other> | null): void {
    const values = next === null ? typedValues() : null;
    // Input of the form of a new record stays while another form without initial values is open; other records may change meanwhile.
    const clearsNew = next === null ? open?.form === NEW : "begin" in next;
    for (const form of unsavedForms(userId, area)) {
      const clearsOther = next !== null || form === open?.form;
      if (form === NEW ? clearsNew : clearsOther) clearUnsaved(keyOf(form));
    }
    setUnsaved(values && open ? { form: open.form, values, open, discarded: true } : unsavedInput(userId, area));
    setNotice(null);
    setFormNumber((now) => now + 1);
    setOpen(next);
  }

  async function remove(row: { id: string }, action: () => Promise<Outcome>): Promise<void> {
    setNotice(null);
    // By its id too, because a reload that began before may end meanwhile.
    setRemoved((now) => new Set(now).add(row).add(row.id));
    setRemoving((now) => now + 1);
    const outcome = await outcomeOf(action());
    setRemoving((now) => now - 1);
    setRemoved((now) => new Set([...now].filter((each) => each !== row.id && (outcome.ok || each !== row))));
    show(outcome);
  }

  function finish(outcome: Outcome): void {
    setOpen(null);
    setUnsaved(unsavedInput(userId, area));
    show(outcome);
  }

  async function resume({ form, values, open: last }: UnsavedInput<Other>): Promise<void> {
    const next = last ?? (form === NEW ? { form: NEW } : await reopen(form, values["id"] ?? ""));
    if (!next) return show(refused("This record is not in the list."));
    const opened = values[OPENED];
    if (!last && "edit" in next && next.edit && opened !== undefined) continueEdit(next.edit, opened);
    storeUnsaved(keyOf(form), values);
    setUnsaved(null);
    setNotice(null);
    setFormNumber((now) => now + 1);
    setOpen(next);
  }

  function discard(input: UnsavedInput<Other>): void {
    clearUnsaved(keyOf(input.form));
    setUnsaved({ ...input, discarded: true });
  }

  const toggle = (): void => change(open ? null : { form: NEW });
  return {
    open,
    begin: change,
    act,
    remove,
    removed,
    isPaused: removing > 0,
    show,
    finish,
    keyOf,
    notice,
    formNumber,
    toggle,
    typed,
    unsaved:
      open && (open.form !== NEW || unsaved?.form === NEW)
        ? null
        : unsaved && {
            what: inWords(unsaved.values, unsaved.form),
            discarded: unsaved.discarded,
            resume: () => void resume(unsaved),
            discard: () => discard(unsaved),
          },
  };
}

/** Returns the input of an area that was not saved in an earlier visit of this tab. */
function unsavedInput<Other>(userId: string, area: string): UnsavedInput<Other> | null {
  for (const form of unsavedForms(userId, area).toSorted(newLast)) {
    const values = readUnsaved({ userId, area, form });
    if (values && hasInput(values)) return { form, values, open: null, discarded: false };
  }
  return null;
}

/** Sorts the form of a new record last: its input stays when another form is opened, so input of other forms is newer. */
function newLast(a: string, b: string): number {
  return Number(a === NEW) - Number(b === NEW);
}
