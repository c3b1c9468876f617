import type { ReactNode } from "react";
import styles from "./scene.module.css";

/** A few words beside a drawing that says them once more; below one another on a narrow screen. */
export function Scene({ picture, children }: { picture: string; children: ReactNode }) {
  return (
    <div className={styles.scene}>
      <div>{children}</div>
      <img src={picture} alt="" width="960" height="540" className={styles.picture} />
    </div>
  );
}
