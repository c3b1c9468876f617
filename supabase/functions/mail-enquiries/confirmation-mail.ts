import { courseByName } from "content/courses/index.ts";
import { enquiryReference } from "content/enquiry-reference.ts";
import { provider } from "content/provider.ts";
import type { SendMailOptions } from "nodemailer";
import { courseDateCalendar } from "../../../site/app/course-dates/course-date-calendar.ts";
import { londonDayAndTime } from "../../../site/app/time/london-date.ts";
import { dateInWords, dateTitle } from "./course-date.ts";
import type { ClaimedMail } from "./enquiry-mail.ts";

/**
 * The mail that confirms a request to the visitor, with a calendar file. It contains no text of the visitor: anybody can enter the
 * address of somebody else.
 */
export function confirmationMail({ enquiry, course_date: date }: ClaimedMail, siteUrl: string): SendMailOptions {
  const { id, reply_to, places, course_name, request, held_until } = enquiry;
  const course = courseByName(course_name ?? "");
  const waiting = request === "waiting";
  const calendar = date && !waiting ? courseDateCalendar(date, siteUrl, true) : undefined;
  const { name, email, phone, openingHours, address } = provider;
  const title = date ? dateTitle(date) : (course?.title ?? "");
  const number = `${places} ${places === 1 ? "place" : "places"}`;
  return {
    to: { name: "", address: reply_to },
    replyTo: { name, address: email },
    subject: waiting ? `You are on the waiting list: ${title}` : `We have your request: ${title}`,
    text: [
      "Hello,",
      waiting ? `You are on the waiting list for ${number}.` : `We have your request for ${number}.`,
      ...(date ? [dateInWords(date)] : []),
      `${course?.location ?? provider.venue}, ${address.street}, ${address.locality} ${address.postalCode}`,
      `Your reference: ${enquiryReference(id)}`,
      waiting
        ? `When a place becomes free we call you, in the order of the list. You pay nothing until you take a place.`
        : `${held_until === null ? "We do not hold a place for you yet." : `We hold ${places === 1 ? "it" : "them"} for you until ${londonDayAndTime(held_until)}.`} We call or write within one working day (${openingHours.text}) to book it and to agree how you pay.`,
      `Questions or a change? Answer this mail or call ${phone}.`,
      "If you did not ask us for this, somebody entered your address by mistake. Please ignore this mail.",
      name,
    ].join("\n\n"),
    ...(calendar && {
      attachments: [{ filename: calendar.name, content: calendar.text, contentType: "text/calendar; charset=utf-8" }],
    }),
  };
}
