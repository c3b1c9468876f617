import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";

type Bytes = Uint8Array<ArrayBuffer>;

/** A photo of a phone held upright: landscape pixels with EXIF orientation and location. */
export async function phonePhoto(width = 1600, height = 1200): Promise<Bytes> {
  const photo = sharp({ create: { width, height, channels: 3, background: "#1d5a75" } })
    .withExif({ IFD3: { GPSLatitudeRef: "N", GPSLatitude: "54/1 30/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg();
  return new Uint8Array(await photo.toBuffer());
}

/** A picture of noise, which compresses badly. */
export async function noise(format: "jpeg" | "png" | "webp" | "avif" | "gif" | "tiff", width = 800, height = 600): Promise<Bytes> {
  const pixels = { width, height, channels: 3, background: "#fff", noise: { type: "gaussian", mean: 128, sigma: 30 } } as const;
  return new Uint8Array(await sharp({ create: pixels }).toFormat(format).toBuffer());
}

/** A decompression bomb: a small PNG file with many black pixels. */
export function bomb(width: number, height: number): Bytes {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  return new Uint8Array(Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]));
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
