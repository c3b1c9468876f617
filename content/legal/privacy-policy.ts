import { provider } from "../provider.ts";
import type { LegalPage } from "../types.ts";

const { name, registeredName, companyNumber, email, phone, phoneHref, address, openingHours } = provider;
const office = `${address.street}, ${address.locality}, ${address.region} ${address.postalCode}`;

export const privacyPolicy: LegalPage = {
  title: "Privacy policy",
  effective: "2025-07-13",
  body: `This policy says what ${name} knows about you, why, for how long, and what you can do about it. It has applied since 13 July 2025. In 2026 we rewrote the parts on the statistics cookie and on complaints to follow the changes in the law, and named text messages and WhatsApp.

## Who we are

${registeredName} (company number ${companyNumber}), ${office}, decides how the information described here is used. We are the data controller.

Write to [${email}](mailto:${email}) or call [${phone}](${phoneHref}), ${openingHours.text}, about anything on this page.

## What we collect, and why

**Enquiries and requests for places.** Your name, how to reach you and what you ask; for a place on a course also the date, the number of places and, if the date is full, your position on the waiting list. We use them to answer you, and a request becomes your booking when we confirm it. Our lawful basis is our legitimate interest in answering people who write to us or, when you ask about booking, the steps you want us to take before a contract. The enquiry form may be supplied by a form service that works on our instructions. Such a form is loaded only when you open it, and the page says who supplies it.

**Bookings.** Your name, contact details, the course, what was paid and who paid it. We need them to keep our contract with you or with your employer, and our accounts because tax law says so. We record that a payment was made by cash, card or bank transfer; we do not store card numbers.

**Letters and messages.** We write to you about your booking, your place on a waiting list or your enquiry: a confirmation, reminders before the course, and changes. We write by e-mail or, if we have no e-mail address of you, as a text message to your mobile phone. We may also answer you with WhatsApp. We keep what we wrote and when, so that we know what you were told. Our lawful basis is our contract with you or our legitimate interest in telling you about your booking, place or enquiry. These letters and messages are not marketing. Tell us if you want none, or none with WhatsApp.

**Training records.** Date of birth, copies or details of the identity documents, first-aid certificates and licences a course requires, attendance, assessments, recordings of practical assessments where the awarding organisation requires them, and results. We need them to keep our contract and to meet our duties to the awarding organisation, which is a legitimate interest of ours and of yours in a certificate that counts.

**Health and access.** What you tell us about injuries, conditions, pregnancy or support you need. It is used to keep you safe and to adapt the course. We ask for your explicit consent, and you may withdraw it; we may then be unable to let you take part in physical practice.

**Reviews.** If you give us a rating or a few words, we publish them with your first name and initial, with your consent, and take them down when you ask.

**Statistics.** How often each public page is opened on a day, which websites and kinds of device visitors come from, and a random number that stands for a browser. The next section explains it. Our lawful basis is our legitimate interest in a website that is useful.

**Staff accounts.** The e-mail address, sign-in details and actions of people who work in our portal, for our legitimate interest in keeping it secure.

Our server also handles your internet address to deliver pages and to stop abuse. We do not join it to the statistics: to stop floods our server counts page views, enquiries and objections to the statistics by address for ten minutes. For that it stores a scrambled form of the address, from which it cannot be read back, and deletes it within an hour after that time. So that nobody can fill your mailbox with our confirmations, it counts those to one e-mail address in the same way for a day. If you object to the statistics we count that somebody did, and nothing else. We make no decisions about you by automated means alone, and we never sell information.

## The statistics cookie

When you open a public page, our own server sets one cookie that holds a random number. With it we count how many browsers visited and which pages they opened.

- It lasts **365 days**.
- It is **first-party**: only our website sets it and reads it, and nobody else receives what it counts.
- Its **only purpose is statistics** that help us improve the website. It is not used for advertising, and it is not linked to your name, your booking or your enquiry.
- We look at totals only, such as visitors in a month or the most viewed pages.

The law allows a cookie used in this way without asking first, provided that you are told clearly and can object simply and free of charge. You can object in any of these ways:

- **Use the switch** in the footer of every page, or the one on this page. It works at once: the cookie is deleted and no more page views are sent.
- **Turn on Global Privacy Control** in your browser. We treat the signal as an objection, and you need do nothing else.
- **Write or call**, and we help you do it.

If you object, we store that choice in your browser, because otherwise we could not keep to it. The site works the same either way. You may change your mind with the same switch.

We store only two other things on your device. If you close the notice about the statistics, your browser keeps that you did, so that the notice does not come again. For staff it keeps what the portal needs: the sign-in, what they typed but did not save, and their choices in the portal.

## Who else sees it

- Awarding organisations that register you, check our assessments and issue your certificate.
- Your employer, sponsor or the Ministry of Defence’s learning credits scheme, when they pay for your place: attendance and result, and nothing about your health unless you agree.
- The Security Industry Authority and other public bodies, where the law requires or allows it.
- Companies that host the website, carry our e-mail and our text messages, supply forms or keep our accounts. They act on our written instructions.
- WhatsApp, a company of the Meta group, if we write to you there: your mobile number and the message. It uses them under its own privacy policy.

Where one of them handles information outside the United Kingdom, we rely on UK adequacy regulations or on the contract terms the Information Commissioner has approved.

## How long we keep it

- Enquiries that lead to no booking: 12 months after the last message. Requests for places are enquiries.
- Your place on a waiting list: until you are booked or ask to be taken off; otherwise 12 months, or until the date you wait for if that is later.
- Bookings and payments, with the enquiry that led to the booking: six years after the end of the financial year they fall in. Our financial years end on 31 March.
- Letters about a booking or an enquiry: as long as the booking or enquiry, at most 12 months after we sent them.
- Training records: as long as the awarding organisation requires, and at least three years, so that a certificate can be checked or replaced.
- Health and access information: until the course and any appeal are over. Reports of accidents are kept for three years, or until an injured person who is under 18 turns 21.
- Statistics: the random number of a browser and the day of its last visit for 365 days, which is also how long the cookie lasts; daily totals, in which nobody can be found, for as long as they are useful.
- What is changed in bookings, enquiries, course dates and posts, and bookings, dates and posts that are deleted: as it was before, for 30 days, so that a mistake can be put right; who changed it, without what it said, for 12 months.
- Staff accounts: until the person leaves. A browser in which nobody uses the portal for 30 days is signed out. Who did what to which account: 12 months. Who signed in or out of a staff account: 12 months; from which internet address: 90 days. When a signed-in browser was used: 12 months.

## Your rights

You may ask us for a copy of what we hold about you, ask us to correct or delete it, to use it less or to hand it over in a form you can reuse, and you may object to what we do on the ground of legitimate interests. Where we rely on consent, you may withdraw it at any time. Asking is free. We answer within one month and tell you if a difficult request needs longer.

## If you are unhappy: data-protection complaints

You may complain to us about how we use your information by e-mail, by telephone, by letter or in person. You need no special form.

1. We **acknowledge your complaint within 30 days** of receiving it, and usually within two working days.
2. Somebody who did not take the decision looks into it without undue delay, and keeps you informed.
3. We tell you the outcome, the reasons and what we will change.

You may also complain to the Information Commissioner’s Office (ICO), the regulator for data protection, at [ico.org.uk/make-a-complaint](https://ico.org.uk/make-a-complaint/). The ICO usually asks you to raise the matter with us first.

## Changes

When we change this policy, the new text appears here. If a change matters to people whose information we already hold, we tell them.`,
};
