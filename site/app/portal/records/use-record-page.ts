import { useLayoutEffect, useRef, useState, type RefObject } from "react";
import {
  clearUnsaved,
  hasInput,
  OPENED,
  readUnsaved,
  storeUnsaved,
  unsavedForms,
  type FormKey,
  type FormValues,
} from "../forms/unsaved-form.ts";
import { refused, type Outcome, type Refusal } from "../frame/outcome.ts";
import { CONTINUE } from "../frame/unsaved-notice.tsx";
import { useUser } from "../frame/use-user.ts";
import { useNotice, type PageNotice } from "../frame/use-notice.ts";
import { createPageEdits, type PageEdits } from "./page-edits.ts";
import { continueEdit, type RecordEdit, type Versioned } from "./save-record.ts";
import { useLeftPage } from "./use-left-page.ts";
import { useRemovedRows, type RemovedRows } from "./use-removed-rows.ts";
import { isLastSave, NEW, unsavedInput, type UnsavedInput } from "./unsaved-input.ts";
import { useRequestedForm } from "./use-requested-form.ts";

/** The open form: that of a new record, or another form of the page. */
export type OpenForm<Other> = { form: "new" } | Other;

interface RecordPageOptions<Other> {
  /** The area of the page in the keys of unsaved forms. */
  area: string;
  /** The forms that the URL can request: "?new", or "?enquiry=" with the id of the record. */
  requests?: readonly string[];
  /** Opens a form by its name and the id of its record; null if the record was deleted. */
  reopen: (form: string, id: string) => Promise<Other | null>;
  /** Names the input of a form: "booking for Ada Fell". */
  inWords: (values: FormValues, form: string) => string;
  /** True if a form saves its input itself, so that closing it discards nothing. */
  savesItself?: (open: OpenForm<Other>) => boolean;
}

/** The state and the actions of a page of records. */
export interface RecordPageState<Other> extends Pick<PageNotice, "notice" | "act" | "show">, RemovedRows {
  open: OpenForm<Other> | null;
  /** Takes an action that shows its outcome itself. */
  track: PageEdits["track"];
  /** Opens a form instead of the open one. */
  begin: (next: OpenForm<Other>) => void;
  /** Opens the form of a record once it is loaded, unless another form was opened meanwhile. */
  beginLoaded: (next: Promise<Other | Refusal>) => Promise<void>;
  /** Closes the open form, shows the outcome and reloads the list. */
  finish: (outcome: Outcome) => void;
  /** Takes each submission of the open form. Until its outcome is known, the form stays open. */
  onSent: (sent: Promise<boolean>) => void;
  keyOf: (form: string) => FormKey;
  /** The React key of the open form. */
  formNumber: number;
  /** Closes the open form and discards its input, or opens that of a new record. */
  toggle: () => void;
  /** The control that opened the open form. */
  opener: RefObject<HTMLElement | null>;
  /** Offers to continue the input that a form stored after it was closed, if there is some, also after this page was left. */
  offerUnsaved: () => void;
  /** The input in words that closing the open form would discard; null if there is none. */
  typed: () => string | null;
  /** The input that was discarded, and the unsaved input that is offered: not while its form or that of another record is open, except that of a last save. */
  unsaved: readonly UnsavedLine[];
}

/** Input that can be continued. */
export interface UnsavedLine {
  what: string;
  discarded: boolean;
  resume: () => void;
  discard: () => void;
}

const NOT_OPENED = "This could not be opened. It was deleted or booked, or the connection was lost.";

