import { DeliveryInbox, refreshTemplates, sendDue, SendQueue, wakeSnoozed, workDeliveries } from "@parley/domain"
import { DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { goingOn } from "./goingOn.ts"
import { ServerConfig } from "./ServerConfig.ts"

/** How many senders a process has; each has several messages in hand. */
const senders = 4

/** How many organizations' deliveries a process works through at once. */
const readers = 2

/** Does the work, then waits for more; what fails is tried again. */
const forever = <E, R, R2>(
  name: string,
  lookMillis: number,
  work: Effect.Effect<void, E, R>,
  wait: Effect.Effect<void, never, R2>,
  lanes = 1
) =>
  work.pipe(
    goingOn(`${name} failed; it goes on`, lookMillis),
    Effect.andThen(wait),
    Effect.forever,
    Effect.forkScoped,
    Effect.replicateEffect(lanes, { discard: true })
  )

/** Waits until there is news, and not for longer than a while: what another node has left behind makes no news. */
const newsOrWhile = (news: Effect.Effect<void>, lookMillis: number) =>
  Effect.timeoutOrElse(
    Effect.catchCause(news, () => Effect.never),
    { duration: lookMillis, orElse: () => Effect.void }
  )

/** Answers at the latest when a message that was put off can be sent. */
const untilDue = Effect.fnUntraced(function* (queue: SendQueue["Service"], lookMillis: number) {
  const due = yield* Effect.catchCause(queue.nextDue, () => Effect.succeed(null))
  if (due === null) return lookMillis
  const wait = DateTime.toEpochMillis(due) - DateTime.toEpochMillis(yield* DateTime.now)
  return Math.min(lookMillis, Math.max(wait, 20))
})

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
      const pause = Effect.flatMap(untilDue(queue, lookMillis), (millis) => newsOrWhile(queue.awaitNews, millis))
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
