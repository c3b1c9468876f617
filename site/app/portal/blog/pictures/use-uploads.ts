import { useEffect, useRef, useState } from "react";
import { POST_IMAGES } from "../../../pictures/stored-pictures.ts";
import { browserClient, type BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { pictureName } from "./picture-name.ts";
import { preparePicture, type PreparedPicture } from "./prepare-picture.ts";

/** A file that is added to the media library. */
export interface Upload {
  id: number;
  fileName: string;
  state: "preparing" | "uploading" | "done" | "failed";
  /** The reason of a failure. */
  message?: string;
  /** Known once the picture is prepared. */
  name?: string;
  picture?: PreparedPicture;
}

export interface Uploads {
  uploads: readonly Upload[];
  add: (files: readonly File[]) => void;
  retry: (upload: Upload) => void;
  /** Cancels an upload, or hides one that ended. */
  remove: (upload: Upload) => void;
}

const RETRY_PAUSES_MS = [1000, 3000];
const A_YEAR = "31536000";

/** Uploads pictures of the editor; uploads are cancelled when the editor closes. */
export function useUploads(): Uploads {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  /** Ids of uploads that were neither cancelled nor completed. */
  const running = useRef(new Set<number>());
  const lastId = useRef(0);

  function change(id: number, fields: Partial<Upload>): void {
    setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)));
  }

  async function send(id: number, name: string, { bytes }: PreparedPicture): Promise<void> {
    change(id, { state: "uploading", message: "" });
    const problem = await uploadPicture(browserClient(), name, bytes, () => running.current.has(id));
    if (problem !== null) return change(id, { state: "failed", message: problem });
    if (running.current.delete(id)) return change(id, { state: "done" });
    await browserClient().storage.from(POST_IMAGES).remove([name]);
  }

  async function prepareAndSend(id: number, file: File): Promise<void> {
    const picture = await preparePicture(file);
    if ("ok" in picture) return change(id, { state: "failed", message: picture.message });
    const name = pictureName(file.name, { ...picture, type: picture.bytes.type });
    change(id, { name, picture });
    if (running.current.has(id)) await send(id, name, picture);
  }

  useEffect(() => {
    const all = running.current;
    return () => all.clear();
  }, []);

  return {
    uploads,
    retry({ id, name, picture }) {
      if (name !== undefined && picture) void send(id, name, picture);
    },
    add(files) {
      for (const file of files) {
        const id = (lastId.current += 1);
        running.current.add(id);
        setUploads((all) => [{ id, fileName: file.name, state: "preparing" }, ...all]);
        prepareAndSend(id, file).catch((error: unknown) => {
          reportError(error);
          change(id, { state: "failed", message: "Something went wrong. Please choose the picture again." });
        });
      }
    },
    remove({ id }) {
      running.current.delete(id);
      setUploads((all) => all.filter((upload) => upload.id !== id));
    },
  };
}

/** Uploads a picture and retries if the connection fails; returns null, or the reason of a failure for staff. */
async function uploadPicture(supabase: BrowserSupabase, name: string, bytes: Blob, isWanted: () => boolean): Promise<string | null> {
  for (let attempt = 0; ; attempt += 1) {
    const { error } = await supabase.storage.from(POST_IMAGES).upload(name, bytes, { cacheControl: A_YEAR, contentType: bytes.type });
    // The name is unique: if it exists, an earlier attempt arrived and only its response was lost.
    if (!error || error.statusCode === "409") return null;
    if (error.status !== undefined && error.status < 500)
      return "The picture was not accepted. Please try again; if that fails too, sign in again.";
    const pause = RETRY_PAUSES_MS[attempt];
    if (pause === undefined || !isWanted())
      return navigator.onLine ? "The connection failed. Please try again." : "There is no connection. Try again when it is back.";
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
