import { DeliveryInbox, refreshTemplates, sendDue, SendQueue, wakeSnoozed, workDeliveries } from "@parley/domain"
import { Duration, Effect, Layer, Schedule } from "effect"
import { goingOn } from "./goingOn.ts"
import { ServerConfig } from "./ServerConfig.ts"
import { forever, newsOrWhile, untilDue } from "./waiting.ts"

/** How many senders a process has; each has several messages in hand. */
const senders = 4

/** How many organizations' deliveries a process works through at once. */
const readers = 2

/**
 * Sends messages, works through deliveries, fetches templates that have changed and wakes snoozed conversations in this process, next to its requests. It is woken
 * when there is something to do, and looks by itself each second. When the process is stopped, calls that the provider may
 * know of are heard out; everything else is anybody's at once.
 */
export const layerRunners = (lookMillis = 1_000) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const inbox = yield* DeliveryInbox
      const queue = yield* SendQueue
      const pause = Effect.flatMap(untilDue(queue.nextDue, lookMillis), (millis) =>
        newsOrWhile(queue.awaitNews, millis)
      )
      yield* forever("A sender of messages", lookMillis, sendDue, pause, senders)
      yield* forever(
        "A reader of deliveries",
        lookMillis,
        workDeliveries,
        newsOrWhile(inbox.awaitNews, lookMillis),
        readers
      )
      yield* forever("A fetcher of templates", lookMillis, refreshTemplates, Effect.sleep(lookMillis))
      yield* wakeSnoozed.pipe(
        goingOn("Waking snoozed conversations failed; it goes on", lookMillis),
        Effect.repeat(Schedule.spaced(Duration.millis(lookMillis)).pipe(Schedule.jittered)),
        Effect.forkScoped
      )
    })
  )

/** Does so as the server is set up. */
export const layer = Layer.unwrap(Effect.map(ServerConfig, ({ jobLookMillis }) => layerRunners(jobLookMillis)))
