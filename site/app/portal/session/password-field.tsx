import { useState, type ComponentProps } from "react";
import { TextField } from "../../ui/field.tsx";
import styles from "./password-field.module.css";

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, "type">) {
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.box}>
      <TextField {...props} type={shown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <button type="button" className={styles.toggle} aria-controls={props.id} onClick={() => setShown(!shown)}>
        {shown ? "Hide" : "Show"}
        <span className="visually-hidden"> {props.label.toLowerCase()}</span>
      </button>
    </div>
  );
}
