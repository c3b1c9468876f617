import { provider } from "./provider.ts";
import type { Review } from "./types.ts";

/** True while the reviews and the rating are invented. Set it to false only if the note below is true of your reviews. */
export const reviewsAreSample: boolean = true;

/** A note beside the reviews: that they are samples, or how they are collected. */
export const reviewsNote = reviewsAreSample
  ? "These reviews and the rating are samples: they show how this page looks and were written by no learner."
  : `After each course we ask every learner for a rating and, if they like, a few words. We check each reply against a booking, pay for none and change only spelling. All ${provider.rating.count} ratings count towards the average of ${provider.rating.value} out of 5; the reviews quoted here are a choice from those with five stars.`;

/** Thirty reviews, in the order of the carousel. */
export const reviews: readonly Review[] = [
  {
    name: "Daniel R.",
    text: "I had not sat an exam since school and nearly did not turn up. Callum explained every unit as a story from a real shift, so by the last day the answers were things I had already pictured. Passed first time and working three weeks later.",
    rating: 5,
    course: "Lvl 2 Door Supervisor",
  },
  {
    name: "Siobhan M.",
    text: "Clear, calm and practical. I finally understand what the recovery position is for.",
    rating: 5,
    course: "Emergency First Aid",
  },
  {
    name: "Gareth P.",
    text: "Twenty-four days is a long course and not one of them felt wasted. The planning exercises were the hardest part and the part I use most now. Owen tells you exactly where you went wrong, and then how to put it right.",
    rating: 5,
    course: "Lvl 3 Close Protection",
  },
  {
    name: "Aisha K.",
    text: "Small group, plenty of time on the manikins, no silly questions.",
    rating: 5,
    course: "Emergency First Aid Work Level 3",
  },
  {
    name: "Tom W.",
    text: "Two months after the course a lad collapsed on our site. I heard Priya’s voice in my head telling me what came next. He is back at work. I do not know what else to say except thank you.",
    rating: 5,
    course: "First Aid at Work Level 3",
  },
  {
    name: "Linda H.",
    text: "Jess noticed that my first-aid certificate would run out too soon and told me before I paid, which saved me a lot of bother.",
    rating: 5,
    course: "Door Supervisor Refresher Course",
  },
  {
    name: "Marek S.",
    text: "English is my second language and the law sections worried me. The trainer went through the words with me at lunch every day and never made me feel slow. I got my licence in the spring.",
    rating: 5,
    course: "Lvl 2 Security Officer",
  },
  {
    name: "Becky T.",
    text: "Did what it said, finished on time, and the brews were good.",
    rating: 5,
    course: "Manual Handling",
  },
  {
    name: "Imran A.",
    text: "The control-room exercise was excellent. Following someone across six cameras is far harder than it looks.",
    rating: 5,
    course: "Lvl 2 CCTV",
  },
  {
    name: "Carol J.",
    text: "Safeguarding can be a heavy subject. It was handled with real care, we could step out when we needed to, and I left knowing precisely whom to ring and what to write down.",
    rating: 5,
    course: "Safeguarding Awareness Training Level 1",
  },
  {
    name: "Steve N.",
    text: "Three hours once a year is nothing, and it is surprising how much you forget. Worth every penny of the fifty quid.",
    rating: 5,
    course: "Annual First Aid Refresher Course",
  },
  {
    name: "Hannah B.",
    text: "I run a village nursery and took on the safeguarding lead role without much warning. The case studies were close to things I have met since. I keep the notes in my desk drawer and have opened them more than once.",
    rating: 5,
    course: "Safeguarding Lead Training Level 3",
  },
  {
    name: "Craig D.",
    text: "Straight-talking trainers who have clearly done the job.",
    rating: 5,
    course: "Lvl 2 Door Supervisor",
  },
  {
    name: "Mei L.",
    text: "We sent six of the kitchen team. The scenarios were set up around burns, cuts and choking because that is what we see.",
    rating: 5,
    course: "First Aid at Work",
  },
  {
    name: "Robbie F.",
    text: "Left the army in March and used my learning credits. The paperwork was new to me and the office walked me through it, including which bit had to be signed before day one. Good course, good people, proper feedback.",
    rating: 5,
    course: "Lvl 3 Close Protection",
  },
  {
    name: "Joanne E.",
    text: "Informative without being dull, which I did not think possible for health and safety.",
    rating: 5,
    course: "Health & Safety in Workplace Level 1",
  },
  {
    name: "Peter O.",
    text: "I am sixty-one and was the oldest in the room by some way. Nobody treated me any differently, though the physical skills were adapted for my bad shoulder after a quiet word on the first morning.",
    rating: 5,
    course: "Lvl 2 Door Supervisor",
  },
  {
    name: "Natalie C.",
    text: "Booked on the phone in five minutes with a real person.",
    rating: 5,
  },
  {
    name: "Dev P.",
    text: "The search practice and the session on spiking were bang up to date. I have done this work for nine years and still came away with things to change.",
    rating: 5,
    course: "Door Supervisor Refresher Course",
  },
  {
    name: "Fiona G.",
    text: "My daughter had a febrile seizure a fortnight after the course. I was frightened, but I knew what to do and what to tell the call handler. I have since talked half the school gate into booking.",
    rating: 5,
    course: "Emergency First Aid",
  },
  {
    name: "Lee A.",
    text: "Good pace, fair exam, and honest about what the job pays.",
    rating: 5,
    course: "Lvl 2 Security Officer",
  },
  {
    name: "Agnieszka Z.",
    text: "Very well organised. I had the joining letter, the list of documents and a map a week before.",
    rating: 5,
    course: "Lvl 2 CCTV",
  },
  {
    name: "Martin Y.",
    text: "Three days well spent. My employer wanted somebody who would take charge rather than somebody with a certificate, and I think they got one.",
    rating: 5,
    course: "First Aid at Work Level 3",
  },
  {
    name: "Kelly-Ann S.",
    text: "I was the only woman on the course and it was a non-issue from the first hour.",
    rating: 5,
    course: "Lvl 2 Door Supervisor",
  },
  {
    name: "George I.",
    text: "Our farm is forty minutes from an ambulance on a good day. The trainer asked about that first and shaped the afternoon around it: crush injuries, bleeding, keeping someone warm. Nobody had ever done that for us before.",
    rating: 5,
    course: "Emergency First Aid Work Level 3",
  },
  {
    name: "Sunita V.",
    text: "Friendly, punctual and thorough.",
    rating: 5,
    course: "Manual Handling",
  },
  {
    name: "Andy K.",
    text: "Missed my first date with flu. They moved me to the next one without a fuss.",
    rating: 5,
    course: "Security Officer Refresher Course",
  },
  {
    name: "Rachel U.",
    text: "As a volunteer I wanted to know where my part ends and where the professionals begin. That is exactly what I got.",
    rating: 5,
    course: "Safeguarding Awareness Training Level 1",
  },
  {
    name: "Wayne Q.",
    text: "Second course I have done here. Same standard both times.",
    rating: 5,
    course: "Annual First Aid Refresher Course",
  },
  {
    name: "Eleanor V.",
    text: "I had been putting off the refresher and dreading the physical part. It was taught step by step, with a partner of my own size, and I felt safer at work the very next weekend.",
    rating: 5,
    course: "Door Supervisor Refresher Course",
  },
];
