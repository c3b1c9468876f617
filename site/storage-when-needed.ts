import type { StorageClient as Storage } from "@supabase/storage-js";

type Bucket = ReturnType<Storage["from"]>;

/**
 * Replaces the storage client of supabase-js in the browser, whose 6 KB (gzip) only the pictures of posts need: the first call of
 * a bucket's method loads the real one. Methods that return a value instead of a promise are not supported.
 */
export class StorageClient {
  readonly #real: () => Promise<Storage>;

  constructor(...options: ConstructorParameters<typeof Storage>) {
    let real: Promise<Storage> | undefined;
    this.#real = () => (real ??= import("@supabase/storage-js").then((module) => new module.StorageClient(...options)));
  }

  from(id: string): Bucket {
    const real = this.#real;
    return new Proxy(Object.create(null), {
      get:
        (_bucket, method) =>
        async (...values: unknown[]) => {
          const bucket = (await real()).from(id);
          return Reflect.apply(Reflect.get(bucket, method), bucket, values);
        },
    });
  }
}

export class StorageApiError extends Error {}
