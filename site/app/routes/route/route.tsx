import { goals } from "content/rules/goals.ts";
import { provider } from "content/provider.ts";
import { href } from "react-router";
import { planRoute, plannedCourses } from "../../course-dates/route-plan.ts";
import { pageMeta, pageTitle } from "../../seo/page-meta.ts";
import { breadcrumb } from "../../seo/structured-data.ts";
import { siteContext } from "../../server/site-context.server.ts";
import { londonToday } from "../../time/london-time.ts";
import type { Route } from "./+types/route";
import { GoalList } from "./goal-list.tsx";
import { GoalTable } from "./goal-table.tsx";
import { PlanView } from "./plan-view.tsx";
import { stepsOf } from "./steps.ts";
import { RouteScene } from "./route-scene.tsx";
import styles from "./route.module.css";

/** The address has the goal, and `first-aid=held` of a visitor who holds a certificate. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { comingDates, siteUrl } = context.get(siteContext);
  const { searchParams } = new URL(request.url);
  const goal = goals.find(({ id }) => id === searchParams.get("goal"));
  const now = Date.now();
  if (!goal) {
    const plans = goals.map((each) => planRoute(each, [], { now, holdsFirstAid: false }));
    return { siteUrl, plans, plan: null, holdsFirstAid: false };
  }
  const dates = await comingDates(plannedCourses(goal, londonToday(now)));
  const holdsFirstAid = searchParams.get("first-aid") === "held";
  return { siteUrl, plans: [], plan: planRoute(goal, dates, { now, holdsFirstAid }), holdsFirstAid };
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  const { siteUrl, plan } = loaderData;
  const path = plan ? `${href("/route")}?goal=${plan.goal.id}` : href("/route");
  return pageMeta({
    type: "page",
    title: plan ? pageTitle(`${plan.goal.label}: steps, dates and costs`) : `Plan your route | ${provider.name}`,
    description: plan
      ? `${plan.goal.label}: every step in order, with days, prices, dates that fit together and what it costs in all.`
      : "Choose where you want to work: first aid, course, licence and costs in order, with dates that fit together.",
    path,
    siteUrl,
    graph: [breadcrumb(siteUrl, [{ name: "Plan your route", path: href("/route") }])],
  });
}

export default function RoutePage({ loaderData: { plans, plan, holdsFirstAid } }: Route.ComponentProps) {
  const steps = plan ? stepsOf(plan) : [];
  return (
    <main id="main">
      <section className={styles.hero} data-light="day" aria-label="Your goal">
        <div className={`wrap ${styles.words}`}>
          <h1>{plan ? `Your route: ${plan.goal.label.charAt(0).toLowerCase()}${plan.goal.label.slice(1)}` : "Plan your route"}</h1>
          <p className={styles.lead}>
            {plan
              ? "Each step in its order, with days, prices and the dates that fit together."
              : "Where do you want to go? Choose a goal and see the whole way: what comes first, how long it takes and what it costs in all."}
          </p>
          <GoalList chosen={plan?.goal.id} holdsFirstAid={holdsFirstAid} />
        </div>
        <RouteScene steps={steps.map(({ label }) => label)} />
      </section>
      {plan && <PlanView plan={plan} steps={steps} holdsFirstAid={holdsFirstAid} />}
      {!plan && (
        <div className={`wrap ${styles.help}`}>
          <GoalTable plans={plans} />
          <p>
            Not sure which one? Call us on <a href={provider.phoneHref}>{provider.phone}</a>, {provider.openingHours.text}, or{" "}
            <a href={href("/enquiry")}>ask a question</a>.
          </p>
        </div>
      )}
    </main>
  );
}
