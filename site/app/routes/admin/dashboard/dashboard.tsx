import { Link } from "react-router";
import { PageFrame } from "../page-frame.tsx";
import { readDraft } from "../draft.ts";
import { Statistics, type FetchStats } from "./statistics.tsx";
import styles from "./dashboard.module.css";

interface DashboardProps {
  user: { userId: string; email: string | undefined };
  fetchStats: FetchStats;
}

const areas = [
  { to: "/admin/bookings", title: "Bookings", text: "Who comes when: take a call, move somebody, print a register.", draft: "booking" },
  { to: "/admin/courses", title: "Course Management", text: "Dates on the board: add the next one, take one off.", draft: "course-date" },
  { to: "/admin/blog", title: "Blog Management", text: "Posts for visitors: write a new one, remove an old one.", draft: "blog-post" },
];

/** Where staff arrive: the ways to each area, and how the website is visited. */
export function Dashboard({ user, fetchStats }: DashboardProps) {
  return (
    <PageFrame title="Admin Dashboard" email={user.email}>
      <ul className={styles.tiles}>
        {areas.map(({ to, title, text, draft }) => (
          <li key={to} className={styles.tile}>
            <h2>
              <Link to={to}>{title}</Link>
            </h2>
            <p>{text}</p>
            {readDraft(sessionStorage, { userId: user.userId, form: draft }) && (
              <p className={styles.unfinished}>You have something unfinished here.</p>
            )}
          </li>
        ))}
      </ul>
      <Statistics fetchStats={fetchStats} />
    </PageFrame>
  );
}
