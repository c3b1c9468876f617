import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { clearUnsaved, readUnsaved, storeUnsaved, type FormKey, type FormValues } from "../../forms/unsaved-form.ts";
import { startEdit, type RecordEdit } from "../../records/save-record.ts";
import type { Post } from "../fields.ts";
import type { Fields } from "../schema.ts";
import { createAutosave, type Autosave, type SaveState } from "./autosave.ts";

/** The post in the editor. */
export interface PostEditor {
  /** The row as this editor or somebody else saved it last; null until there is one. */
  post: Post | null;
  /** The version of the post on which the input is based: not that of somebody else until a save replaces it. */
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
 * `edit` is null for a new post; `onLeft` is called if the last save failed.
 */
export function usePostEditor(edit: RecordEdit<Post> | null, keyOf: (form: string) => FormKey, onLeft: () => void): PostEditor {
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
    const storeAsNew = (unsaved: Fields): void => storeUnsaved(keyOf("new"), { ...unsaved, row: autosave.newId() });
    const autosave = createAutosave({
      supabase: browserClient(),
      // A form that is opened again after Undo shows a conflict again.
      edit: edit && startEdit(edit.seen),
      id: edit ? undefined : readUnsaved(keyOf("new"))?.["row"],
      onPost(row) {
        // At once: text that is typed before the form is that of the stored post would be kept as a new one.
        flushSync(() => {
          setPost(row);
          setDeleted(false);
        });
      },
      onDeleted(unsaved) {
        setDeleted(true);
        clearUnsaved(keyOf("edit"));
        storeAsNew(unsaved);
      },
      onState(next) {
        setState(next);
        if (next.is !== "saved") return;
        saved = true;
        // After Undo the words that were saved are no change by somebody else.
        if (edit) edit.seen = next.post;
        clearUnsaved(keyOf("new"));
        if (!closed) remember(next.post, autosave.unsaved());
      },
    });
    return {
      autosave,
      remember,
      async close(): Promise<boolean> {
        closed = true;
        const { unsaved, post: last } = await autosave.close();
        if (unsaved && last) remember(last, unsaved);
        else if (unsaved) storeAsNew(unsaved);
        if (unsaved) onLeft();
        return saved;
      },
    };
  });

  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    document.addEventListener("visibilitychange", () => document.hidden && void editor.autosave.flush(), { signal });
    addEventListener("beforeunload", (event) => editor.autosave.unsaved() && event.preventDefault(), { signal });
    return () => {
      stop.abort();
      void editor.close().then((saved) => (saved ? revalidate() : undefined));
    };
  }, [editor, revalidate]);

  return { post, version, deleted, state, autosave: editor.autosave, remember: editor.remember };
}

/** The version on which restored input is based, or that of the opened post. */
function versionOf(edit: RecordEdit<Post> | null, unsaved: FormValues | null): string | undefined {
  const restored = unsaved?.["id"] === edit?.seen.id ? unsaved?.["version"] : undefined;
  return restored ?? edit?.seen.updated_at;
}
