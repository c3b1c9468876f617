import { provider } from "./provider.ts";
import type { About } from "./types.ts";

/** The about section of the home page. */
export const about: About = {
  heading: "Taught by people who have done the job",
  paragraphs: [
    `${provider.name} opened in ${provider.founded} with one classroom in ${provider.address.locality} and a simple aim: nobody in ${provider.address.region} should have to drive to a city to train for work in security or first aid. That is still what we do. We teach in our own rooms, and at workplaces within ${provider.serviceRadiusKm} km of them.`,
    "Our trainers have stood on doors, answered 999 calls and watched the screens through the night. They take time for the question you were not sure you could ask. You practise until it feels ordinary, because that is how it has to feel when it counts.",
    "We tell you the whole price, what you need before you start and what the certificate does and does not let you do. If another course would suit you better, we say so, even when it is shorter and costs less.",
  ],
};
