import { areaIcons } from "../areas.ts";

/** The symbols of the navigation that belong to no area. */
const OTHERS = {
  today:
    '<circle cx="10" cy="10" r="3.4" /><path d="M10 2v1.6M10 16.4V18M2 10h1.6M16.4 10H18M4.3 4.3l1.2 1.2M14.5 14.5l1.2 1.2M4.3 15.7l1.2-1.2M14.5 5.5l1.2-1.2" />',
  profile: '<circle cx="10" cy="6.8" r="3.3" /><path d="M3.8 17c.6-3.4 3-5.2 6.2-5.200s5.6 1.8 6.2 5.2" />',
  more: '<path d="M3.5 5.500h13M3.5 10h13M3.5 14.500h13" />',
  search: '<circle cx="8.8" cy="8.8" r="5.2" /><path d="m12.7 12.7 4 4" />',
};

/** The file `/shapes/portal.svg`, which the build writes: the symbols, by the last part of the path of an area. */
export const portalShapes = `<svg xmlns="http://www.w3.org/2000/svg">${Object.entries({ ...OTHERS, ...areaIcons })
  .map(([name, drawing]) => `<symbol id="${name.slice(name.lastIndexOf("/") + 1)}" viewBox="0 0 20 20">${drawing}</symbol>`)
  .join("")}</svg>`;
