import { Effect } from "effect"
import { defineArea, defineCredentials } from "../../kernel/index.ts"
import type { Work } from "../background/index.ts"
import { EventLog } from "./EventLog.ts"
import { EventSignals } from "./EventSignals.ts"
import { FollowedLogs } from "./FollowedLogs.ts"
import { SubscriberDirectory, Subscriptions } from "./Subscriptions.ts"

/** The ports that a storage adapter provides of this area. */
const eventsStorage = [EventLog, EventSignals, SubscriberDirectory, Subscriptions] as const

/** How many subscribers a process has at work at once. */
const lanes = 4

/** What this area has done in the background. */
export const eventsWorks = [
  {
    name: "subscribers",
    run: Effect.flatMap(FollowedLogs, ({ run }) => run),
    wake: {
      notification: Effect.flatMap(FollowedLogs, ({ notification }) => notification),
      due: Effect.flatMap(FollowedLogs, ({ due }) => due)
    },
    lanes
  } satisfies Work<unknown>
] as const

/** What this area says of itself. */
export const eventsArea = defineArea({
  name: "platform/events",
  storage: eventsStorage,
  permissions: ["events.read"],
  works: eventsWorks,
  credentials: defineCredentials({
    name: "event stream",
    parent: {
      kind: "record",
      name: "caller",
      reason: "It asks twice a second whether the session or token is admitted."
    }
  })
})
