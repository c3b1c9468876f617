import { expect, test } from "vitest";
import { logRoute } from "./log-route.ts";

const NAME = "Ada Pike.jpg";

test.each([
  ["/rest/v1/bookings?email=eq.ada@larkfell.example", "/rest/v1/bookings"],
  ["http://larkfell.example/auth/v1/verify?token=secret#there", "/auth/v1/verify"],
  ["/auth/v1/admin/users/0B2F4A6C-1111-4111-8111-111111111111/factors", "/auth/v1/admin/users/:id/factors"],
  ["/staff-calendar/0b2f4a6c-1111-4111-8111-111111111111.ics", "/staff-calendar/:id.ics"],
  ["/functions/v1/staff/ada@larkfell.example/link", "/functions/v1/staff/:address/link"],
  ["/functions/v1/staff/ada%40larkfell.example", "/functions/v1/staff/:address"],
  ["/storage/v1/bucket/pictures", "/storage/v1/bucket/pictures"],
  [`/storage/v1/object/pictures/2026/${NAME}`, "/storage/v1/object/pictures/:name"],
  [`/storage/v1/object/public/pictures/${NAME}`, "/storage/v1/object/public/pictures/:name"],
  [`/storage/v1/object/authenticated/pictures/${NAME}`, "/storage/v1/object/authenticated/pictures/:name"],
  [`/storage/v1/object/info/public/pictures/${NAME}`, "/storage/v1/object/info/public/pictures/:name"],
  [`/storage/v1/object/upload/sign/pictures/${NAME}?token=secret`, "/storage/v1/object/upload/sign/pictures/:name"],
  [`/storage/v1/object/sign/pictures/${NAME}`, "/storage/v1/object/sign/pictures/:name"],
  [`/storage/v1/render/image/public/pictures/${NAME}`, "/storage/v1/render/image/public/pictures/:name"],
  [`/storage/v1/cdn/pictures/${NAME}`, "/storage/v1/cdn/pictures/:name"],
])("%s is logged as %s", (url, route) => {
  expect(logRoute(url)).toBe(route);
});
