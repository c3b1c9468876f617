import { provider } from "content/provider.ts";

/** The web app manifest, with the provider's name. */
export function loader() {
  const manifest = {
    name: provider.name,
    short_name: provider.name.split(" ")[0],
    start_url: "/",
    display: "browser",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      ...[192, 512].map((size) => ({ src: `/icon-${size}.png`, sizes: `${size}x${size}`, type: "image/png" })),
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
  return new Response(JSON.stringify(manifest), { headers: { "Content-Type": "application/manifest+json" } });
}
