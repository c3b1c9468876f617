import { describeDatabases, testLog } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { sendOnce } from "./send-once.server.ts";
import { createServerClient, type Supabase } from "../../supabase/supabase.server.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../../../test/support/project.ts";

const enquiry = { name: "Ada", reply_to: "ada@mail.example", course_name: null, message: "When is the next one?" };

describeDatabases("an enquiry of the form that is sent again", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
  });

  /** The site's client for one request of a visitor. Loses this many responses. */
  function visitorClient(lost = 0): Supabase {
    let left = lost;
    const options = {
      url: PROJECT_URL,
      publishableKey: PUBLISHABLE_KEY,
      async fetch(request: Request) {
        const response = await project.backend.fetch(request, { clientAddress: "198.51.100.1" });
        if (left === 0) return response;
        left -= 1;
        throw new TypeError("connection lost");
      },
    };
    return createServerClient(options, { relations: new Set(), failed: false });
  }

  async function send(supabase: Supabase, values: typeof enquiry): Promise<string> {
    const sent = await sendOnce(supabase, "send-enquiry", values, testLog);
    return typeof sent === "object" ? "stored" : sent;
  }

  async function stored(): Promise<unknown> {
    const { data } = await project.service.from("enquiries").select("name, message").order("message");
    return data;
  }

  test("is stored once, and another question is stored too", async () => {
    for (let sent = 0; sent < 7; sent += 1) expect(await send(visitorClient(), enquiry)).toBe("stored");
    expect(await stored()).toEqual([{ name: "Ada", message: enquiry.message }]);
    expect(await send(visitorClient(), { ...enquiry, message: "And where?" })).toBe("stored");
    expect(await stored()).toHaveLength(2);
  });

  test("is stored once if responses are lost before", async () => {
    const lost = { ...enquiry, name: "Ben" };
    expect(await send(visitorClient(2), lost)).toBe("not_stored");
    expect(await send(visitorClient(1), lost)).toBe("stored");
    const { data } = await project.service.from("enquiries").select("id").eq("name", "Ben");
    expect(data).toHaveLength(1);
  });
});
