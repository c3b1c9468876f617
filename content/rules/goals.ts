/** A goal of a visitor: the work or the renewal that one of our courses leads to. */
export interface Goal {
  /** Its value in the address of the route planner. */
  id: string;
  label: string;
  /** The slug of the course that leads to it. */
  course: string;
  /** The last step: its name and what it means. */
  arrival: { title: string; text: string };
}

/** All goals, in the order in which the route planner lists them. */
export const goals: readonly Goal[] = [
  {
    id: "door-supervisor",
    label: "Door supervisor",
    course: "door-supervisor",
    arrival: { title: "Work at the door", text: "Pubs, clubs, festivals and shops. The licence also lets you work as a security officer." },
  },
  {
    id: "security-officer",
    label: "Security officer",
    course: "security-officer",
    arrival: { title: "Work as a security officer", text: "Shops, offices, sites and hospitals, but not the door of licensed premises." },
  },
  {
    id: "cctv",
    label: "CCTV operator",
    course: "cctv",
    arrival: { title: "Work in a control room", text: "Watch public spaces for town centres, shops, transport and events." },
  },
  {
    id: "close-protection",
    label: "Close protection",
    course: "close-protection",
    arrival: { title: "Work in close protection", text: "Protect people who are at risk, alone or in a team." },
  },
  {
    id: "renew-door-supervisor",
    label: "Renew a door supervisor licence",
    course: "door-supervisor-topup",
    arrival: { title: "Keep working", text: "Three more years at the door." },
  },
  {
    id: "renew-security-officer",
    label: "Renew a security officer licence",
    course: "security-officer-topup",
    arrival: { title: "Keep working", text: "Three more years on site." },
  },
  {
    id: "emergency-first-aider",
    label: "Emergency first aider at work",
    course: "emergency-first-aid-work",
    arrival: { title: "First aider at your workplace", text: "For workplaces whose assessment asks for an emergency first aider." },
  },
  {
    id: "first-aider",
    label: "First aider at work",
    course: "first-aid-at-work-level3",
    arrival: { title: "First aider at your workplace", text: "For larger or riskier workplaces." },
  },
];
