import type { LicenceRule, Rule } from "./types.ts";

const CHECKED = "2026-11-22";

const LICENCE = {
  kind: "licence",
  years: 3,
  validFrom: "2024-04-01",
  validTo: null,
  apply: "https://www.gov.uk/guidance/apply-for-an-sia-licence",
} satisfies Partial<LicenceRule>;

const FIRST_AID_PAGE = {
  name: "SIA: first-aid training requirement",
  url: "https://www.gov.uk/government/publications/sia-licensing-first-aid-training-requirement/first-aid-training-requirement-for-door-supervisors-and-security-guards",
  checked: CHECKED,
} as const;

const LICENCE_PAGE = { name: "SIA: apply for a licence", url: LICENCE.apply, checked: CHECKED } as const;

/** All rules. When a rule changes, set the last day of its entry and add an entry for the new rule. */
export const rules: readonly Rule[] = [
  {
    kind: "first-aid",
    courses: ["door-supervisor", "security-officer", "door-supervisor-topup", "security-officer-topup"],
    validFrom: "2024-10-01",
    validTo: null,
    source: FIRST_AID_PAGE,
    firstAidCourse: "emergency-first-aid-work",
    monthsLeft: 12,
    text: [
      "At least Emergency First Aid at Work, learnt face to face.",
      "It includes life-threatening bleeding and opening the airway.",
      "We see the certificate before the first day of training.",
    ],
  },
  {
    kind: "first-aid",
    courses: ["close-protection"],
    validFrom: "2022-04-01",
    validTo: null,
    source: {
      name: "SIA: changes to licence-linked training, questions and answers",
      url: "https://www.gov.uk/government/publications/changes-to-sia-licence-linked-training-your-questions-answered/changes-to-sia-licence-linked-training",
      checked: CHECKED,
    },
    firstAidCourse: "first-aid-at-work-level3",
    monthsLeft: 12,
    text: [
      "A first-aid certificate at Level 3 or above, of at least three days.",
      "We see the certificate before the first day of training.",
    ],
  },
  {
    kind: "e-learning",
    courses: ["door-supervisor-topup", "security-officer-topup"],
    validFrom: "2025-04-01",
    validTo: null,
    source: {
      name: "S&N Training: door supervisor refresher",
      url: "https://www.sntrainingandservices.com/door-supervisor-refresher",
      checked: CHECKED,
    },
    modules: ["ACT Awareness", "ACT Security"],
  },
  {
    ...LICENCE,
    courses: ["door-supervisor", "security-officer", "cctv", "close-protection"],
    source: LICENCE_PAGE,
    renewal: false,
    text: ["You apply to the Security Industry Authority (SIA) yourself and pay the fee to it. The fee is not refunded."],
  },
  {
    ...LICENCE,
    courses: ["door-supervisor-topup", "security-officer-topup"],
    validFrom: "2025-04-01",
    source: {
      name: "Hurak: guide to SIA licence renewal",
      url: "https://hurak.com/blog/guide-to-sia-licence-renewal",
      checked: CHECKED,
    },
    renewal: true,
    text: [
      "You can renew from four months before the licence ends; the time left is added.",
      "A licence that has ended cannot be renewed: you apply for a new one.",
    ],
  },
  {
    kind: "certificate",
    courses: ["emergency-first-aid-work", "first-aid-at-work-level3"],
    validFrom: "2013-10-01",
    validTo: null,
    source: { name: "HSE: approved first-aid training", url: "https://www.hse.gov.uk/firstaid/approved-training.htm", checked: CHECKED },
    years: 3,
    text: [
      "A refresher of half a day is strongly recommended every year.",
      "From the day after the certificate ends you are no longer a first aider at work, so book the next course in time.",
    ],
  },
];
