import { useEffect, useEffectEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { unsavedForms, clearUnsaved, readUnsaved, type FormValues, type FormKey } from "../forms/unsaved-form.ts";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";

/** What stands open above a list: the form of a new record, which may begin with something, or another form of the page. */
export type OpenForm<Other> = { form: "new"; begin?: FormValues } | Other;

interface RecordPageOptions<Other> {
  userId: string;
  /** Names the drafts of the page's forms. */
  area: string;
  /** What the address asks for: the form of a new record, or the form about one there is. */
  requested?: boolean | RequestedForm;
  /** Opens a form again that was cut off, by its name and the id of the record it is about; null where that is gone. */
  reopen: (form: string, id: string) => Promise<Other | null>;
}

/** Another form than that of a new record, and the id of the record it is about. */
interface RequestedForm {
  form: string;
  id: string;
}

/** How a page of records stands and what can be done on it. */
export interface RecordPageState<Other> {
  open: OpenForm<Other> | null;
  /** Another number for each form that was opened. */
  round: number;
  /** What came of the last action. */
  notice: Outcome | null;
  /** Opens a form in place of the one that is open. */
  begin: (next: OpenForm<Other>) => void;
  /** Closes what is open, or opens the form of a new record. */
  toggle: () => void;
  /** Does something that is no form, says what came of it, and reads the list again. */
  act: (action: () => Promise<Outcome>) => Promise<void>;
  /** Deletes a row that no rule keeps: it goes from the list at once, and comes back where it could not be deleted. */
  remove: (row: object, action: () => Promise<Outcome>) => Promise<void>;
  /** The rows that went so; one that was read again is another. */
  gone: ReadonlySet<object>;
  /** Says what came of something, and reads the list again. */
  show: (outcome: Outcome) => void;
  /** Closes the form that was sent, says what came of it, and reads the list again. */
  finish: (outcome: Outcome) => void;
  /** Where a form of the page keeps what is typed. */
  keyOf: (form: string) => FormKey;
}

const NEW = "new";

/** What every page of records does: one form open above the list, a message after each action, and a form that a sign-out cut off goes on. */
export function useRecordPage<Other extends { form: string }>(options: RecordPageOptions<Other>): RecordPageState<Other> {
  const { userId, area, requested = false, reopen } = options;
  const keyOf = (form: string): FormKey => ({ userId, area, form });
  const [first] = useState(() => firstForm(requested, userId, area));
  const [open, setOpen] = useState<OpenForm<Other> | null>(() => (first === NEW ? { form: NEW } : null));
  const [round, setRound] = useState(0);
  const [notice, setNotice] = useState<Outcome | null>(null);
  const [gone, setGone] = useState<ReadonlySet<object>>(new Set());
  const { revalidate } = useRevalidator();

  const goOn = useEffectEvent(async () => {
    return first === null || first === NEW ? null : reopen(first.form, first.id);
  });
  useEffect(() => {
    let current = true;
    void goOn().then((other) => {
      if (current && other) setOpen((now) => now ?? other);
    });
    return () => {
      current = false;
    };
  }, []);

  function change(next: OpenForm<Other> | null): void {
    // The form of a new record keeps what was typed when it is closed; another is about a record that goes on changing.
    const beginsAnew = next !== null && "begin" in next;
    for (const form of unsavedForms(userId, area)) {
      if (form !== NEW || beginsAnew) clearUnsaved(keyOf(form));
    }
    setNotice(null);
    setRound((now) => now + 1);
    setOpen(next);
  }

  function show(outcome: Outcome): void {
    setNotice(outcome);
    void revalidate();
  }

  async function act(action: () => Promise<Outcome>): Promise<void> {
    setNotice(null);
    show(await outcomeOf(action()));
  }

  async function remove(row: object, action: () => Promise<Outcome>): Promise<void> {
    setNotice(null);
    setGone((now) => new Set(now).add(row));
    const outcome = await outcomeOf(action());
    if (!outcome.ok) setGone((now) => new Set([...now].filter((each) => each !== row)));
    show(outcome);
  }

  function finish(outcome: Outcome): void {
    setOpen(null);
    show(outcome);
  }

  const toggle = (): void => change(open ? null : { form: NEW });
  return { open, round, notice, begin: change, toggle, act, remove, gone, show, finish, keyOf };
}

/** The form a page begins with: the one about the record the address names, else one that was cut off, else a new record's where it is requested for. */
function firstForm(requested: boolean | RequestedForm, userId: string, area: string): typeof NEW | RequestedForm | null {
  if (typeof requested !== "boolean") return requested;
  const form = unsavedForms(userId, area).toSorted(newLast)[0] ?? (requested ? NEW : undefined);
  if (form === undefined || form === NEW) return form ?? null;
  const id = readUnsaved({ userId, area, form })?.["id"];
  return id === undefined ? null : { form, id };
}

/** Opening another form forgets all drafts but the new record's, so another's is always the younger. */
function newLast(a: string, b: string): number {
  return Number(a === NEW) - Number(b === NEW);
}
