import { href, Link } from "react-router";
import { DeleteButton } from "../records/delete-button.tsx";
import { Moment } from "../time/moment.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { LINK_LASTS, linkWorks, STATES, whoIs, type Member, type MemberCommand } from "./schema.ts";

interface MemberListProps {
  members: Promise<Loaded<Member>>;
  /** True if the site can send links by e-mail. */
  mails: boolean;
  act: (name: MemberCommand, member: Member) => Promise<void>;
}

const columns: readonly Column<Member>[] = [
  { heading: "Who", cell: (member) => <Who {...member} /> },
  { heading: "Status", cell: (member) => <Status {...member} /> },
  { heading: "Second factor", cell: ({ second_factor: has }) => (has ? "Yes" : "No") },
  { heading: "Last sign-in", cell: ({ last_sign_in_at: iso }) => (iso === null ? "Never" : <Moment iso={iso} />) },
];

/** The list of accounts with their actions. */
export function MemberList({ members, mails, act }: MemberListProps) {
  return (
    <RecordList
      caption="Staff"
      loaded={members}
      columns={columns}
      empty={{ title: "Nobody has an account." }}
      isPast={({ state }) => state === "disabled"}
      renderActions={(member) => (
        <RowActions>
          {member.own ? <Link to={href("/admin/profile")}>My profile</Link> : <MemberActions member={member} mails={mails} act={act} />}
        </RowActions>
      )}
    />
  );
}

interface MemberAction {
  act: MemberCommand;
  label: string;
  /** True if the action applies to the account. */
  applies: (member: Member, mails: boolean) => boolean;
  /** Texts of the dialog that asks for confirmation; no dialog without them. */
  confirm?: { question: string; consequence: string; busyLabel: string };
}

const ACTIONS: readonly MemberAction[] = [
  { act: "link", label: "New link", applies: ({ state }) => state === "invited" },
  { act: "link", label: "Reset password", applies: ({ state }) => state === "active" },
  { act: "link_by_hand", label: "Copy link instead", applies: ({ state }, mails) => state !== "disabled" && mails },
  {
    act: "remove_factor",
    label: "Remove second factor",
    applies: ({ second_factor: hasFactor }) => hasFactor,
    confirm: {
      question: "Remove the second factor of this account?",
      consequence: "The password alone opens it then, until its owner sets up a new one.",
      busyLabel: "Removing...",
    },
  },
  { act: "enable", label: "Enable", applies: ({ state }) => state === "disabled" },
  {
    act: "disable",
    label: "Disable",
    applies: ({ state }) => state !== "disabled",
    confirm: {
      question: "Disable this account?",
      consequence: "It is signed out everywhere at once, and stays out until somebody enables it.",
      busyLabel: "Disabling...",
    },
  },
  {
    act: "remove",
    label: "Remove",
    applies: () => true,
    confirm: {
      question: "Remove this account?",
      consequence: "It cannot be brought back. What its owner wrote and booked stays.",
      busyLabel: "Removing...",
    },
  },
];

function MemberActions({ member, mails, act }: { member: Member } & Pick<MemberListProps, "mails" | "act">) {
  const what = whoIs(member);
  return ACTIONS.filter(({ applies }) => applies(member, mails)).map(({ act: name, label, confirm }) => {
    const run = () => act(name, member);
    return confirm ? (
      <DeleteButton key={label} what={what} verb={label} run={run} {...confirm} />
    ) : (
      <RowAction key={label} label={label} what={what} run={() => void run()} />
    );
  });
}

function Status(member: Member) {
  if (member.state !== "invited") return STATES[member.state];
  return (
    <>
      {STATES.invited}
      <span className="second">
        {linkWorks(member) ? `The link works for ${LINK_LASTS}.` : "The link no longer works. Make a new one."}
      </span>
    </>
  );
}

function Who({ name, email, own }: Member) {
  return (
    <>
      <strong>{name === "" ? email : name}</strong>
      {own && " (you)"}
      {name !== "" && <span className="second">{email}</span>}
    </>
  );
}
