import type { ComponentProps } from "react";

interface PictureProps extends ComponentProps<"img"> {
  /** What the drawing `src` shows, as a photograph: `srcset` by format and an image for everyone else. */
  photo: { sources: Record<string, string>; img: { src: string } } | undefined;
}

/** A drawing, or the photograph that took its place; `sizes` says how wide the latter is shown. */
export function Picture({ photo, src, alt, sizes, ...rest }: PictureProps) {
  if (!photo) return <img src={src} alt={alt} {...rest} />;
  return (
    <picture>
      {Object.entries(photo.sources).map(([format, srcSet]) => (
        <source key={format} type={`image/${format}`} srcSet={srcSet} sizes={sizes} />
      ))}
      <img src={photo.img.src} alt={alt} {...rest} />
    </picture>
  );
}
