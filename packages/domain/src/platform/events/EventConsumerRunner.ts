import { Clock, Context, DateTime, Effect, Exit, Latch, Layer, Metric, Stream } from "effect"
import { asSystem, type OrganizationId, transact } from "../../kernel/index.ts"
import { backgroundHealth, supervise } from "../background/index.ts"
import { OrganizationDirectory } from "../identity/index.ts"
import { type EventConsumerName, EventConsumers } from "./EventConsumer.ts"
import { allOrganizations, EventConsumerDirectory, type EventCursor, EventCursors } from "./EventCursors.ts"
import { consumeLog, toIdleCursors, hasPendingEvents } from "./eventConsumption.ts"
import { makeTimerQueue } from "./timerQueue.ts"

const makeGauge = (name: string, description: string, consumer: EventConsumerName) =>
  Metric.gauge(name, { description }).pipe(Metric.withAttributes({ consumer }))

const lagGauge = (consumer: EventConsumerName) =>
  makeGauge("parley_event_consumer_lag_seconds", "Age of the oldest pending event of an event consumer", consumer)

const pendingGauge = (consumer: EventConsumerName) =>
  makeGauge(
    "parley_event_consumer_pending_organizations",
    "Number of organizations with pending events for an event consumer",
    consumer
  )

const parkedGauge = (consumer: EventConsumerName) =>
  makeGauge("parley_event_consumer_parked_events", "Number of events that an event consumer could not handle", consumer)

interface LagTotals {
  seconds: number
  behind: number
  parked: number
}

/** Sums the lag of the event consumers over the organizations, and reports it after a complete round. */
const makeLagGauges = (names: ReadonlyArray<EventConsumerName>) => {
  const fresh = () =>
    new Map(names.map((name): [EventConsumerName, LagTotals] => [name, { seconds: 0, behind: 0, parked: 0 }]))
  let sums = fresh()

  return {
    add: ({ next, parked, consumer }: EventCursor, nowMillis: number) => {
      const sum = sums.get(consumer)
      if (sum === undefined) return
      sum.parked += parked
      if (next === null) return
      sum.behind += 1
      sum.seconds = Math.max(sum.seconds, (nowMillis - DateTime.toEpochMillis(next.at)) / 1_000)
    },
    show: Effect.suspend(() => {
      const seen = sums
      sums = fresh()
      return Effect.forEach(
        seen,
        ([name, sum]) =>
          Effect.all([
            Metric.update(lagGauge(name), sum.seconds),
            Metric.update(pendingGauge(name), sum.behind),
            Metric.update(parkedGauge(name), sum.parked)
          ]),
        { discard: true }
      )
    })
  }
}

/** Delay after a notification, to handle a burst of commits together. */
const batchDelayMillis = 50

/** Poll interval of all organizations. It covers lost notifications and crashed processes. */
const pollIntervalMillis = 30_000

/** Retry delay of failures outside of event handling. */
const retryDelayMillis = 1_000

/** Pending check of an organization, or of one event consumer with work in it. */
interface ConsumerCheck {
  readonly organizationId: OrganizationId
  readonly consumer: EventConsumerName | null
}

const makeRunner = Effect.gen(function* () {
  const consumers = yield* EventConsumers
  const directory = yield* EventConsumerDirectory
  const organizations = yield* OrganizationDirectory
  const agenda = makeTimerQueue<ConsumerCheck>(({ organizationId, consumer }) => `${organizationId} ${consumer ?? ""}`)
  const gauges = makeLagGauges(Array.from(consumers.keys()))
  const notification = Latch.makeUnsafe()
  let roundAt = Number.NEGATIVE_INFINITY

  const listener = yield* directory.listen
  const hear = Effect.gen(function* () {
    const heard = yield* listener.next
    const at = (yield* Clock.currentTimeMillis) + batchDelayMillis
    for (const organizationId of heard) agenda.put({ organizationId, consumer: null }, at)
    notification.openUnsafe()
  })
  // Polling rounds cover missed notifications.
  yield* Effect.forkScoped(
    supervise(yield* backgroundHealth, { name: "event notifications", isEssential: false }, hear)
  )

  /** Schedules a check of every organization, and reports the lag of the previous round. */
  const goRound = Effect.gen(function* () {
    yield* gauges.show
    yield* directory.add(Array.from(consumers.keys()), yield* DateTime.now)
    yield* Stream.runForEach(allOrganizations, ({ id: organizationId }) =>
      Effect.sync(() => agenda.putLast({ organizationId, consumer: null }))
    )
  }).pipe(Effect.provideService(OrganizationDirectory, organizations))

  const look = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const found = yield* (yield* EventCursors).list(Array.from(consumers.values()))
    const now = yield* Clock.currentTimeMillis
    for (const subscription of found) gauges.add(subscription, now)
    const behind = found.filter(hasPendingEvents)
    // Most event consumers select few events. Their idle cursors move in one statement instead of a unit of work each.
    const idle = behind.flatMap(toIdleCursors)
    const passed = idle.length === 0 ? new Set() : yield* transact((yield* EventCursors).passBy(idle))
    for (const { retryAt, consumer } of behind) {
      if (passed.has(consumer)) continue
      agenda.put({ organizationId, consumer }, retryAt === null ? now : DateTime.toEpochMillis(retryAt))
    }
    return null
  })

  const follow = Effect.fnUntraced(function* (name: EventConsumerName) {
    const consumer = consumers.get(name)
    const again = consumer === undefined ? null : yield* consumeLog(consumer)
    return again === null ? null : DateTime.toEpochMillis(again)
  })

  const perform = Effect.fnUntraced(
    function* ({ organizationId, consumer }: ConsumerCheck) {
      return consumer === null ? yield* look(organizationId) : yield* follow(consumer)
    },
    (effect, { organizationId }) => asSystem("events")(organizationId)(effect)
  )

  const performNext = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now >= roundAt) {
      roundAt = now + pollIntervalMillis
      yield* Effect.onError(goRound, () =>
        Effect.sync(() => {
          roundAt = now + retryDelayMillis
        })
      )
    }
    const errand = agenda.take(now)
    if (errand === null) return false
    yield* Effect.onExit(perform(errand), (exit) =>
      Effect.sync(() => agenda.giveBack(errand, Exit.isSuccess(exit) ? exit.value : now + retryDelayMillis))
    )
    return true
  })

  return {
    /** Handles all currently pending events. */
    run: Effect.repeat(performNext, { while: (worked) => worked }),
    /** Completes when any organization may have new events. */
    notification: Effect.andThen(notification.await, notification.close),
    /** Time of the next scheduled check. */
    due: Effect.sync(() => {
      const next = agenda.nextDue()
      return next === null ? null : DateTime.makeUnsafe(next)
    })
  }
})

/** Runs the event consumers of this process on the logs of all organizations. */
export class EventConsumerRunner extends Context.Service<EventConsumerRunner, Effect.Success<typeof makeRunner>>()(
  "@parley/domain/platform/events/EventConsumerRunner"
) {}

/** Listens to all organizations during the lifetime of the process. */
export const layerEventConsumerRunner = Layer.effect(EventConsumerRunner, makeRunner)
