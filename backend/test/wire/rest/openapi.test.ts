import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, SECRET_KEY, type RestFixture } from "./fixture.ts";

describeDatabases("the description of a schema", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  test("names tables, columns, enums and functions to the secret key", async () => {
    const response = await rest.raw("/", { headers: { apikey: SECRET_KEY } });
    expect(response.headers.get("content-type")).toBe("application/openapi+json; charset=utf-8");
    const body = await response.json();
    expect(body).toMatchObject({
      swagger: "2.0",
      definitions: {
        courses: {
          required: expect.arrayContaining(["id", "title"]),
          properties: {
            id: { type: "integer", format: "integer", description: "Primary key" },
            level: { type: "string", enum: ["beginner", "advanced"] },
            tags: { type: "array", items: { type: "string" } },
            price: { type: "number" },
          },
        },
      },
    });
    expect(Object.keys(body.paths["/courses"])).toEqual(["get", "post", "patch", "delete"]);
    expect(Object.keys(body.paths["/rpc/add"])).toEqual(["get", "post"]);
    expect(Object.keys(body.paths["/rpc/add_review"])).toEqual(["post"]);
    expect(body.paths["/rpc/fail"].post.parameters[0].schema.required).toEqual(["state", "message"]);
  });

  test("describes one exposed schema", async () => {
    const response = await rest.raw("/", { headers: { apikey: SECRET_KEY, "Accept-Profile": "library" } });
    expect(Object.keys((await response.json()).definitions)).toEqual(["books"]);
  });

  test("is refused to everyone else", async () => {
    expect((await rest.raw("/")).status).toBe(401);
    expect((await rest.raw("/", { method: "POST" })).status).toBe(405);
  });
});
