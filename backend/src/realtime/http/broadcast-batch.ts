import { z } from "zod";
import { JsonError, readJson } from "../../body/read-json.ts";
import { sendBroadcast } from "../broadcast.ts";
import { outgoing } from "../message.ts";
import { isTooDeep, isTopic } from "../protocol/frame.ts";
import { answer, type Call } from "./call.ts";

const messageSchema = z.object({
  topic: z.string().min(1, "can't be blank").refine(isTopic, "is invalid"),
  event: z.string().min(1, "can't be blank").max(255),
  payload: z.record(z.string(), z.unknown()).refine((payload) => !isTooDeep(payload), "is nested too deeply"),
  private: z.boolean().default(false),
});
const batchSchema = z.object({ messages: z.array(messageSchema) });

/** `POST /api/broadcast`: sends messages to topics; a message that the caller may not send is skipped. */
export async function broadcastBatch({ request, mayWrite, services, take, charge, maxBytes }: Call): Promise<Response> {
  const { limits } = services;
  let messages: z.infer<typeof batchSchema>["messages"];
  try {
    ({ messages } = await readJson(request, batchSchema, { maxBytes }));
  } catch (error) {
    if (error instanceof JsonError) return answer(422, { errors: errorsOf(error) });
    throw error;
  }
  if (messages.length > limits.max_events_per_second)
    return answer(429, { message: "Too many messages to broadcast, please reduce the batch size" });
  if (!take(messages.length)) return answer(429, { message: "You have exceeded your rate limit" });
  const prepared = messages.map((message) => outgoing(message));
  const tooLong = prepared.findIndex(({ size }) => size > limits.max_payload_size_in_kb * 1024);
  if (tooLong >= 0)
    return answer(422, {
      errors: { messages: prepared.map((_, index) => (index === tooLong ? { payload: ["Payload size exceeds tenant limit"] } : {})) },
    });
  for (const message of prepared) {
    if (!(await mayWrite(message.message))) continue;
    charge(message.message);
    await sendBroadcast(services, message);
  }
  return answer(202);
}

/** The problems by the path of the value, as hosted projects write them. */
function errorsOf({ issues, message }: JsonError): Record<string, string[]> {
  if (issues.length === 0) return { messages: [message] };
  return Object.fromEntries(issues.map((issue) => [issue.path.join("."), [issue.message]]));
}
