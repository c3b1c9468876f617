import { provider } from "./provider.ts";
import type { Course } from "./types.ts";

/** Steps that a visitor takes outside the course, with a page of the organisation that decides. */
export interface Guidance {
  id: string;
  title: string;
  steps: readonly string[];
  link: { href: string; label: string };
}

const licence: Guidance = {
  id: "licence",
  title: "How the licence works",
  steps: [
    "Pass every unit. The awarding organisation issues your certificate.",
    "Apply to the Security Industry Authority (SIA) online with proof of identity and address. It checks criminal records and the right to work.",
    "Pay the licence fee to the SIA. It is not part of the course price.",
    "Start work once the licence is granted. The decision is the SIA’s alone.",
  ],
  link: {
    href: "https://www.gov.uk/government/organisations/security-industry-authority",
    label: "The Security Industry Authority on GOV.UK",
  },
};

const renewal: Guidance = {
  ...licence,
  title: "How renewal works",
  steps: [
    "Pass the refresher before you apply to renew.",
    "Renew with the SIA online before the licence expires: an expired licence cannot be renewed.",
    "Pay the licence fee to the SIA. It is not part of the course price.",
  ],
};

const credits: Guidance = {
  id: "credits",
  title: "Pay with learning credits",
  steps: [
    "Check that you are entitled to Enhanced Learning Credits, and ask us for a written quote.",
    "Send your claim through your education officer in good time: the approval must be there before the course starts.",
    "Send us your Claim Authorisation Note before the first day. A claim cannot be made afterwards.",
    "Pay your own share. We invoice the rest to the scheme once the course has started.",
  ],
  link: { href: "https://www.enhancedlearningcredits.com", label: "The Enhanced Learning Credits scheme" },
};

/** The guidance that belongs to a course: its licence, and learning credits for licences at Level 3. */
export function guidanceOf({ category, id, level }: Pick<Course, "category" | "id" | "level">): readonly Guidance[] {
  const licensed = category === "security" ? [licence] : [];
  const renewed = id.endsWith("-topup") ? [renewal] : [];
  return [...licensed, ...renewed, ...(category === "security" && level === "Level 3" ? [credits] : [])];
}

/** A question that learners ask, with its answer. */
interface Question {
  question: string;
  answer: string;
}

/** The questions of every course; the terms and conditions have the details. */
export const questions: readonly Question[] = [
  { question: "What if I do not pass?", answer: "You may resit. We tell you beforehand if the awarding organisation charges for it." },
  {
    question: "What if I cannot come?",
    answer: "Until 14 days before the course you get a full refund or a free move to another date. After that, our terms say what applies.",
  },
  {
    question: "May somebody else take my place?",
    answer: "Yes, free of charge until the first day, if they have what the course asks for.",
  },
  {
    question: "Are there more costs?",
    answer:
      "No. The price includes teaching, materials, the first attempt at each assessment and the certificate. What others charge, such as a licence fee, you pay to them.",
  },
  {
    question: "Can you train a group?",
    answer: `Yes, in our rooms or at your workplace within ${provider.serviceRadiusKm} km of ${provider.address.locality}. Tell us how many people and when.`,
  },
];
