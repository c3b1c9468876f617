import type { ReactNode } from "react";
import { href, Link, useNavigate } from "react-router";
import { Button } from "../../ui/button.tsx";
import { areas } from "../areas.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { Today } from "./today.tsx";
import styles from "./dashboard.module.css";

/** The first page of the portal: today, links to the areas and the website statistics, which are its children. */
export function Dashboard({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  return (
    <PageFrame
      title="Admin Dashboard"
      action={<Button onClick={() => void navigate(`${href("/admin/bookings")}?new`)}>New booking</Button>}
    >
      <Today />
      <ul className={styles.tiles}>
        {areas.map(({ to, title, text }) => (
          <li key={to} className={styles.tile}>
            <h2>
              <Link to={to}>{title}</Link>
            </h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
      {children}
    </PageFrame>
  );
}
