import { useRef, useState, type RefObject } from "react";
import { OPENED, type FormKey, type FormValues } from "../forms/unsaved-form.ts";
import { refused, type Outcome, type Refusal } from "../frame/outcome.ts";
import { CONTINUE } from "../frame/unsaved-notice.tsx";
import { useNotice, type PageNotice } from "../frame/use-notice.ts";
import { createPageEdits, type PageEdits } from "./page-edits.ts";
import { continueEdit, type RecordEdit, type Versioned } from "./save-record.ts";
import { NEW, type OpenForm, type UnsavedInput } from "./unsaved-input.ts";
import { useRemovedRows, type RemovedRows } from "./use-removed-rows.ts";
import { useRequested, useRequestedForm } from "./use-requested-form.ts";
import { useSuperseded } from "./use-superseded.ts";
import { useUnsavedForms, type UnsavedLine } from "./use-unsaved-forms.ts";

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

const NOT_OPENED = "This could not be opened. It was deleted or booked, or the connection was lost.";

/** Manages the open form, the notice and the optimistic deletions of a page; offers to continue unsaved input (decision 033). */
export function useRecordPage<Other extends { form: string; edit?: RecordEdit<Versioned> }>(
  options: RecordPageOptions<Other>,
): RecordPageState<Other> {
  const { area, requests = [], reopen, inWords, savesItself = () => false } = options;
  const [open, setOpen] = useState<OpenForm<Other> | null>(null);
  const [formNumber, setFormNumber] = useState(0);
  const requested = useRequested([CONTINUE, ...requests]);
  const forms = useUnsavedForms<Other>({ area, open, isRequested: requested !== undefined, inWords, savesItself });
  const supersede = useSuperseded();
  const sent = useRef<Promise<boolean> | null>(null);
  const opener = useRef<HTMLElement>(null);
  const [edits] = useState(createPageEdits);
  const { notice, setNotice, show, act } = useNotice();
  const removedRows = useRemovedRows({ setNotice, show });

  /** Opens a form, with the input that is continued in it, or closes the open form. */
  async function change(next: OpenForm<Other> | null, continued: UnsavedInput<OpenForm<Other>> | null = null): Promise<void> {
    const isCurrent = supersede();
    if (next) opener.current = document.querySelector<HTMLElement>("main :focus");
    const sending = sent.current;
    if (sending && (!(await sending) || next === null)) return;
    if (!isCurrent()) return;
    forms.replace(next, continued);
    if (!continued && next && "edit" in next && next.edit) edits.start(next.edit);
    // The outcome of the form before stays.
    if (!sending) setNotice(null);
    setFormNumber((now) => now + 1);
    setOpen(next);
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
    const input = forms.first();
    if (input) await resume(input);
  }

  /** Opens a form by the id of its record, with its unsaved input. */
  async function openById(form: string, id: string): Promise<void> {
    const input = forms.typedIn(form);
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
      forms.offer();
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

  function typed(): string | null {
    const input = open && !sent.current ? forms.typedIn(open.form) : null;
    return input && inWords(input.values, input.form);
  }

  function finish(outcome: Outcome): void {
    setOpen(null);
    forms.offer();
    show(outcome);
  }

  function onSent(sending: Promise<boolean>): void {
    sent.current = sending;
    void sending.then((isAccepted) => {
      sent.current = null;
      if (!isAccepted) forms.offerRefused();
    });
  }

  useRequestedForm(requested, (form, id) => void openRequested(form, id));

  return {
    open,
    begin: (next) => void change(next),
    beginLoaded,
    act: (action) => act(() => edits.track(action())),
    track: edits.track,
    ...removedRows,
    show,
    finish,
    onSent,
    keyOf: forms.keyOf,
    notice,
    formNumber,
    toggle: () => void change(open ? null : { form: NEW }),
    opener,
    offerUnsaved: forms.offer,
    typed,
    unsaved: forms.lines.map(({ input, what, discarded, discard }) => ({ what, discarded, resume: () => void resume(input), discard })),
  };
}
