import { JsonError, parseJson } from "../../body/read-json.ts";
import { readBytes } from "../../body/read-bytes.ts";
import { sendBroadcast } from "../broadcast.ts";
import { outgoing } from "../message.ts";
import { isTooDeep, isTopic } from "../protocol/frame.ts";
import { answer, type Call } from "./call.ts";

const UNSUPPORTED = "Unsupported Media Type. Use application/json or application/octet-stream";

/** `POST /api/broadcast/{topic}/events/{event}`: sends one message, whose payload is the body. */
export async function broadcastSingle(
  { request, url, mayWrite, services, take, charge, maxBytes }: Call,
  encodedTopic: string,
  encodedEvent: string,
): Promise<Response> {
  const topic = decode(encodedTopic);
  const event = decode(encodedEvent);
  if (topic === undefined || event === undefined || !isTopic(topic) || event.length > 255)
    return answer(422, { errors: { topic: ["is invalid"] } });
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/json" && type !== "application/octet-stream") return answer(415, { message: UNSUPPORTED });
  if (!take(1)) return answer(429, { message: "You have exceeded your rate limit" });
  const bytes = await readBytes(request, maxBytes);
  if (!bytes || bytes.length > services.limits.max_payload_size_in_kb * 1024)
    return answer(422, { errors: { payload: ["Payload size exceeds tenant limit"] } });
  try {
    const payload = type === "application/json" ? parseJson(bytes) : bytes;
    if (isTooDeep(payload, bytes.length)) return answer(422, { errors: { payload: ["is nested too deeply"] } });
    const message = outgoing({ topic, event, payload, private: url.searchParams.get("private") === "true" });
    if (!(await mayWrite(message.message))) return answer(403, { message: "Unauthorized" });
    charge(message.message);
    await sendBroadcast(services, message);
    return answer(202);
  } catch (error) {
    if (error instanceof JsonError) return answer(422, { errors: { payload: [error.message] } });
    throw error;
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
