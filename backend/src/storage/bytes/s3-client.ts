import type * as Library from "@aws-sdk/client-s3";

/** An account at an S3 service. */
export interface S3Account {
  /** The address of a service other than Amazon's. */
  endpoint?: string | undefined;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Opens a client of an S3 service, with the library that it is from. */
export async function openS3Client({ endpoint, region, accessKeyId, secretAccessKey }: S3Account): Promise<{
  s3: typeof Library;
  client: Library.S3Client;
}> {
  // Loaded only where S3 is configured: the library is large.
  const s3 = await import("@aws-sdk/client-s3");
  const client = new s3.S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Services other than Amazon's do not support the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return { s3, client };
}
