import type { ComponentProps } from "react";

interface PictureProps extends ComponentProps<"img"> {
  /** A photograph that replaces the illustration `src`. */
  photo: { sources: Record<string, string>; img: { src: string } } | undefined;
}

/** An illustration, or the photograph that replaces it; `sizes` is for the photograph. */
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
