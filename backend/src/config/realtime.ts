import { z } from "zod";

const limit = (count: number) => z.int().positive().default(count);

/**
 * `[realtime]`: switches the realtime API, and sets its limits, named as in the settings of hosted projects. Each process counts
 * separately. The number of channels and the limits per second are per connection, unless their comment says otherwise.
 */
export const realtimeSchema = z
  .object({
    enabled: z.boolean().default(true),
    /** Refuses channels that no policy protects. */
    private_only: z.boolean().default(false),
    /** Clients with a channel; several processes together accept as many times more. */
    max_concurrent_users: limit(200),
    /** Connections of one client network; an office shares one. */
    max_users_per_network: limit(100),
    max_channels_per_client: limit(100),
    max_joins_per_second: limit(100),
    /**
     * Broadcasts of a client in one channel, and of a client network over HTTP. A connection may send five times as many frames of any
     * kind.
     */
    max_events_per_second: limit(100),
    max_presence_events_per_second: limit(20),
    /** Frames of the anonymous clients of one client network, read or written; three times as many for those of all networks. */
    max_anonymous_frames_per_second: limit(2000),
    /** The longest payload of a broadcast; a client is disconnected when a megabyte waits for it. */
    max_payload_size_in_kb: limit(256),
    /** Origins of pages that may connect; `*` for all, as in the other APIs, whose callers send a key and no cookie. */
    allowed_origins: z.array(z.string()).default(["*"]),
  })
  .prefault({});
