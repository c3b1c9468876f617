import { openTestPglite } from "backend/test/database.ts";
import { afterAll, beforeAll } from "vitest";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

/** Opens a project with one member of staff for the tests of a file; the database is closed after them. */
export function portalProject(): () => StaffProject {
  let project: StaffProject | undefined;
  beforeAll(async () => {
    project = await openStaffProject(openTestPglite);
  });
  afterAll(async () => project?.project.database.close());
  return () => {
    if (!project) throw new Error("The project is opened before the first test");
    return project;
  };
}

/** A filled-in form. */
export function formOf(values: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

/** Returns the row of a table by its id. */
export async function rowOf<Row>({ staff }: StaffProject, table: string, id: string, columns = "*"): Promise<Row> {
  const { data, error } = await staff.from(table).select<string, Row>(columns).eq("id", id).single();
  if (error) throw error;
  return data;
}
