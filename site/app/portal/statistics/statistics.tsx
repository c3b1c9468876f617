import { useLocation } from "react-router";
import { areaTitle } from "../areas.ts";
import { PageFrame } from "../frame/page-frame.tsx";
import { loadedBy } from "../lists/use-filters.ts";
import { FullStatistics } from "./full-statistics.tsx";
import { WebsiteStatistics } from "./website-statistics.tsx";

export const shouldRevalidate = loadedBy();

/** The website statistics with all details. */
export default function Statistics() {
  return (
    <PageFrame title={areaTitle(useLocation().pathname)}>
      <WebsiteStatistics Full={FullStatistics} />
    </PageFrame>
  );
}
