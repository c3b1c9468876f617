import { useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { SelectField } from "../../ui/field.tsx";
import { idParam } from "../forms/search-params.ts";
import { LoadingPage } from "../frame/loading-page.tsx";
import { startEdit, type RecordEdit } from "../records/save-record.ts";
import { portalMeta } from "../frame/portal-meta.ts";
import { RecordPage } from "../records/record-page.tsx";
import { requireSession } from "../session/session.ts";
import { useRecordPage } from "../records/use-record-page.ts";
import { HandleEnquiry, NewEnquiry } from "./enquiry-form.tsx";
import { EnquiryList } from "./enquiry-list.tsx";
import { useFollowChanges } from "./follow-changes.ts";
import { addEnquiry, deleteEnquiry, latestChange, listEnquiries, readEnquiry, recentSince, saveEnquiry } from "./queries.ts";
import type { Enquiry } from "./fields.ts";
import { useStatuses } from "./use-statuses.ts";
import type { Route } from "./+types/enquiries";

const TITLE = "Enquiries";

export function meta() {
  return portalMeta(TITLE);
}

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const { user } = await requireSession();
  const search = new URL(request.url).searchParams;
  const openId = idParam(search, "open");
  const all = search.get("when") === "all";
  const scope = all ? "all" : { since: recentSince(Date.now()) };
  return { userId: user.id, email: user.email, all, openId, enquiries: listEnquiries(browserClient(), scope) };
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  return <LoadingPage title={TITLE} />;
}

interface EditForm {
  form: "edit";
  edit: RecordEdit<Enquiry>;
}

/** The enquiries of customers, with their status and notes. */
export default function Enquiries({ loaderData: { userId, email, all, openId, enquiries } }: Route.ComponentProps) {
  const navigate = useNavigate();
  const page = useRecordPage<EditForm>({
    userId,
    area: "enquiry",
    requested: openId !== null && { form: "edit", id: openId },
    async reopen(_form, id) {
      const enquiry = await readEnquiry(browserClient(), id);
      return enquiry && { form: "edit", edit: startEdit(enquiry) };
    },
  });
  const statuses = useStatuses(page.show);
  useFollowChanges(() => latestChange(browserClient()));
  const { open } = page;
  const shared = open && { formKey: page.keyOf(open.form), onDone: page.finish };
  return (
    <RecordPage
      title={TITLE}
      email={email}
      page={page}
      addLabel="New enquiry"
      form={
        shared &&
        (open.form === "edit" ? (
          <HandleEnquiry {...shared} enquiry={open.edit.opened} submit={(form) => saveEnquiry(browserClient(), open.edit, form)} />
        ) : (
          <NewEnquiry {...shared} submit={(form) => addEnquiry(browserClient(), form)} />
        ))
      }
    >
      <div className="scope">
        <SelectField
          id="scope"
          label="Show"
          standalone
          value={all ? "all" : ""}
          onChange={({ currentTarget: { value } }) =>
            void navigate(value === "all" ? "/admin/enquiries?when=all" : "/admin/enquiries", { replace: true })
          }
        >
          <option value="">Open, and the last 90 days</option>
          <option value="all">All</option>
        </SelectField>
      </div>
      <p role="status" className="visually-hidden">
        {statuses.announced}
      </p>
      <EnquiryList
        enquiries={enquiries}
        removed={page.removed}
        statusOf={statuses.of}
        setStatus={statuses.set}
        edit={(enquiry) => page.begin({ form: "edit", edit: startEdit(enquiry) })}
        remove={(enquiry) => page.remove(enquiry, () => deleteEnquiry(browserClient(), enquiry.id))}
      />
    </RecordPage>
  );
}
