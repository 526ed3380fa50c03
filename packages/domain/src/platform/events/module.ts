import { Effect } from "effect"
import { defineArea, defineCredentials } from "../../kernel/index.ts"
import type { BackgroundTask } from "../background/index.ts"
import { EventLog } from "./EventLog.ts"
import { EventListeners } from "./EventListeners.ts"
import { EventConsumerRunner } from "./EventConsumerRunner.ts"
import { EventConsumerDirectory, EventCursors } from "./EventCursors.ts"

const eventsStorage = [EventLog, EventListeners, EventConsumerDirectory, EventCursors] as const

/** Number of event consumers that a process runs concurrently. */
const consumerConcurrency = 4

export const eventTasks = [
  {
    name: "event_consumers",
    run: Effect.flatMap(EventConsumerRunner, ({ run }) => run),
    wake: {
      notification: Effect.flatMap(EventConsumerRunner, ({ notification }) => notification),
      due: Effect.flatMap(EventConsumerRunner, ({ due }) => due)
    },
    lanes: consumerConcurrency
  } satisfies BackgroundTask<unknown>
] as const

export const eventsArea = defineArea({
  name: "platform/events",
  storage: eventsStorage,
  permissions: ["events.read"],
  backgroundTasks: eventTasks,
  credentials: defineCredentials({
    name: "event stream",
    parent: {
      kind: "record",
      name: "caller",
      reason: "It asks twice a second whether the session or token is admitted."
    }
  })
})
