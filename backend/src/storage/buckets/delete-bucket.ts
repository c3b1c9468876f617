import { DatabaseError } from "../../db/database.ts";
import { type Call, readCaller } from "../context.ts";
import { accessDenied, notEmpty } from "../errors.ts";
import { findBucket } from "./bucket-rows.ts";

const FOREIGN_KEY_VIOLATION = "23503";

/** `DELETE /bucket/{id}`: removes an empty bucket. */
export async function deleteBucket(call: Call): Promise<Response> {
  const caller = await readCaller(call);
  try {
    await caller.run(
      async (tx) => {
        await findBucket(tx, call.bucket);
        const [deleted] = await tx.query("delete from storage.buckets where id = $1 returning id", [call.bucket]);
        if (!deleted) throw accessDenied("Access denied");
      },
      { deletes: true },
    );
  } catch (error) {
    // The foreign key also counts objects that the caller cannot see.
    if (error instanceof DatabaseError && error.code === FOREIGN_KEY_VIOLATION) throw notEmpty(error);
    throw error;
  }
  return Response.json({ message: "Successfully deleted" });
}
