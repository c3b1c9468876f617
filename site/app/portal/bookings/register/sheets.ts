import type { Role } from "../../frame/use-user.ts";
import type { RegisterEntry } from "./queries.ts";

/** One column of a sheet, beside the name and the days. */
interface SheetColumn {
  heading: string;
  /** Width on paper in millimetres. */
  width: number;
  cell: (booking: RegisterEntry) => string | null;
}

/** A version of the register for print. */
export interface Sheet {
  label: string;
  /** Width of the name on paper in millimetres. */
  nameWidth: number;
  columns: readonly SheetColumn[];
}

type SheetName = "register" | "signing" | "trainer";

const company = (width: number): SheetColumn => ({ heading: "Company", width, cell: (booking) => booking.company });
const phone = (width: number): SheetColumn => ({ heading: "Phone", width, cell: (booking) => booking.phone });
const note = (width: number): SheetColumn => ({ heading: "Note", width, cell: (booking) => booking.note });

/** The sheets of a course date. All learners see the signing sheet, so it shows no private data. */
export const SHEETS: Readonly<Record<SheetName, Sheet>> = {
  register: {
    label: "Register",
    nameWidth: 40,
    columns: [company(24), phone(27), { heading: "Payment", width: 21, cell: (booking) => booking.payment }, note(28)],
  },
  signing: { label: "Signing sheet", nameWidth: 52, columns: [company(36)] },
  trainer: { label: "Trainer’s copy", nameWidth: 44, columns: [company(28), phone(27), note(36)] },
};

/** The sheets of a role: trainers see no payments. */
export function sheetsOf(role: Role | undefined): readonly SheetName[] {
  return role === "trainer" ? ["trainer", "signing"] : ["register", "signing", "trainer"];
}
