import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openProject, type Project } from "./project.ts";

const enquiry = { name: "Ada", reply_to: "ada@mail.example", course_name: null, message: "When is the next one?" };

describeDatabases("enquiries", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
  });

  test("a visitor's enquiry is stored, and staff read it", async () => {
    const { error } = await project.visitor.from("enquiries").insert(enquiry);
    expect(error).toBeNull();
    const { client } = await project.staff("office@site.example");
    const { data } = await client.from("enquiries").select("name, reply_to, course_name, message");
    expect(data).toContainEqual(enquiry);
  });

  test.each([
    ["an empty name", { name: "  " }],
    ["no way to answer", { reply_to: "" }],
    ["an empty message", { message: "" }],
    ["a message that is too long", { message: "a".repeat(4001) }],
  ])("%s is refused by the table itself", async (_what, change) => {
    const { error } = await project.visitor.from("enquiries").insert({ ...enquiry, ...change });
    expect(error?.code).toBe("23514");
  });

  test("a flood of enquiries is answered with 429", async () => {
    const flood = Array.from({ length: 30 }, () => enquiry);
    const { error, status } = await project.visitor.from("enquiries").insert(flood);
    expect(error?.code).toBe("PT429");
    expect(status).toBe(429);
  });
});
