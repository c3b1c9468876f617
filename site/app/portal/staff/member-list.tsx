import { Link } from "react-router";
import { DeleteButton } from "../records/delete-button.tsx";
import { Moment } from "../time/moment.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { STATES, whoIs, type Member, type MemberAct } from "./schema.ts";
import styles from "./staff.module.css";

interface MemberListProps {
  members: Promise<Loaded<Member>>;
  /** True if the site can send links by e-mail. */
  mails: boolean;
  act: (name: MemberAct, member: Member) => Promise<void>;
}

const columns: readonly Column<Member>[] = [
  { heading: "Who", cell: (member) => <Who {...member} /> },
  { heading: "Status", cell: ({ state }) => STATES[state] },
  { heading: "Second factor", cell: ({ second_factor: has }) => (has ? "Yes" : "No") },
  { heading: "Last sign-in", cell: ({ last_sign_in_at: iso }) => (iso === null ? "Never" : <Moment iso={iso} />) },
];

/** Everybody who has an account, and what can be done about each. */
export function MemberList({ members, mails, act }: MemberListProps) {
  return (
    <RecordList
      caption="Staff"
      loaded={members}
      columns={columns}
      empty={<p>Nobody has an account.</p>}
      isPast={({ state }) => state === "disabled"}
      renderActions={(member) => (
        <RowActions>
          {member.own ? <Link to="/admin/profile">My profile</Link> : <MemberActions member={member} mails={mails} act={act} />}
        </RowActions>
      )}
    />
  );
}

function MemberActions({ member, mails, act }: { member: Member } & Pick<MemberListProps, "mails" | "act">) {
  const { id, state, second_factor: hasFactor } = member;
  const who = whoIs(member);
  return (
    <>
      {state !== "disabled" && (
        <RowAction label={state === "invited" ? "New link" : "Reset password"} what={who} run={() => void act("link", member)} />
      )}
      {state !== "disabled" && mails && <RowAction label="Copy link instead" what={who} run={() => void act("link_by_hand", member)} />}
      {hasFactor && (
        <DeleteButton
          id={`${id}-factor`}
          what={who}
          question="Remove the second factor of this account?"
          consequence="The password alone opens it then, until its owner sets up a new one."
          verb="Remove second factor"
          busyLabel="Removing..."
          run={() => act("remove_factor", member)}
        />
      )}
      {state === "disabled" ? (
        <RowAction label="Enable" what={who} run={() => void act("enable", member)} />
      ) : (
        <DeleteButton
          id={`${id}-disable`}
          what={who}
          question="Disable this account?"
          consequence="It is signed out everywhere at once, and stays out until somebody enables it."
          verb="Disable"
          busyLabel="Disabling..."
          run={() => act("disable", member)}
        />
      )}
      <DeleteButton
        id={`${id}-remove`}
        what={who}
        question="Remove this account?"
        consequence="It cannot be brought back. What its owner wrote and booked stays."
        verb="Remove"
        busyLabel="Removing..."
        run={() => act("remove", member)}
      />
    </>
  );
}

function Who({ name, email, own }: Member) {
  return (
    <>
      <strong>{name === "" ? email : name}</strong>
      {own && " (you)"}
      {name !== "" && <span className={styles.email}>{email}</span>}
    </>
  );
}
