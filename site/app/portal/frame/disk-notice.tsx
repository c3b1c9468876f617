import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { Message } from "../../ui/message.tsx";
import styles from "./notice.module.css";

const POLL_MS = 5 * 60_000;

type Disk = "low" | "full" | undefined;

const DiskContext = createContext<Disk>(undefined);

/** Polls the state of the server's disk every five minutes, for the notice on all pages. */
export function DiskSpaceProvider({ children }: { children: ReactNode }) {
  const [disk, setDisk] = useState<Disk>();
  useEffect(() => {
    async function poll(): Promise<void> {
      // Other requests of the page report a server that does not respond.
      const body: unknown = await fetch("/health")
        .then((response) => response.json())
        .catch(() => undefined);
      setDisk(diskOf(body));
    }
    void poll();
    const timer = setInterval(() => void poll(), POLL_MS);
    return () => clearInterval(timer);
  }, []);
  return <DiskContext value={disk}>{children}</DiskContext>;
}

/** The state of the disk in the response of `/health`. */
function diskOf(health: unknown): Disk {
  const disk = typeof health === "object" && health !== null && "disk" in health ? health.disk : undefined;
  return disk === "low" || disk === "full" ? disk : undefined;
}

/** Warns staff that the disk of the server is almost full or full. */
export function DiskNotice() {
  const disk = useContext(DiskContext);
  if (!disk) return null;
  return (
    <div className={`${styles.notice} ${styles.above}`}>
      <Message tone={disk === "full" ? "error" : "info"}>
        {disk === "full" ? (
          <p>
            The server’s disk is full. You can read everything, but nothing can be saved until the person who runs the server frees space.
          </p>
        ) : (
          <p>The server’s disk is almost full. Please tell the person who runs the server.</p>
        )}
      </Message>
    </div>
  );
}
