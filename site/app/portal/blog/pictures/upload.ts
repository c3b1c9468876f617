import { publishableKey, type BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { POST_IMAGES } from "../../../pictures/stored-pictures.ts";

/** A picture on its way to the storage. */
export interface RunningUpload {
  /** Begins, or goes on where the line broke. */
  start(): void;
  /** Ends it and removes what has arrived. */
  cancel(): void;
}

interface UploadHooks {
  /** Hears of the part that has arrived, from 0 to 1. */
  onProgress: (part: number) => void;
  onDone: () => void;
  /** Hears why it stopped, after the tries it makes by itself. */
  onFailed: (reason: UploadFailure) => void;
}

export type UploadFailure = "offline" | "refused" | "interrupted";

// What a hosted project asks for.
const PART = 6 * 1024 * 1024;
const PAUSES_MS = [0, 1000, 3000, 5000];
const A_YEAR = "31536000";
const SETTLED_MS = 2000;

/** Makes an upload in resumable parts: what has arrived stays there when the line breaks. */
export async function createUpload(supabase: BrowserSupabase, bytes: Blob, name: string, hooks: UploadHooks): Promise<RunningUpload> {
  const { DetailedError, Upload } = await import("tus-js-client");
  const upload = new Upload(bytes, {
    endpoint: `${location.origin}/storage/v1/upload/resumable`,
    chunkSize: PART,
    retryDelays: PAUSES_MS,
    uploadDataDuringCreation: true,
    storeFingerprintForResuming: false,
    metadata: { bucketName: POST_IMAGES, objectName: name, contentType: bytes.type, cacheControl: A_YEAR },
    // Asked for each time: the session may have been renewed meanwhile.
    async onBeforeRequest(request) {
      const { data } = await supabase.auth.getSession();
      request.setHeader("apikey", publishableKey());
      request.setHeader("Authorization", `Bearer ${data.session?.access_token ?? publishableKey()}`);
    },
    onProgress: (sent, total) => hooks.onProgress(total === 0 ? 0 : sent / total),
    onSuccess: hooks.onDone,
    onError(error) {
      if (error instanceof DetailedError && error.originalResponse !== null) hooks.onFailed("refused");
      else hooks.onFailed(navigator.onLine ? "interrupted" : "offline");
    },
  });
  return {
    start: () => upload.start(),
    cancel() {
      upload.abort(true).catch(() => {
        // Out of reach: what has arrived expires there.
      });
      // All of it may have been there already, and only the answer still have been on its way.
      setTimeout(() => void supabase.storage.from(POST_IMAGES).remove([name]), SETTLED_MS);
    },
  };
}
