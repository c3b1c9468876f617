/** The picture that is shown beside a shared link to a page. */
export interface OgImage {
  /** Absolute, or from the root of the site. */
  address: string;
  alt: string;
  /** In pixels, if known. */
  size?: { width: number; height: number } | undefined;
}

/** The size of every Open Graph image that we make, in pixels. */
export const OG_IMAGE_SIZE = { width: 1200, height: 630 };
