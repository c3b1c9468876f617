import { provider } from "./provider.ts";
import type { Accreditation } from "./types.ts";

/**
 * The accreditations of the provider. The Security Industry Authority approves qualifications and
 * not training providers, so no text here may call the provider SIA-approved.
 */
export const accreditations: readonly Accreditation[] = [
  {
    title: "SIA licence-linked qualifications",
    text: "Our door supervisor, security officer, CCTV and close protection courses lead to the qualifications the Security Industry Authority asks for when you apply for a licence. The SIA does not accredit training providers: an awarding organisation regulated by Ofqual approves us as a centre, checks our assessments and issues your certificate.",
  },
  {
    title: "Armed-forces learning credits",
    text: `${provider.name} is an approved accreditation provider for armed-forces learning credits. Enhanced Learning Credits go towards qualifications at Level 3 or above, such as Close Protection. Have your Claim Authorisation Note in hand before the course starts, because a claim cannot be made afterwards.`,
  },
  {
    title: "Regulated first aid",
    text: "Our Level 3 first-aid certificates come from an awarding organisation regulated by Ofqual and meet what the Health and Safety (First-Aid) Regulations 1981 ask of an employer. We teach the current Resuscitation Council UK guidelines and change our lessons when they do.",
  },
];
