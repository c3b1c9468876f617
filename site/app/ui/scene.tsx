import type { ReactNode } from "react";
import styles from "./scene.module.css";

/** A short text beside an illustration; stacked on a narrow screen. */
export function Scene({ picture, children }: { picture: string; children: ReactNode }) {
  return (
    <div className={styles.scene}>
      <div>{children}</div>
      <img src={picture} alt="" width="960" height="540" className={styles.picture} />
    </div>
  );
}
