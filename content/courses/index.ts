import type { Course, CourseName } from "../types.ts";
import { cctv } from "./cctv.ts";
import { closeProtection } from "./close-protection.ts";
import { doorSupervisorTopup } from "./door-supervisor-topup.ts";
import { doorSupervisor } from "./door-supervisor.ts";
import { emergencyFirstAidWork } from "./emergency-first-aid-work.ts";
import { firstAidAtWorkLevel3 } from "./first-aid-at-work-level3.ts";
import { firstAidAtWork } from "./first-aid-at-work.ts";
import { firstAidRefresher } from "./first-aid-refresher.ts";
import { firstAid } from "./first-aid.ts";
import { healthSafetyWorkplace } from "./health-safety-workplace.ts";
import { manualHandling } from "./manual-handling.ts";
import { safeguardingAwareness } from "./safeguarding-awareness.ts";
import { safeguardingLead } from "./safeguarding-lead.ts";
import { securityOfficerTopup } from "./security-officer-topup.ts";
import { securityOfficer } from "./security-officer.ts";

/** Every course, in shop order. */
export const courses: readonly Course[] = [
  doorSupervisor,
  securityOfficer,
  cctv,
  closeProtection,
  emergencyFirstAidWork,
  firstAid,
  firstAidAtWorkLevel3,
  firstAidAtWork,
  doorSupervisorTopup,
  securityOfficerTopup,
  firstAidRefresher,
  healthSafetyWorkplace,
  manualHandling,
  safeguardingAwareness,
  safeguardingLead,
];

/** The course names in the order of the admin select. */
export const courseNames = [
  "Lvl 2 Door Supervisor",
  "Lvl 2 Security Officer",
  "Lvl 2 CCTV",
  "Lvl 3 Close Protection",
  "Door Supervisor Refresher Course",
  "Security Officer Refresher Course",
  "Emergency First Aid",
  "Emergency First Aid Work Level 3",
  "First Aid at Work",
  "First Aid at Work Level 3",
  "Annual First Aid Refresher Course",
  "Health & Safety in Workplace Level 1",
  "Manual Handling",
  "Safeguarding Awareness Training Level 1",
  "Safeguarding Lead Training Level 3",
] as const satisfies readonly CourseName[];

/** The working days of courses longer than a day; for browser code, which must not load whole courses. */
export const severalDays: Partial<Record<CourseName, number>> = {
  "Lvl 2 Door Supervisor": 8,
  "Lvl 2 Security Officer": 6,
  "Lvl 2 CCTV": 5,
  "Lvl 3 Close Protection": 24,
  "Door Supervisor Refresher Course": 4,
  "Security Officer Refresher Course": 2,
  "First Aid at Work Level 3": 3,
};

const prices = courses.map(({ price }) => price);

/** The lowest and the highest price of a course, in pounds. */
export const priceRange = { from: Math.min(...prices), to: Math.max(...prices) };

/** Finds a course by its slug. */
export function courseById(id: string): Course | undefined {
  return courses.find((course) => course.id === id);
}

/** Finds a course by the name in a course date. */
export function courseByName(name: string): Course | undefined {
  return courses.find((course) => course.courseName === name);
}
