import { useEffect, useEffectEvent, useRef } from "react";
import { Button } from "../../ui/button.tsx";
import type { UnsavedLine as Line } from "./use-unsaved-forms.ts";

interface UnsavedLineProps extends Line {
  /** True if no form takes the focus when the input was discarded. */
  takesFocus: boolean;
}

/** Offers to continue unsaved input, or to undo that it was discarded. */
export function UnsavedLine({ what, discarded, resume, discard, takesFocus }: UnsavedLineProps) {
  const line = useRef<HTMLDivElement>(null);
  const takeFocus = useEffectEvent(() => takesFocus && line.current?.focus());
  // The control that discarded the input is gone.
  useEffect(() => {
    if (discarded) takeFocus();
  }, [discarded]);
  return (
    <div ref={line} tabIndex={-1} role="status" className="row unsaved-line">
      <p className="soft">{discarded ? `Discarded: ${what}.` : `Continue ${what}?`}</p>
      <Button look="plain" size="small" onClick={resume}>
        {discarded ? "Undo" : "Continue"}
      </Button>
      {!discarded && (
        <Button look="plain" size="small" onClick={discard}>
          Discard
        </Button>
      )}
    </div>
  );
}
