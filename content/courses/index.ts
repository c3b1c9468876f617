import type { Course } from "../types.ts";
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
