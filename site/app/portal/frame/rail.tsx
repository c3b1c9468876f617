import { provider } from "content/provider.ts";
import type { MouseEvent, ReactNode } from "react";
import { href, NavLink } from "react-router";
import { areas, type Area } from "../areas.ts";
import { LogoutButton } from "./logout-button.tsx";
import styles from "./rail.module.css";
import { useNewEnquiries } from "./use-new-enquiries.ts";
import type { User } from "./use-user.ts";

/** The areas beside Today in the bar of a phone; the others are under More. */
const IN_BAR = 3;
const main = areas.filter(({ account }) => !account);

interface RailProps {
  /** Undefined until the session was read. */
  user: User | undefined;
  /** The button that opens the search. */
  search: ReactNode;
}

/** The navigation of the portal: a rail beside the page, on a narrow screen a bar at the bottom. */
export function Rail({ user, search }: RailProps) {
  const isTrainer = user?.role === "trainer";
  const profile = (
    <Item to={href("/admin/profile")} label="Profile" icon="profile" {...(user ? { name: `My profile, ${user.email}` } : {})} />
  );
  return (
    <header className={styles.rail}>
      <a className={styles.skip} href="#main">
        Skip to content
      </a>
      <a className={styles.brand} href="/">
        {provider.name}
      </a>
      {search}
      <nav aria-label="Portal" className={styles.nav}>
        {isTrainer ? (
          <ul className={styles.items}>
            <Item to={href("/admin")} label="Registers" icon="bookings" />
            {profile}
          </ul>
        ) : (
          <OfficeItems user={user} profile={profile} />
        )}
      </nav>
      {user && (
        <div className={styles.logout}>
          <LogoutButton />
        </div>
      )}
    </header>
  );
}

/** All areas, some of them under More on a narrow screen. */
function OfficeItems({ user, profile }: { user: User | undefined; profile: ReactNode }) {
  return (
    <>
      <ul className={styles.items}>
        <Item to={href("/admin")} label="Today" icon="today" />
        {main.slice(0, IN_BAR).map((area) => (
          <AreaItem key={area.to} area={area} user={user} />
        ))}
      </ul>
      <button type="button" className={styles.more} popoverTarget="more-areas">
        <Icon name="more" />
        More
      </button>
      <div id="more-areas" popover="auto" className={styles.others}>
        <ul className={styles.items}>
          {main.slice(IN_BAR).map((area) => (
            <AreaItem key={area.to} area={area} user={user} />
          ))}
        </ul>
        <div className={styles.account}>
          {user && <p className={styles.person}>{user.name || user.email}</p>}
          <ul className={styles.items}>
            {profile}
            {areas
              .filter(({ account }) => account)
              .map((area) => (
                <AreaItem key={area.to} area={area} user={user} />
              ))}
          </ul>
        </div>
      </div>
    </>
  );
}

function AreaItem({ area: { to, short }, user }: { area: Area; user: User | undefined }) {
  return (
    <Item to={to} label={short} icon={to.slice("/admin/".length)}>
      {to === "/admin/enquiries" && user && <NewEnquiries user={user} />}
    </Item>
  );
}

interface ItemProps {
  to: string;
  label: string;
  /** The id in `shapes.ts`. */
  icon: string;
  /** The accessible name, if it is longer than the label. */
  name?: string;
  children?: ReactNode;
}

function Item({ to, label, icon, name, children }: ItemProps) {
  const closeMore = ({ currentTarget }: MouseEvent): void => currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
  return (
    <li>
      <NavLink to={to} end className={styles.item} aria-label={name} onClick={closeMore}>
        <Icon name={icon} />
        {label}
        {children}
      </NavLink>
    </li>
  );
}

function Icon({ name }: { name: string }) {
  return (
    <svg className={styles.icon} aria-hidden="true">
      <use href={`/shapes/portal.svg#${name}`} />
    </svg>
  );
}

function NewEnquiries({ user }: { user: User }) {
  const count = useNewEnquiries(user);
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {count > 99 ? "99+" : count}
      <span className="visually-hidden"> new</span>
    </span>
  );
}
