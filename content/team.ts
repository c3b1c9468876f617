import type { TeamMember } from "./types.ts";

/** True while the people are invented. */
export const teamIsSample: boolean = true;

/** A note beside the team while its people are samples. */
export const teamNote = teamIsSample ? "These people are samples: they show how this page looks and teach nobody." : null;

/** The people a learner meets, in the order of the carousel. */
export const team: readonly TeamMember[] = [
  {
    id: "marian-thwaite",
    name: "Marian Thwaite",
    role: "Founder and lead trainer",
    description:
      "Marian ran security for festivals and show grounds for fifteen years before she opened the classroom. She teaches conflict management and believes that most trouble can be talked down in the first thirty seconds.",
    image: "/images/team/marian-thwaite.svg",
  },
  {
    id: "callum-birkett",
    name: "Callum Birkett",
    role: "Door supervision and physical intervention trainer",
    description:
      "Callum worked the doors of three cities and came home to the fells. He is patient with nervous learners, exact about technique and strict about looking after the person you are holding.",
    image: "/images/team/callum-birkett.svg",
  },
  {
    id: "priya-nair",
    name: "Priya Nair",
    role: "First-aid lead",
    description:
      "Priya was a paramedic for eleven years, most of them on long rural roads. She teaches first aid for places where help takes a while to arrive, and nobody leaves her room without having done it with their own hands.",
    image: "/images/team/priya-nair.svg",
  },
  {
    id: "owen-garth",
    name: "Owen Garth",
    role: "Close protection and CCTV trainer",
    description:
      "Owen served in the military police and then spent a decade on protection teams in Britain and abroad. His lessons are about planning, because a good day in close protection is one where nothing happens.",
    image: "/images/team/owen-garth.svg",
  },
  {
    id: "jess-airey",
    name: "Jess Airey",
    role: "Bookings and learner support",
    description:
      "Jess answers the phone, books your place and checks your documents before the first morning. If reading, hearing or getting here is difficult for you, tell her and she will arrange what you need.",
    image: "/images/team/jess-airey.svg",
  },
];
