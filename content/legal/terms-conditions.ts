import { provider } from "../provider.ts";
import type { LegalPage } from "../types.ts";

const { name, registeredName, companyNumber, email, phone, phoneHref, address, openingHours, payment } = provider;
const office = `${address.street}, ${address.locality}, ${address.region} ${address.postalCode}`;
const waysToPay = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(payment);

export const termsConditions: LegalPage = {
  title: "Terms and conditions",
  effective: "2025-07-13",
  body: `These terms have applied since 13 July 2025 to every course place booked with ${name}, the trading name of ${registeredName} (company number ${companyNumber}), ${office}. “You” means the person or organisation that books; “learner” means the person who attends. Nothing here takes away the rights that the law gives to consumers.

## 1. Booking

You book by telephone on [${phone}](${phoneHref}) or by e-mail to [${email}](mailto:${email}). An enquiry form or a message is a question, not a booking. The contract begins when we confirm the place in writing, with the course, the dates, the venue and the price. Please read the confirmation and tell us at once if something is wrong.

The course page says what a learner needs before the first day. If you are not sure that you meet it, ask us before you book.

## 2. Price and payment

The price on the course page is the whole price. It includes teaching, materials, registration with the awarding organisation, the first attempt at each assessment and the certificate. It does not include what you pay to others, such as a licence fee to the Security Industry Authority, travel or meals.

You may pay by ${waysToPay}. Payment is due before the course begins, unless we have agreed in writing to invoice your organisation, in which case it is due within 30 days of the invoice. A change to a published price never affects a place already confirmed.

Learning credits and other funding must be authorised before the first day. Until they are, you are responsible for the price.

## 3. What a learner must have

- **Identity.** Original documents from the list in the joining letter. Awarding organisations do not let us assess a learner whose identity we have not checked.
- **Age.** The minimum age on the course page, on the first day.
- **First aid.** For door supervisor and security officer courses and their refreshers, Emergency First Aid at Work or an equivalent certificate, and for close protection a Level 3 first-aid certificate of at least three days, each valid for at least 12 months from the first day.
- **Licence and earlier qualifications.** For refreshers, the qualification that is being refreshed and, where the course page says so, the licence.
- **Language.** For licence-linked courses, English at about Level 1 (B2), which we must check before the course.
- **Right to work.** A licence is granted by the Security Industry Authority, which checks the right to work in the United Kingdom and criminal records. We do not check them for you. Please make sure before you book that they will not stand in your way.
- **Fitness.** For courses with physical practice, a signed statement that the learner is fit to take part. Tell us about injuries, conditions and pregnancy; we adapt the course wherever it can be done safely.

If a learner arrives without something on this list, we may have to refuse the place. We then treat it as a cancellation on that day under section 5, and offer another date where we can.

## 4. Your right to change your mind

If you are a consumer and book by telephone or e-mail, the Consumer Contracts (Information, Cancellation and Additional Charges) Regulations 2013 let you cancel within 14 days of the day the contract began, without giving a reason. Tell us clearly, by e-mail, telephone or letter. We refund everything within 14 days of hearing from you, by the way you paid.

If you ask us to begin a course within those 14 days and then cancel during it, you pay for the part already taught. Once the course has been taught in full at your request, this right ends.

## 5. If you can’t make it

After the time in section 4, or if you book as a business, these terms apply. Days are calendar days before the course begins.

- **14 days or more:** a full refund, or a free move to another date.
- **7 to 13 days:** half the price back, or one free move to another date.
- **Fewer than 7 days, or no show:** no refund, unless we fill the place; then we refund the price less what the change cost us.

You may send somebody else instead at any time before the first day, free of charge, if they have what section 3 asks for. If illness, bereavement or duty keeps a learner away, call us: we move the place to the next date whenever we can.

## 6. If we change or cancel a course

We may have to change a date, a trainer or a room. If we move or cancel a course, we tell you as early as we can, and you choose between another date and a full refund within 14 days. If you are a consumer and we cancel at short notice without a reason beyond our control, we also pay the reasonable costs you could not avoid, such as a ticket that cannot be changed.

## 7. On the course

Qualifications set minimum hours, so learners must be on time and attend all of them. We ask everyone to treat others with respect, follow safety instructions and stay clear of alcohol and drugs. A learner who puts others at risk may be asked to leave, without a refund. Tell the trainer at once about an injury.

Practical assessments for licence-linked qualifications are recorded, as the awarding organisation requires. The [privacy policy](/privacy-policy) says what happens to the recordings.

## 8. Results, certificates and licences

We teach and assess with care, but we cannot promise that a learner will pass. A learner who does not may resit; we tell you beforehand if the awarding organisation charges for it. Learners may appeal against a result to us and then to the awarding organisation.

A qualification is one of the things a licence requires. Whether to grant a licence is for the Security Industry Authority alone.

## 9. Your rights and our responsibility

Under the Consumer Rights Act 2015 we must carry out our services with reasonable care and skill. If we do not, you may ask us to do it again or to reduce the price.

We are responsible for loss that is a foreseeable result of our breaking these terms or failing to use reasonable care. We do not limit our responsibility for death or injury caused by our negligence, for fraud, or for anything else that the law does not allow to be limited.

If you book as a business, we are not responsible for lost profit or other indirect loss, and otherwise our responsibility is limited to the price of the booking. Neither of us is responsible for delay caused by events beyond reasonable control.

## 10. This website

We keep the website correct and available as well as we can. Dates and places may change until a booking is confirmed. The texts, drawings and course materials belong to us or are used with permission; please ask before you publish them elsewhere.

## 11. Complaints and law

If something is not right, tell your trainer or call the office on [${phone}](${phoneHref}), ${openingHours.text}. We answer within five working days. If we cannot settle it, you may take a complaint about a qualification to the awarding organisation.

These terms are governed by the law of England and Wales, and its courts decide disputes. If you are a consumer who lives in Scotland or Northern Ireland, you may also bring a claim there, and you keep the protection of the law where you live.`,
};
