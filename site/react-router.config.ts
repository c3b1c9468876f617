import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // The sitemap is public anyway; lazy discovery would add a request at each navigation of the portal.
  routeDiscovery: { mode: "initial" },
} satisfies Config;
