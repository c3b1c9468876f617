import { useEffect, useEffectEvent, useState } from "react";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { clearUnsaved, storeUnsaved, readUnsaved, type FormKey } from "../../forms/unsaved-form.ts";
import type { RecordEdit } from "../../records/save-record.ts";
import { createAutosave, type SaveState } from "./autosave.ts";
import { createDraftKeeper } from "./draft-keeper.ts";
import { fieldsOf, isEmpty, withTheirs, type Fields } from "./fields.ts";
import { standingOf, type Post } from "../schema.ts";

const PAUSE_MS = 1500;
const RETRY_MS = 5000;

interface DraftOptions {
  edit: RecordEdit<Post> | null;
  keyOf: (form: string) => FormKey;
  /** After the last save of an editor that was closed and had saved something. */
  onLeft: () => void;
}

/** A post in the editor; while it is a draft it saves itself. */
export interface EditedPost {
  /** The row as it was last written or seen; null until there is one. */
  post: Post | null;
  /** The id a new draft is saved under, for the form to keep with what is typed. */
  newId: () => string;
  state: SaveState;
  /** What the fields must show instead, since a colleague wrote some of them. */
  merged: Fields | null;
  /** Takes what stands in the fields. */
  note: (fields: Fields) => void;
  /** Says that the fields show the row: nothing typed needs keeping. */
  agree: () => void;
  /** Saves nothing until the person decides. */
  hold: (message: string) => void;
  /** Saves at once, also what is held. */
  save: () => void;
  /** Lets a form send the post: no save is under way then, and nothing is left to save once it is sent. */
  send: <Sent extends { ok: boolean }>(sending: (edit: RecordEdit<Post> | null) => Promise<Sent>) => Promise<Sent>;
}

/** Saves a draft after each pause, on leaving, and again where that failed; what could not be saved stays in this tab. */
export function useEditedPost({ edit, keyOf, onLeft }: DraftOptions): EditedPost {
  const [post, setPost] = useState(edit?.opened ?? null);
  const [state, setState] = useState<SaveState>(null);
  const [merged, setMerged] = useState<Fields | null>(null);
  const [editor] = useState(() => createEditor({ edit, keyOf, setPost, setState, setMerged }));

  const left = useEffectEvent(onLeft);
  useEffect(() => {
    const { autosave, leave } = editor;
    const stopped = new AbortController();
    const { signal } = stopped;
    const flush = (): void => void autosave.flush();
    addEventListener("online", flush, { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && flush(), { signal });
    addEventListener("beforeunload", (event) => autosave.unsaved() && event.preventDefault(), { signal });
    return () => {
      stopped.abort();
      void leave().then((saved) => saved && left());
    };
  }, [editor]);

  return {
    post,
    state,
    merged,
    newId: editor.newId,
    agree: editor.agree,
    note: editor.note,
    hold: editor.autosave.hold,
    save: editor.save,
    send: editor.send,
  };
}

interface EditorOptions extends Omit<DraftOptions, "onLeft"> {
  setPost: (post: Post) => void;
  setState: (state: SaveState) => void;
  setMerged: (fields: Fields) => void;
}

function createEditor({ edit, keyOf, setPost, setState, setMerged }: EditorOptions) {
  let post = edit?.opened ?? null;
  let fields: Fields | null = null;
  let left = false;
  let saved = false;

  function show(row: Post): void {
    post = row;
    setPost(row);
  }

  /** Leads back to the post where the page is loaded again, with what is not saved of it. */
  function remember({ id, updated_at }: Post, typed: Fields | null): void {
    storeUnsaved(keyOf("edit"), { ...typed, id, version: updated_at });
  }

  const keeper = createDraftKeeper({
    supabase: browserClient(),
    edit,
    sentAs: edit ? undefined : readUnsaved(keyOf("new"))?.["row"],
    onSaved: show,
    onTheirs(before, now) {
      show(now);
      if (!fields) return;
      fields = withTheirs(fields, fieldsOf(before), fieldsOf(now));
      setMerged(fields);
      if (standingOf(now) === "draft") autosave.note(fields);
    },
  });
  const autosave = createAutosave<Fields>({
    save: keeper.save,
    onState(state) {
      setState(state);
      if (state?.is !== "saved" || !post) return;
      saved = true;
      clearUnsaved(keyOf("new"));
      if (!left) remember(post, autosave.unsaved());
    },
    pauseMs: PAUSE_MS,
    retryMs: RETRY_MS,
  });

  return {
    autosave,
    newId: keeper.id,
    note(typed: Fields): void {
      fields = typed;
      if (post ? standingOf(post) === "draft" : !isEmpty(typed)) autosave.note(typed);
    },
    agree(): void {
      if (post && readUnsaved(keyOf("edit"))) remember(post, null);
    },
    save: () => void autosave.flush(true),
    async send<Sent extends { ok: boolean }>(sending: (edit: RecordEdit<Post> | null) => Promise<Sent>): Promise<Sent> {
      await autosave.settle();
      const met = await keeper.edit();
      const sent = await sending(met);
      if (sent.ok) {
        autosave.drop();
        clearUnsaved(keyOf("edit"));
      } else if (!keeper.goOnFromTheirs(met)) void autosave.flush();
      else if (autosave.unsaved()) autosave.hold("Nothing is saved until you decide.");
      return sent;
    },
    /** Says whether anything was saved since the editor was opened. */
    async leave(): Promise<boolean> {
      left = true;
      await autosave.flush();
      const typed = autosave.unsaved();
      // Whoever opens it again goes on; two at once would be in each other's way.
      autosave.drop();
      if (typed && !autosave.isHeld()) {
        if (post) remember(post, typed);
        else storeUnsaved(keyOf("new"), { ...typed, row: keeper.id() });
      }
      return saved;
    },
  };
}
