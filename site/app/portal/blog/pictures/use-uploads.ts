import { useEffect, useRef, useState } from "react";
import { browserClient } from "../../../supabase/supabase.client.ts";
import { imageName } from "./picture-name.ts";
import { prepareImage } from "./prepare-picture.ts";
import { createUpload, type RunningUpload, type UploadFailure } from "./upload.ts";

/** A file on its way to the storage, as it is shown. */
export interface ImageUpload {
  id: string;
  fileName: string;
  state: "preparing" | "sending" | "failed" | "unusable" | "done";
  /** What has arrived, from 0 to 1. */
  part: number;
  /** Why it stopped. */
  message?: string | undefined;
  /** A small copy, as a data address. */
  preview?: string;
  /** What it is called in the storage. */
  name?: string;
}

export interface ImageUploads {
  uploads: readonly ImageUpload[];
  add(files: readonly File[]): void;
  /** Goes on where it stopped. */
  retry(id: string): void;
  /** Ends it, or puts one that is done out of sight. */
  remove(id: string): void;
}

const REASONS: Record<UploadFailure, string> = {
  offline: "There is no connection. The upload goes on by itself when it is back.",
  interrupted: "The connection was cut. What has arrived is kept: try again to send the rest.",
  refused: "The picture was not accepted. Please try again; if it happens twice, sign in anew.",
};

interface Work {
  stop: AbortController;
  upload?: RunningUpload;
}

/** The uploads of the editor; those under way end with it. */
export function useImageUploads(): ImageUploads {
  const [uploads, setUploads] = useState<readonly ImageUpload[]>([]);
  const works = useRef(new Map<string, Work>());

  function change(id: string, fields: Partial<ImageUpload>): void {
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...fields } : one)));
  }

  function retry(id: string): void {
    change(id, { state: "sending", message: undefined });
    works.current.get(id)?.upload?.start();
  }

  async function send(id: string, file: File, work: Work): Promise<void> {
    const { signal } = work.stop;
    const prepared = await prepareImage(file);
    if ("ok" in prepared) return change(id, { state: "unusable", message: prepared.message });
    const { bytes, width, height, preview } = prepared;
    const name = imageName(file.name, { type: bytes.type, width, height });
    change(id, { state: "sending", preview, name });
    const upload = await createUpload(browserClient(), bytes, name, {
      onProgress: (part) => change(id, { part }),
      onDone() {
        // What has arrived is the storage's: nothing here may end it any more.
        works.current.delete(id);
        change(id, { state: "done", part: 1 });
      },
      onFailed: (reason) => change(id, { state: "failed", message: REASONS[reason] }),
    });
    if (signal.aborted) return;
    work.upload = upload;
    upload.start();
  }

  function begin(id: string, file: File): void {
    const work: Work = { stop: new AbortController() };
    works.current.set(id, work);
    send(id, file, work).catch((error: unknown) => {
      reportError(error);
      change(id, { state: "unusable", message: "Something went wrong. Please choose the picture again." });
    });
  }

  useEffect(() => {
    const waiting = uploads.filter(({ state }) => state === "failed");
    const goOn = (): void => waiting.forEach(({ id }) => retry(id));
    addEventListener("online", goOn);
    return () => removeEventListener("online", goOn);
  });

  useEffect(() => {
    const all = works.current;
    return () => all.forEach(end);
  }, []);

  return {
    uploads,
    retry,
    add(files) {
      const fresh = files.map((file) => ({ id: crypto.randomUUID(), file }));
      const shown = fresh.map(({ id, file }): ImageUpload => ({ id, fileName: file.name, state: "preparing", part: 0 }));
      setUploads((all) => [...shown, ...all]);
      for (const { id, file } of fresh) begin(id, file);
    },
    remove(id) {
      const work = works.current.get(id);
      if (work) end(work);
      works.current.delete(id);
      setUploads((all) => all.filter((one) => one.id !== id));
    },
  };
}

function end({ stop, upload }: Work): void {
  stop.abort();
  upload?.cancel();
}
