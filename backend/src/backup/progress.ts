/** A part of a long operation, named after the things that it counts. */
export type Step =
  | "rows_saved"
  | "files_saved"
  | "bytes_uploaded"
  | "bytes_downloaded"
  | "bytes_checked"
  | "files_restored"
  | "rows_restored"
  | "rows_compared";

/** Called while a step runs; in its last call `done` is `total`. */
export type OnProgress = (step: Step, done: number, total: number) => void;

/** Returns a function that adds to the progress of a step. */
export function countStep(step: Step, total: number, onProgress?: OnProgress): (more: number) => void {
  let done = 0;
  return (more) => {
    done += more;
    onProgress?.(step, done, total);
  };
}
