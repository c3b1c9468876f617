import { enquiryReference } from "content/enquiry-reference.ts";
import { provider } from "content/provider.ts";
import { data, href, redirect } from "react-router";
import { enquiryContext, formContext, siteContext } from "../../../server/site-context.server.ts";
import { isUuid } from "../../../supabase/is-uuid.ts";
import { logFailedRead } from "../../../supabase/log-failed-read.ts";
import { PageHead } from "../../../ui/page-head.tsx";
import { z } from "zod";
import { londonDate } from "../../../time/london-date.ts";
import { notSent } from "../not-sent.ts";
import { officeAnswer } from "../office-hours.ts";
import { HONEYPOT } from "../schema.ts";
import { sendOnce } from "../send-once.server.ts";
import type { Route } from "./+types/ask";
import { toRequestedDate } from "./ask-date.ts";
import { AskForm } from "./ask-form.tsx";
import { askErrors, askSchema, askValues, type AskInput } from "./ask-schema.ts";
import { AskSent } from "./ask-sent.tsx";
import { ClosedDate } from "./closed-date.tsx";
import { leadOf, titleOf, TITLES } from "./ask-texts.ts";
import { DateTicket } from "./date-ticket.tsx";
import styles from "./ask.module.css";

const answerSchema = z.object({
  outcome: z.enum(["place", "held", "waiting", "closed"]),
  held_until: z.string().nullable(),
  mailed: z.boolean(),
});

type Refusal = AskInput & { problem: string };

const REFERENCE = /^[0-9A-F]{4}-[0-9A-F]{4}$/;

export async function loader({ params, request, context }: Route.LoaderArgs) {
  if (!isUuid(params.dateId)) throw data(null, { status: 404 });
  const { supabase, log } = context.get(siteContext);
  const [{ data: row, error }, { data: holdHours }] = await Promise.all([
    supabase.from("course_dates").select("*").eq("id", params.dateId).maybeSingle(),
    supabase.rpc("hold_hours"),
  ]);
  if (error) logFailedRead(log, error, "course date could not be read");
  // After a form was sent the page is shown without the date, so that the typed text is not lost.
  if (error && !context.get(formContext).has("name")) throw data(null, { status: 503 });
  const requested = row && toRequestedDate(row, Date.now());
  if (!requested && !error) throw data(null, { status: 404 });
  const { searchParams } = new URL(request.url);
  const reference = searchParams.get("reference") ?? "";
  return {
    requested,
    answer: officeAnswer(Temporal.Now.instant(), provider.openingHours),
    holdHours,
    sent: REFERENCE.test(reference)
      ? {
          reference,
          waiting: searchParams.has("waiting"),
          heldUntil: momentOf(searchParams.get("held")),
          mailed: searchParams.has("mailed"),
        }
      : null,
  };
}

/** Stores the request and redirects to its confirmation; otherwise returns the form with its values and errors. */
export async function action({ params, context }: Route.ActionArgs) {
  const form = context.get(formContext);
  const page = href("/ask/:dateId", params);
  if (form.get(HONEYPOT)) return redirect(href("/enquiry/thanks"), 303);

  const values = askValues(form);
  const parsed = askSchema.safeParse(values);
  if (!parsed.success) {
    const problem = "Please look at the fields marked below.";
    return data<Refusal>({ values, errors: askErrors(parsed.error), problem }, { status: 422 });
  }
  const { name, email, phone, places, message } = parsed.data;
  const { supabase, log } = context.get(siteContext);
  const request = { course_id: params.dateId, name, ...(email && { email }), ...(phone && { phone }), places, message };
  const sent = await sendOnce(supabase, "request-place", request, log);
  if (typeof sent === "string") {
    const { problem, status } = notSent(sent, "request");
    return data<Refusal>({ values, errors: {}, problem }, { status });
  }
  const { outcome, held_until, mailed } = answerSchema.parse(sent.body);
  // The date was called off or began while the visitor typed; the page says so.
  if (outcome === "closed") return redirect(page, 303);
  context.get(enquiryContext).notifyOffice();
  const query = new URLSearchParams({ reference: enquiryReference(sent.id) });
  if (outcome === "waiting") query.set("waiting", "");
  if (held_until !== null) query.set("held", held_until);
  if (mailed) query.set("mailed", "");
  return redirect(`${page}?${query}`, 303);
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = loaderData ? titleOf(loaderData) : TITLES.place;
  return [{ title: `${title} | ${provider.name}` }, { name: "robots", content: "noindex" }];
}

export default function Ask({ loaderData, actionData }: Route.ComponentProps) {
  const { requested, answer, holdHours, sent } = loaderData;
  if (!requested) {
    return (
      <main id="main" className="wrap">
        <PageHead title={TITLES.place} up={{ href: href("/"), label: "Home" }} />
        <div className={styles.columns}>
          <AskForm waiting={false} answer={answer} input={actionData} />
        </div>
      </main>
    );
  }
  const { course, state } = requested;
  const closed = state !== "place" && state !== "waiting";
  return (
    <main id="main" className="wrap" data-colour={requested.date.course.colour}>
      <PageHead
        title={titleOf(loaderData)}
        lead={sent ? undefined : leadOf(state, holdHours)}
        up={{ href: `${course.link}#dates`, label: course.title }}
      />
      <div className={styles.columns}>
        {!sent && <DateTicket requested={requested} />}
        <div className={styles.main}>
          {sent && <AskSent {...sent} answer={answer} course={course} />}
          {!sent && closed && <ClosedDate course={course} />}
          {!sent && !closed && <AskForm waiting={state === "waiting"} answer={answer} input={actionData} />}
        </div>
        {sent && <DateTicket requested={requested} brief />}
      </div>
    </main>
  );
}

/** "Monday 30 November 2026, 09:00" for an ISO instant; null for any other text. */
function momentOf(iso: string | null): string | null {
  if (iso === null || Number.isNaN(Date.parse(iso))) return null;
  const { long, time } = londonDate(iso);
  return `${long}, ${time}`;
}
