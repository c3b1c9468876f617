import { useEffect, useLayoutEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { clearUnsaved, readUnsaved, storeUnsaved, type FormKey, type FormValues } from "../../forms/unsaved-form.ts";
import { newId } from "../../forms/new-id.ts";
import { startEdit, type RecordEdit } from "../../records/save-record.ts";
import { lastSaveOf } from "../../records/unsaved-input.ts";
import type { Post } from "../fields.ts";
import type { Fields } from "../schema.ts";
import { createAutosave, type Autosave, type SaveState } from "./autosave.ts";

/** The post in the editor. */
export interface PostEditor {
  /** The row as this editor or somebody else saved it last; null until there is one. */
  post: Post | null;
  /** The version of the post on which the input is based; somebody else's version only after a save has replaced it. */
  version: string | undefined;
  /** True if somebody else deleted the post, so that the input becomes a new one. */
  deleted: boolean;
  state: SaveState | null;
  autosave: Autosave;
  /** Stores in this tab that the editor is open, together with unsaved input. */
  remember: (post: Post, unsaved: Fields | null) => void;
}

/**
 * Saves a draft after pauses in typing, when the tab is hidden and when the editor closes; unsaved input stays in this tab.
 * `edit` is null for a new post; `onClose` takes the id of the post and its last save.
 */
export function usePostEditor(
  edit: RecordEdit<Post> | null,
  keyOf: (form: string) => FormKey,
  onClose: (id: string, lastSave: Promise<unknown>) => void,
): PostEditor {
  const { revalidate } = useRevalidator();
  const [post, setPost] = useState(edit?.seen ?? null);
  const [version, setVersion] = useState(() => versionOf(edit, readUnsaved(keyOf("edit"))));
  const [deleted, setDeleted] = useState(false);
  const [state, setState] = useState<SaveState | null>(null);
  const [editor] = useState(() => {
    let saved = false;
    let closed = false;
    const remember = ({ id, updated_at }: Post, unsaved: Fields | null): void => {
      setVersion(updated_at);
      storeUnsaved(keyOf("edit"), { ...unsaved, id, version: updated_at });
    };
    const closing = newId();
    /** Stores the unsaved input of the closed form under a key of its own. */
    const storeRest = ({ unsaved, post: last }: ReturnType<Autosave["rest"]>): void => {
      for (const form of ["edit", "new"]) clearUnsaved(keyOf(lastSaveOf(form, closing)));
      if (!unsaved) return;
      if (last) storeUnsaved(keyOf(lastSaveOf("edit", closing)), { ...unsaved, id: last.id, version: last.updated_at });
      else storeUnsaved(keyOf(lastSaveOf("new", closing)), { ...unsaved, row: autosave.id() });
    };
    /** Clears the stored input of this post after it is saved, except input with a scheduled time. */
    const clearSaved = (ids: ReadonlySet<string>): void => {
      for (const form of ["edit", "new"]) {
        const stored = readUnsaved(keyOf(form));
        if (stored?.["when"] !== "later" && ids.has(stored?.["id"] ?? stored?.["row"] ?? "")) clearUnsaved(keyOf(form));
      }
    };
    const autosave = createAutosave({
      supabase: browserClient(),
      // A form that is opened again after Undo shows a conflict again.
      edit: edit && startEdit(edit.seen),
      id: edit ? undefined : readUnsaved(keyOf("new"))?.["row"],
      onPost(row) {
        // Synchronously: text typed before the form shows the stored post would be stored as that of a new one.
        flushSync(() => {
          setPost(row);
          setDeleted(false);
        });
      },
      onDeleted(unsaved) {
        setDeleted(true);
        if (closed) return;
        clearUnsaved(keyOf("edit"));
        storeUnsaved(keyOf("new"), { ...unsaved, row: autosave.id() });
      },
      onState(next) {
        setState(next);
        if (next.is !== "saved") return;
        saved = true;
        // After Undo, text that this form saved must not count as somebody else's change.
        if (edit) edit.seen = next.post;
        if (closed) return;
        clearUnsaved(keyOf("new"));
        remember(next.post, autosave.unsaved());
      },
    });
    return {
      autosave,
      remember,
      /** Saves a last time, stores what cannot be saved, and calls `onSaved` if something was saved since the editor was opened. */
      close(onSaved: () => void): Promise<unknown> {
        closed = true;
        const before = autosave.rest();
        const ids = new Set([autosave.id()]);
        // Before the save, because the page may be left before its response arrives.
        storeRest(before);
        const lastSave = autosave.close().then((rest) => {
          storeRest(rest);
          if (before.unsaved && !rest.unsaved) clearSaved(ids.add(autosave.id()));
          if (saved) onSaved();
        });
        onClose(autosave.id(), lastSave);
        return lastSave;
      },
    };
  });

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("visibilitychange", () => document.hidden && void editor.autosave.flush(), { signal });
    return () => stop.abort();
  }, [editor]);

  // A layout effect closes the editor before the next form is on screen, whose input would otherwise be stored under the key of this one.
  useLayoutEffect(() => {
    const warn = (event: BeforeUnloadEvent): unknown => editor.autosave.unsaved() && event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => void editor.close(() => void revalidate()).finally(() => removeEventListener("beforeunload", warn));
  }, [editor, revalidate]);

  return { post, version, deleted, state, autosave: editor.autosave, remember: editor.remember };
}

/** The version on which restored input is based, or that of the opened post. */
function versionOf(edit: RecordEdit<Post> | null, unsaved: FormValues | null): string | undefined {
  const restored = unsaved?.["id"] === edit?.seen.id ? unsaved?.["version"] : undefined;
  return restored ?? edit?.seen.updated_at;
}
