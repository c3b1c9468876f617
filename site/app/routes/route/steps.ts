import type { Source } from "content/rules/types.ts";
import { pounds } from "../../course-dates/money.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";

/** A step of a route as the page shows it. */
export interface Step {
  id: "first-aid" | "e-learning" | "course" | "licence" | "arrival";
  /** One or two words for the picture. */
  label: string;
  title: string;
  /** Length and price: "1 day", "£150". */
  facts: readonly string[];
  text: readonly string[];
  link?: { href: string; label: string };
  source?: Source;
}

/** The steps of a plan in their order. */
export function stepsOf(plan: RoutePlan): Step[] {
  return [firstAidStep(plan), eLearningStep(plan), courseStep(plan), licenceStep(plan), arrivalStep(plan)].filter((step) => step !== null);
}

function firstAidStep({ firstAidRule: rule, firstAidCourse: course }: RoutePlan): Step | null {
  if (!rule) return null;
  const valid = `It must still be valid for at least ${rule.monthsLeft} months on the first day of the course.`;
  if (!course)
    return {
      id: "first-aid",
      label: "First aid",
      title: "Your first-aid certificate",
      facts: ["You hold it"],
      text: [`${valid} Not sure that it is the right one? Ask us.`],
      source: rule.source,
    };
  return {
    id: "first-aid",
    label: "First aid",
    title: `First aid: ${course.title}`,
    facts: [course.duration, pounds(course.price)],
    text: [...rule.text, valid],
    link: { href: course.link, label: "About the first-aid course" },
    source: rule.source,
  };
}

function eLearningStep({ eLearning }: RoutePlan): Step | null {
  return (
    eLearning && {
      id: "e-learning",
      label: "E-learning",
      title: `E-learning: ${eLearning.modules.join(" and ")}`,
      facts: ["At home", "Free"],
      text: ["Short courses of the police on terror threats. Finish them before the first day and bring the certificates."],
      source: eLearning.source,
    }
  );
}

function courseStep({ course, certificate }: RoutePlan): Step {
  return {
    id: "course",
    label: "Course",
    title: course.title,
    facts: [course.duration, pounds(course.price)],
    text: [course.description, ...(certificate ? [`The certificate is valid for ${certificate.years} years.`, ...certificate.text] : [])],
    link: { href: course.link, label: "About the course" },
    ...(certificate && { source: certificate.source }),
  };
}

function licenceStep({ licence }: RoutePlan): Step | null {
  return (
    licence && {
      id: "licence",
      label: "Licence",
      title: licence.renewal ? "Renew your SIA licence" : "Your SIA licence",
      facts: [`Valid for ${licence.years} years`, "Fee to the SIA"],
      text: [...licence.text, "The fee changes from time to time: GOV.UK has the current one."],
      link: { href: licence.apply, label: "Fee and application on GOV.UK" },
      source: licence.source,
    }
  );
}

function arrivalStep({ goal: { arrival } }: RoutePlan): Step {
  return { id: "arrival", label: "Work", title: arrival.title, facts: [], text: [arrival.text] };
}
