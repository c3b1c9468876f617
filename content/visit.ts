import { provider } from "./provider.ts";

/** True while the facts below about rooms, roads and payment are invented. */
export const visitIsSample: boolean = true;

/** A note beside these facts while they are samples. */
export const visitNote = visitIsSample ? "These facts about the rooms, the way there and instalments are samples." : null;

const { geo } = provider;

/** The venue on a map; null without coordinates. */
export const mapLink = geo
  ? `https://www.openstreetmap.org/?mlat=${geo.latitude}&mlon=${geo.longitude}#map=16/${geo.latitude}/${geo.longitude}`
  : null;

/** Facts for a visit of the training rooms. */
export const visit: readonly { title: string; text: string }[] = [
  { title: "By train and bus", text: "The station is 15 minutes away on foot. Buses stop at the end of the lane." },
  {
    title: "By car",
    text: "The rooms are 10 minutes from the motorway. Eight free spaces in the yard; the public car park is 3 minutes away.",
  },
  {
    title: "Access",
    text: "The rooms and an accessible toilet are on the ground floor, without steps. One parking space is reserved for disabled drivers. Tell us before you come if you need a hearing loop, large print or another arrangement.",
  },
  { title: "Lunch", text: "Tea and coffee are free. Bring a lunch or use the bakery across the road." },
];

/** The offer to pay in instalments. */
export const instalments =
  "Courses of £250 or more can be paid in two parts: half when you book, and the rest before the first day. It costs nothing extra; ask when you book.";

/** The lowest price that can be paid in two parts, in pounds. */
export const INSTALMENTS_FROM = 250;
