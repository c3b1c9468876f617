import { href, Link } from "react-router";
import { DeleteButton } from "../records/delete-button.tsx";
import { Moment } from "../time/moment.tsx";
import { londonDate } from "../../time/london-date.ts";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { useUser } from "../frame/use-user.ts";
import { linkEnd, ROLES, STATES, whoIs, type Member, type MemberCommand } from "./schema.ts";

interface MemberListProps {
  members: Promise<Loaded<Member>>;
  /** True if the site can send links by e-mail. */
  mails: boolean;
  act: (name: MemberCommand, member: Member) => Promise<unknown>;
}

const columns: readonly Column<Member>[] = [
  { heading: "Who", cell: (member) => <Who {...member} /> },
  { heading: "Role", cell: ({ role }) => ROLES[role] },
  { heading: "Status", cell: (member) => <Status {...member} /> },
  { heading: "Sign-in code", cell: ({ second_factor: has }) => (has ? "Yes" : "No") },
  { heading: "Last sign-in", cell: ({ last_sign_in_at: iso }) => (iso === null ? "Never" : <Moment iso={iso} />) },
];

/** The list of accounts with their actions. Only owners give roles and work with the accounts of owners. */
export function MemberList({ members, mails, act }: MemberListProps) {
  const isOwner = useUser()?.role === "owner";
  return (
    <RecordList
      caption="Staff"
      loaded={members}
      columns={columns}
      empty={{ title: "Nobody has an account." }}
      isPast={({ state }) => state === "disabled"}
      renderActions={(member) => (
        <RowActions>
          {member.own ? (
            <Link to={href("/admin/profile")}>My profile</Link>
          ) : (
            (isOwner || member.role !== "owner") && <MemberActions member={member} mails={mails} isOwner={isOwner} act={act} />
          )}
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
  /** True for an action of owners. */
  ofOwners?: true;
  /** Texts of the dialog that asks for confirmation; no dialog without them. */
  confirm?: { question: string; consequence: string; busyLabel: string };
}

const ACTIONS: readonly MemberAction[] = [
  { act: "link", label: "New link", applies: ({ state }) => state === "invited" },
  { act: "link", label: "Reset password", applies: ({ state }) => state === "active" },
  { act: "link_by_hand", label: "Copy link instead", applies: ({ state }, mails) => state !== "disabled" && mails },
  {
    act: "remove_factor",
    label: "Turn off sign-in code",
    applies: ({ second_factor: hasFactor }) => hasFactor,
    confirm: {
      question: "Turn off the sign-in code of this account?",
      consequence: "The password alone is then enough to sign in, until its owner sets up a new one.",
      busyLabel: "Saving...",
    },
  },
  {
    act: "make_owner",
    label: "Make owner",
    ofOwners: true,
    applies: ({ role, state }) => role !== "owner" && state === "active",
    confirm: {
      question: "Make this person an owner?",
      consequence:
        "Owners do everything the office does, and decide who is an owner, in the office or a trainer. " +
        "The password stops working, because others may know it. A link lets the person choose a new one.",
      busyLabel: "Saving...",
    },
  },
  {
    act: "make_office",
    label: "Move to office",
    ofOwners: true,
    applies: ({ role }) => role !== "office",
    confirm: {
      question: "Give this person the role office?",
      consequence: "The office works with all records, and cannot change roles.",
      busyLabel: "Saving...",
    },
  },
  {
    act: "make_trainer",
    label: "Make trainer",
    ofOwners: true,
    applies: ({ role }) => role !== "trainer",
    confirm: {
      question: "Make this person a trainer?",
      consequence: "Trainers see only the registers of their own course dates, and their profile.",
      busyLabel: "Saving...",
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
      consequence: "This cannot be undone. What its owner wrote and booked stays.",
      busyLabel: "Removing...",
    },
  },
];

interface MemberActionsProps extends Pick<MemberListProps, "mails" | "act"> {
  member: Member;
  /** True if the signed-in person is an owner. */
  isOwner: boolean;
}

function MemberActions({ member, mails, isOwner, act }: MemberActionsProps) {
  const what = whoIs(member);
  return ACTIONS.filter(({ applies, ofOwners }) => applies(member, mails) && (isOwner || !ofOwners)).map(
    ({ act: name, label, confirm }) => {
      const run = () => act(name, member);
      return confirm ? (
        <DeleteButton key={label} what={what} verb={label} run={run} {...confirm} />
      ) : (
        <RowAction key={label} label={label} what={what} run={run} />
      );
    },
  );
}

function Status(member: Member) {
  if (member.state !== "invited") return STATES[member.state];
  const end = linkEnd(member);
  return (
    <>
      {STATES.invited}
      <span className="second">
        {end === null ? "The link no longer works. Make a new one." : `The link works until ${withinDays(end)}.`}
      </span>
    </>
  );
}

/** An instant in the next days: "Sat 12:30". */
function withinDays(iso: string): string {
  const { weekday, time } = londonDate(iso);
  return `${weekday} ${time}`;
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
