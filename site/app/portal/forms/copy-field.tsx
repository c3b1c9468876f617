import { useId, useRef, useState, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { copied } from "./copied.ts";

interface CopyFieldProps {
  label: string;
  value: string;
  /** Further buttons. */
  children?: ReactNode;
}

/** A text with a button that copies it; without a clipboard the button selects the text. */
export function CopyField({ label, value, children }: CopyFieldProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [announced, setAnnounced] = useState("");

  async function copy(): Promise<void> {
    setAnnounced((await copied(value)) ? "Copied." : "Selected; press Ctrl+C or ⌘C.");
    const field = box.current?.querySelector("input");
    if (field && field.ownerDocument.activeElement !== field) field.select();
  }

  return (
    <div ref={box} className="stack">
      <TextField id={id} label={label} standalone readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      <div className="row">
        <Button onClick={() => void copy()}>Copy {label.toLowerCase()}</Button>
        {children}
        <span role="status">{announced}</span>
      </div>
    </div>
  );
}