/** Manages the open form, the notice and the optimistic deletions of a page; offers to continue unsaved input (decision 033). */
export function useRecordPage<Other extends { form: string; edit?: RecordEdit<Versioned> }>(
  options: RecordPageOptions<Other>,
): RecordPageState<Other> {
  const { area, requests = [], reopen, inWords, savesItself = () => false } = options;
  const { userId = "" } = useUser() ?? {};
  const keyOf = (form: string): FormKey => ({ userId, area, form });
  const [open, setOpen] = useState<OpenForm<Other> | null>(null);
  const [formNumber, setFormNumber] = useState(0);
  const isRequested = useRequestedForm([CONTINUE, ...requests], (form, id) => void openRequested(form, id));
  const [discarded, setDiscarded] = useState<UnsavedInput<OpenForm<Other>> | null>(null);
  const [offered, setOffered] = useState(() => (isRequested ? null : unsavedInput({ userId, area })));
  const sent = useRef<Promise<boolean> | null>(null);
  /** Counts what supersedes a form that is still loading. */
  const superseded = useRef(0);
  const opener = useRef<HTMLElement>(null);
  const [edits] = useState(createPageEdits);
  const { notice, setNotice, show, act } = useNotice();
  const removedRows = useRemovedRows({ setNotice, show });

  const { isLeft, mention } = useLeftPage(offerUnsaved);

  useLayoutEffect(() => {
    // Another page supersedes it too, as soon as it is on screen.
    return () => void supersede();
  }, []);

  /** The stored input of a form, unless the open form saves itself. */
  function typedIn(form: string): UnsavedInput<OpenForm<Other>> | null {
    const values = open && savesItself(open) ? null : readUnsaved(keyOf(form));
    return values && hasInput(values) ? { form, name: form, values, open: open?.form === form ? open : null } : null;
  }

  function typed(): string | null {
    const input = open && !sent.current ? typedIn(open.form) : null;
    return input && inWords(input.values, input.form);
  }

  /** Supersedes a form that is still loading; the returned function returns true until the new one is superseded. */
  function supersede(): () => boolean {
    const own = (superseded.current += 1);
    return () => superseded.current === own;
  }

  /** Opens a form, with the input that is continued in it, or closes the open form. Replaced input can be restored by Undo. */
  async function change(next: OpenForm<Other> | null, continued: UnsavedInput<OpenForm<Other>> | null = null): Promise<void> {
    const isCurrent = supersede();
    if (next) opener.current = document.querySelector<HTMLElement>("main :focus");
    const sending = sent.current;
    if (sending && (!(await sending) || next === null)) return;
    if (!isCurrent()) return;
    const cleared = next === null ? open?.form : replacedBy(next);
    const isContinued = continued !== discarded && continued?.name === cleared;
    setDiscarded(cleared === undefined || isContinued ? null : typedIn(cleared));
    if (cleared !== undefined) clearUnsaved(keyOf(cleared));
    clearSavedItself();
    if (continued) {
      clearUnsaved(keyOf(continued.name));
      storeUnsaved(keyOf(continued.form), continued.values);
    }
    offerUnsaved();
    if (!continued && next && "edit" in next && next.edit) edits.start(next.edit);
    // The outcome of the form before stays.
    if (!sending) setNotice(null);
    setFormNumber((now) => now + 1);
    setOpen(next);
  }

  /** The form whose stored input another form replaces. Input of the form of a new record stays, and other input while that form is open. */
  function replacedBy(next: OpenForm<Other>): string | undefined {
    // A new record that saves itself stores its input as that of a record.
    if (next.form === NEW && !savesItself(next)) return undefined;
    return formOfRecord();
  }

  /** The form of a record with stored input; undefined if there is none. */
  function formOfRecord(): string | undefined {
    return unsavedForms(userId, area).find((name) => name !== NEW && !isLastSave(name));
  }

  /** Clears the input of an open form that saves itself: its last save stores what it cannot save. */
  function clearSavedItself(): void {
    if (!open || !savesItself(open)) return;
    for (const form of [open.form, formOfRecord()]) if (form !== undefined) clearUnsaved(keyOf(form));
  }

  /** Offers stored input; after this page was left, that of a last save on the others. */
  function offerUnsaved(): void {
    const input = unsavedInput({ userId, area });
    setOffered(input);
    if (isLeft.current) mention(input && isLastSave(input.name) ? inWords(input.values, input.form) : null);
  }

  function finish(outcome: Outcome): void {
    setOpen(null);
    offerUnsaved();
    show(outcome);
  }

  function onSent(sending: Promise<boolean>): void {
    sent.current = sending;
    void sending.then((isAccepted) => {
      sent.current = null;
      const input = isAccepted || !isLeft.current ? null : unsavedInput({ userId, area });
      if (input) mention(inWords(input.values, input.form));
    });
  }

  async function resume(input: UnsavedInput<OpenForm<Other>>): Promise<void> {
    const { form, values, open: last } = input;
    const next = last ?? (form === NEW ? { form: NEW } : await read(form, values["id"] ?? ""));
    if (!next) return;
    const opened = values[OPENED];
    if (!last && "edit" in next && next.edit && opened !== undefined) continueEdit(next.edit, opened);
    await change(next, input);
  }

  async function openRequested(form: string, id: string): Promise<void> {
    if (form === NEW) return change({ form: NEW });
    if (form !== CONTINUE) return openById(form, id);
    const input = unsavedInput({ userId, area });
    if (input) await resume(input);
  }

  /** Opens a form by the id of its record, with its unsaved input. */
  async function openById(form: string, id: string): Promise<void> {
    const input = typedIn(form);
    if (input?.values["id"] === id) return resume(input);
    const next = await read(form, id);
    if (next) await change(next);
  }

  /** Reads the record of a form; null if the form was superseded, or after a message that it could not be opened. */
  async function read(form: string, id: string): Promise<Other | null> {
    const isCurrent = supersede();
    const next = await reopen(form, id);
    if (!isCurrent()) return null;
    if (!next) {
      offerUnsaved();
      show(refused(NOT_OPENED));
    }
    return next;
  }

  async function beginLoaded(loading: Promise<Other | Refusal>): Promise<void> {
    const isCurrent = supersede();
    const next = await loading;
    if (!isCurrent()) return;
    if ("form" in next) await change(next);
    else show(next);
  }

  function discard(input: UnsavedInput<OpenForm<Other>>): void {
    clearUnsaved(keyOf(input.name));
    setDiscarded(input);
    offerUnsaved();
  }

  function lineOf(input: UnsavedInput<OpenForm<Other>>): UnsavedLine {
    const what = inWords(input.values, input.form);
    return { what, discarded: input === discarded, resume: () => void resume(input), discard: () => discard(input) };
  }

  const isOffered = !open || (offered && isLastSave(offered.name)) || (open.form === NEW && offered?.form !== NEW);

  const begin = (next: OpenForm<Other> | null): void => void change(next);
  const toggle = (): void => begin(open ? null : { form: NEW });
  return {
    open,
    begin,
    beginLoaded,
    act: (action) => act(() => edits.track(action())),
    track: edits.track,
    ...removedRows,
    show,
    finish,
    onSent,
    keyOf,
    notice,
    formNumber,
    toggle,
    opener,
    offerUnsaved,
    typed,
    unsaved: [discarded, isOffered ? offered : null].flatMap((input) => (input ? lineOf(input) : [])),
  };
}
