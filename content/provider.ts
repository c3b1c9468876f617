import type { Provider } from "./types.ts";

/**
 * The sample provider; "Make it yours" in the README lists what else to change for another one. Phone numbers are from the ranges that
 * Ofcom reserves for fiction, `.example` is a reserved domain, and no real postcode ends in C, I, K, M, O or V.
 */
export const provider: Provider = {
  name: "Larkfell Training",
  registeredName: "Larkfell Training Limited",
  companyNumber: "00000000",
  vatNumber: null,
  sample: true,
  phone: "01632 960142",
  phoneHref: "tel:+441632960142",
  mobile: "07700 900142",
  mobileHref: "tel:+447700900142",
  email: "hello@larkfell-training.example",
  address: {
    street: "3 Packhorse Yard, Larkfell Lane",
    locality: "Penrith",
    region: "Cumbria",
    postalCode: "CA11 9VK",
    country: "GB",
  },
  geo: { latitude: 54.664, longitude: -2.752 },
  venue: "Larkfell training rooms, Penrith",
  founded: 2020,
  openingHours: {
    days: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
    opens: "09:00",
    closes: "17:00",
    text: "Monday to Friday, 09:00 to 17:00",
  },
  serviceRadiusKm: 50,
  rating: { value: 4.9, count: 127 },
  payment: ["cash", "card", "bank transfer"],
};
