import { provider } from "content/provider.ts";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ErrorPage } from "./error-page.tsx";

test.each([
  [404, "Page not found"],
  [500, "Something went wrong"],
])("the page for status %i says what happened and how to call", (status, title) => {
  const html = renderToStaticMarkup(createElement(ErrorPage, { status }));
  expect(html).toContain(`<h1>${title}</h1>`);
  expect(html).toContain(`href="${provider.phoneHref}"`);
});
