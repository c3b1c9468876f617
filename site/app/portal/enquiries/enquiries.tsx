import { browserClient } from "../../supabase/supabase.client.ts";
import { formValues } from "../forms/fields.ts";
import { subject } from "../forms/form-text.ts";
import { PortalForm } from "../forms/portal-form.tsx";
import { RecordFields } from "../forms/record-fields.tsx";
import { lazyPart } from "../frame/lazy-part.tsx";
import { rowOf } from "../frame/outcome.ts";
import { LongText } from "../lists/long-text.tsx";
import { useOpenRecord } from "../lists/open-record/open-record.ts";
import { ScopeSelect } from "../lists/scope-select.tsx";
import type { EditedRecord } from "../records/edited-by.tsx";
import { RecordPage } from "../records/record-page.tsx";
import { startEdit } from "../records/save-record.ts";
import { useRecordPage, type RecordPageState } from "../records/use-record-page.ts";
import { EnquiryList } from "./enquiry-list.tsx";
import { enquiryFields, handlingFields, requestInWords, type EnquiryForm } from "./fields.ts";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import { addEnquiry, listEnquiries, readEnquiry, recentSince, saveEnquiry } from "./queries.ts";
import { loadedBy } from "../lists/use-filters.ts";
import { useStatuses } from "./use-statuses.ts";
import type { Route } from "./+types/enquiries";

// Lazy: most visits open no record.
const EnquiryPanel = lazyPart(() => import("./enquiry-panel.tsx"));

export const shouldRevalidate = loadedBy("when");

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams;
  const scope = search.get("when") === "all" ? "all" : { since: recentSince(Date.now()) };
  return { enquiries: listEnquiries(browserClient(), scope) };
}

/** The enquiries of customers, with their status and notes. */
export default function Enquiries({ loaderData: { enquiries } }: Route.ComponentProps) {
  const page = useRecordPage<EnquiryForm>({
    area: "enquiry",
    async reopen(_form, id) {
      const enquiry = await rowOf(readEnquiry(browserClient(), id), id);
      return enquiry ? { form: "edit", edit: startEdit(enquiry) } : null;
    },
    inWords: ({ name = "" }) => subject("enquiry", name),
  });
  const statuses = useStatuses(page);
  const opened = useOpenRecord(enquiries, page.removed, (id) => readEnquiry(browserClient(), id));
  useFollowChanges(["enquiries", "bookings", "course_dates"], { isPaused: page.isPaused });
  return (
    <RecordPage
      page={page}
      addLabel="New enquiry"
      form={<OpenForm page={page} />}
      edited={editedIn(page)}
      panel={opened && <EnquiryPanel open={opened} page={page} statuses={statuses} />}
    >
      <EnquiryList
        enquiries={enquiries}
        page={page}
        statuses={statuses}
        scope={<ScopeSelect label="Show" recent="Open, and the last 90 days" />}
      />
    </RecordPage>
  );
}

function editedIn({ open }: RecordPageState<EnquiryForm>): EditedRecord | undefined {
  return open?.form === "edit" ? { table: "enquiries", id: open.edit.opened.id, noun: "enquiry" } : undefined;
}

function OpenForm({ page: { open, keyOf, finish } }: { page: RecordPageState<EnquiryForm> }) {
  if (!open) return null;
  const shared = { formKey: keyOf(open.form), onDone: finish, takesFocus: true, titled: true, checksFields: true };
  if (open.form === "new")
    return (
      <PortalForm
        {...shared}
        name="New enquiry"
        label="Add enquiry"
        busyLabel="Adding..."
        addsRecord
        submit={(form) => addEnquiry(browserClient(), form)}
      >
        {({ field }) => <RecordFields fields={enquiryFields} field={field} />}
      </PortalForm>
    );
  const { name, course_name, message, request } = open.edit.opened;
  return (
    <PortalForm
      {...shared}
      name={`Enquiry of ${name}`}
      label="Save enquiry"
      busyLabel="Saving..."
      opened={open.edit.opened}
      begin={formValues(handlingFields, open.edit.opened)}
      submit={(form) => saveEnquiry(browserClient(), open.edit, form)}
    >
      {({ field }) => (
        <>
          <blockquote className="wide">
            <p>
              <strong>{name}</strong>
              {course_name !== null && `, about ${course_name}`}
            </p>
            {request !== null && <p>{requestInWords(open.edit.opened)}</p>}
            <LongText text={message} />
          </blockquote>
          <RecordFields fields={handlingFields} field={field} />
        </>
      )}
    </PortalForm>
  );
}
