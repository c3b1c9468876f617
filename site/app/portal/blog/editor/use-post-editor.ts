import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { clearUnsaved, readUnsaved, storeUnsaved, type FormKey } from "../../forms/unsaved-form.ts";
import type { RecordEdit } from "../../records/save-record.ts";
import type { Post } from "../fields.ts";
import type { Fields } from "../schema.ts";
import { createAutosave, type Autosave, type SaveState } from "./autosave.ts";

/** The post in the editor. */
export interface PostEditor {
  /** The row as this editor or somebody else saved it last; null until there is one. */
  post: Post | null;
  state: SaveState | null;
  autosave: Autosave;
  /** Stores in this tab that the editor is open, together with unsaved input. */
  remember: (post: Post, unsaved: Fields | null) => void;
}

/**
 * Saves a draft after pauses in typing, when the tab is hidden and when the editor closes; unsaved input stays in this tab.
 * `edit` is null for a new post.
 */
export function usePostEditor(edit: RecordEdit<Post> | null, keyOf: (form: string) => FormKey): PostEditor {
  const { revalidate } = useRevalidator();
  const [post, setPost] = useState(edit?.opened ?? null);
  const [state, setState] = useState<SaveState | null>(null);
  const [editor] = useState(() => {
    let saved = false;
    let closed = false;
    const remember = ({ id, updated_at }: Post, unsaved: Fields | null): void =>
      storeUnsaved(keyOf("edit"), { ...unsaved, id, version: updated_at });
    const autosave = createAutosave({
      supabase: browserClient(),
      edit,
      id: edit ? undefined : readUnsaved(keyOf("new"))?.["row"],
      onPost: setPost,
      onState(next) {
        setState(next);
        if (next.is !== "saved") return;
        saved = true;
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
        else if (unsaved) storeUnsaved(keyOf("new"), { ...unsaved, row: autosave.newId() });
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

  return { post, state, autosave: editor.autosave, remember: editor.remember };
}
