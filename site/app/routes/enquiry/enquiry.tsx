import { courseById, courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { data, href, redirect } from "react-router";
import { ContactBlock } from "../../frame/contact-block.tsx";
import { EmbeddedForm } from "../../frame/embedded-form.tsx";
import { EnquiryForm } from "../../frame/enquiry-form.tsx";
import { pageMeta } from "../../seo/page-meta.ts";
import { enquiryContext, formContext, siteContext } from "../../server/site-context.server.ts";
import { PageHead } from "../../ui/page-head.tsx";
import type { Route } from "./+types/enquiry";
import { sendOnce } from "./send-once.server.ts";
import { enquirySchema, fieldErrors, HONEYPOT, typedValues, type EnquiryInput } from "./schema.ts";
import { FormProblems } from "./form-problems.tsx";
import { notSent } from "./not-sent.ts";
import styles from "./enquiry.module.css";

type Refusal = EnquiryInput & { problem: string };

export function loader({ request, context }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  return {
    siteUrl: context.get(siteContext).siteUrl,
    formUrl: context.get(enquiryContext).formUrl,
    courses: courses.map(({ id, title }) => ({ id, title })),
    course: courseById(searchParams.get("course") ?? "")?.id ?? "",
  };
}

/** Stores the enquiry and redirects to the thanks; otherwise returns the form with its values and errors. */
export async function action({ context }: Route.ActionArgs) {
  const { supabase, log } = context.get(siteContext);
  const form = context.get(formContext);
  if (form.get(HONEYPOT)) return redirect(href("/enquiry/thanks"), 303);

  const values = typedValues(form);
  const parsed = enquirySchema.safeParse(values);
  if (!parsed.success) {
    return data<Refusal>(
      { values, errors: fieldErrors(parsed.error), problem: "Please look at the fields marked below." },
      { status: 422 },
    );
  }
  const { course, ...rest } = parsed.data;
  const sent = await sendOnce(supabase, "send-enquiry", { ...rest, course_name: courseById(course)?.courseName ?? null }, log);
  if (typeof sent === "object") {
    context.get(enquiryContext).notifyOffice();
    return redirect(href("/enquiry/thanks"), 303);
  }
  const { problem, status } = notSent(sent, "question");
  return data<Refusal>({ values, errors: {}, problem }, { status });
}

export function meta({ loaderData }: Route.MetaArgs) {
  if (!loaderData) return [];
  return pageMeta({
    type: "page",
    title: `Ask a question | ${provider.name}`,
    description: `Ask ${provider.name} about a course, a date or a licence. We answer ${provider.openingHours.text}.`,
    path: href("/enquiry"),
    siteUrl: loaderData.siteUrl,
  });
}

export default function Enquiry({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <main id="main" className="wrap">
      <PageHead
        title="Ask a question"
        lead={`We answer on working days: ${provider.openingHours.text}.`}
        up={{ href: href("/"), label: "Home" }}
      />
      <div className={styles.columns}>
        <div className={styles.form}>
          {actionData && <FormProblems problem={actionData.problem} errors={errorsById(actionData.errors)} />}
          {loaderData.formUrl === undefined ? (
            <EnquiryForm
              courses={loaderData.courses}
              values={actionData?.values ?? { course: loaderData.course }}
              errors={actionData?.errors ?? {}}
            />
          ) : (
            <EmbeddedForm url={loaderData.formUrl} />
          )}
        </div>
        <ContactBlock />
      </div>
    </main>
  );
}

function errorsById({ name, reply_to, course, message }: Refusal["errors"]): [id: string, text: string | undefined][] {
  return [
    ["enquiry-name", name],
    ["enquiry-reply", reply_to],
    ["enquiry-course", course],
    ["enquiry-message", message],
  ];
}
