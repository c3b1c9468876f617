interface PolicySources {
  /** Allows this response's inline scripts; undefined if it has none. */
  nonce: string | undefined;
  /** `'sha256-…'` of the stylesheets in the document. */
  styleHashes: readonly string[];
  enquiryFormOrigin: string | undefined;
  /** True if visitors reach the site over TLS. */
  secure: boolean;
}

/** Sets the security headers of a response (CSP level 3, HSTS RFC 6797). */
export function setSecurityHeaders(headers: Headers, sources: PolicySources): void {
  const { nonce, styleHashes, enquiryFormOrigin, secure } = sources;
  headers.set(
    "Content-Security-Policy",
    [
      "default-src 'none'",
      `script-src 'self'${nonce === undefined ? "" : ` 'nonce-${nonce}'`}`,
      `style-src 'self'${styleHashes.map((hash) => ` ${hash}`).join("")}`,
      // A post may show pictures from elsewhere; secure pages upgrade http to https.
      "img-src 'self' data: https: http:",
      "font-src 'self'",
      "connect-src 'self'",
      "manifest-src 'self'",
      `frame-src ${enquiryFormOrigin ?? "'none'"}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      ...(secure ? ["upgrade-insecure-requests"] : []),
    ].join("; "),
  );
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("X-Frame-Options", "DENY");
  if (!headers.has("Referrer-Policy")) headers.set("Referrer-Policy", "strict-origin-when-cross-origin");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()");
  if (secure) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
}
