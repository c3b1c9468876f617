import { priceRange } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { reviewsAreSample } from "content/reviews.ts";
import type { Course } from "content/types.ts";
import type { Availability } from "../course-dates/course-date.ts";
import type { OgImage } from "./og-image.ts";

/** A node of schema.org's vocabulary. */
export type StructuredData = { "@type": string | readonly string[] } & Record<string, StructuredValue>;
type StructuredValue = string | number | readonly StructuredValue[] | { [key: string]: StructuredValue };

const METRES_A_KILOMETRE = 1000;

/** The provider as a local business; the home page shows every one of these facts. */
export function organisation(siteUrl: string): StructuredData {
  const { address, openingHours, rating, geo } = provider;
  return {
    "@type": ["LocalBusiness", "EducationalOrganization"],
    "@id": `${siteUrl}/#provider`,
    name: provider.name,
    legalName: provider.registeredName,
    url: `${siteUrl}/`,
    telephone: provider.phoneHref.slice("tel:".length),
    email: provider.email,
    foundingDate: String(provider.founded),
    image: `${siteUrl}/icon-512.png`,
    logo: `${siteUrl}/icon-512.png`,
    address: {
      "@type": "PostalAddress",
      streetAddress: address.street,
      addressLocality: address.locality,
      addressRegion: address.region,
      postalCode: address.postalCode,
      addressCountry: address.country,
    },
    openingHoursSpecification: {
      "@type": "OpeningHoursSpecification",
      dayOfWeek: openingHours.days,
      opens: openingHours.opens,
      closes: openingHours.closes,
    },
    priceRange: `£${priceRange.from}-£${priceRange.to}`,
    paymentAccepted: provider.payment.join(", "),
    ...(geo && {
      geo: { "@type": "GeoCoordinates", ...geo },
      areaServed: {
        "@type": "GeoCircle",
        geoMidpoint: { "@type": "GeoCoordinates", ...geo },
        geoRadius: provider.serviceRadiusKm * METRES_A_KILOMETRE,
      },
    }),
    // A sample site shows the format; a real provider publishes no invented rating.
    ...((provider.sample || !reviewsAreSample) && {
      aggregateRating: { "@type": "AggregateRating", ratingValue: rating.value, ratingCount: rating.count, bestRating: 5 },
    }),
  };
}

/** The website of the provider. */
export function webSite(siteUrl: string): StructuredData {
  return {
    "@type": "WebSite",
    "@id": `${siteUrl}/#website`,
    url: `${siteUrl}/`,
    name: provider.name,
    publisher: { "@id": `${siteUrl}/#provider` },
  };
}

/** The courses in the order of the catalogue, without their names, which the data of each course page contain. */
export function courseList(siteUrl: string, courses: readonly { link: string }[]): StructuredData {
  return {
    "@type": "ItemList",
    "@id": `${siteUrl}/#courses`,
    itemListElement: courses.map(({ link }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      url: siteUrl + link,
    })),
  };
}

const EVENT_STATUS = { open: "EventScheduled", full: "EventScheduled", cancelled: "EventCancelled", postponed: "EventPostponed" };

/** A course with its price and one instance for each upcoming date; dates are ISO instants with offset. */
export function courseNode(
  siteUrl: string,
  course: Course,
  dates: readonly { date: { instant: string }; lastDay: { date: string } | null; availability: Availability }[],
): StructuredData {
  const url = siteUrl + course.link;
  return {
    "@type": "Course",
    "@id": `${url}#course`,
    name: course.title,
    description: course.description,
    url,
    provider: {
      "@type": ["LocalBusiness", "EducationalOrganization"],
      "@id": `${siteUrl}/#provider`,
      name: provider.name,
      url: `${siteUrl}/`,
    },
    offers: offer(course, url),
    ...(dates.length > 0 && {
      hasCourseInstance: dates.map(({ date, lastDay, availability }) => ({
        "@type": "CourseInstance",
        courseMode: "Onsite",
        startDate: date.instant,
        ...(lastDay && { endDate: lastDay.date }),
        eventStatus: `https://schema.org/${EVENT_STATUS[availability]}`,
        offers: {
          ...offer(course, url),
          availability: `https://schema.org/${availability === "open" ? "InStock" : "SoldOut"}`,
        },
        ...(course.hours === undefined
          ? { courseSchedule: { "@type": "Schedule", repeatFrequency: "Daily", repeatCount: course.days } }
          : { courseWorkload: `PT${course.hours}H` }),
        location: { "@type": "Place", name: course.location, address: provider.address.locality },
      })),
    }),
  };
}

function offer({ price }: Course, url: string) {
  return { "@type": "Offer", category: "Paid", price, priceCurrency: "GBP", url };
}

/** The path from the home page to a page. */
export function breadcrumb(siteUrl: string, steps: readonly { name: string; path: string }[]): StructuredData {
  return {
    "@type": "BreadcrumbList",
    itemListElement: [{ name: "Home", path: "/" }, ...steps].map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: siteUrl + path,
    })),
  };
}

/** A post of the blog. */
export function blogPosting(
  siteUrl: string,
  post: Record<"title" | "description" | "path" | "author" | "published" | "updated", string> & { image?: OgImage | undefined },
): StructuredData {
  return {
    "@type": "BlogPosting",
    "@id": `${siteUrl}${post.path}#post`,
    headline: post.title,
    description: post.description,
    url: siteUrl + post.path,
    mainEntityOfPage: siteUrl + post.path,
    datePublished: post.published,
    dateModified: post.updated,
    author: { "@type": isOrganisation(post.author) ? "Organization" : "Person", name: post.author },
    publisher: { "@type": ["LocalBusiness", "EducationalOrganization"], "@id": `${siteUrl}/#provider`, name: provider.name },
    ...(post.image && {
      image: { "@type": "ImageObject", url: new URL(post.image.address, siteUrl).href, caption: post.image.alt, ...post.image.size },
    }),
  };
}

/** True for the provider itself and for an author such as "The training office". */
function isOrganisation(author: string): boolean {
  return author === provider.name || /^(the|our) /i.test(author);
}
