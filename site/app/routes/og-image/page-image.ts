import { courseById } from "content/courses/index.ts";
import { courseImage, siteImage } from "../../og-image/page-og-image.server.ts";
import { ogImageContext } from "../../server/site-context.server.ts";
import type { Route } from "./+types/page-image";
import { imageName, notFound, ogImageResponse } from "./og-image-response.server.ts";

/** Serves the Open Graph image of a course, and of all pages without their own. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const name = imageName(params.file) ?? "";
  const course = courseById(name);
  const image = await (course ? courseImage(course) : name === "site" ? siteImage() : null);
  return image ? ogImageResponse(request, image, context.get(ogImageContext)) : notFound();
}
