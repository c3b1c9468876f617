import { useState, type KeyboardEvent } from "react";
import { Button } from "../../../../ui/button.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { isLinkAddress, withScheme } from "./link-address.ts";
import styles from "./link-row.module.css";

interface LinkRowProps {
  /** The address of the link at the cursor; empty if there is none. */
  address: string;
  /** Called with the new address; with an empty one to remove the link. */
  link: (address: string) => void;
  close: () => void;
}

/** Asks for the address of a link. */
export function LinkRow({ address, link, close }: LinkRowProps) {
  const [typed, setTyped] = useState(address);
  const [error, setError] = useState<string>();

  function submit(): void {
    const full = withScheme(typed.trim());
    if (isLinkAddress(full)) link(full);
    else setError("Enter a web address such as https://www.gov.uk, an e-mail address, or a path such as /courses.");
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    if (event.key === "Enter") submit();
    else close();
  }

  return (
    <div className={`row ${styles.link}`}>
      <TextField
        id="post_link"
        ref={takeFocus}
        label="Link to"
        standalone
        value={typed}
        error={error}
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Button size="small" onClick={submit}>
        Set link
      </Button>
      {address !== "" && (
        <Button look="plain" size="small" onClick={() => link("")}>
          Remove link
        </Button>
      )}
      <Button look="plain" size="small" onClick={close}>
        Cancel link
      </Button>
    </div>
  );
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}
