import { Clock, Context, DateTime, Effect, Exit, Latch, Layer, Metric, Stream } from "effect"
import { asSystem, type OrganizationId, transact } from "../../kernel/index.ts"
import { backgroundHealth, supervise } from "../background/index.ts"
import { OrganizationDirectory } from "../identity/index.ts"
import { type EventConsumerName, EventConsumers } from "./EventConsumer.ts"
import { allOrganizations, EventConsumerDirectory, type EventCursor, EventCursors } from "./EventCursors.ts"
import { consumeLog, toIdleCursors, hasPendingEvents } from "./eventConsumption.ts"
import { makeTimerQueue } from "./timerQueue.ts"

const makeGauge = (name: string, description: string, subscriber: EventConsumerName) =>
  Metric.gauge(name, { description }).pipe(Metric.withAttributes({ subscriber }))

const lagGauge = (subscriber: EventConsumerName) =>
  makeGauge(
    "parley_subscription_lag_seconds",
    "How long the event has waited that waits longest for a subscriber",
    subscriber
  )

const pendingGauge = (subscriber: EventConsumerName) =>
  makeGauge("parley_subscription_behind", "In how many organizations events wait for a subscriber", subscriber)

const parkedGauge = (subscriber: EventConsumerName) =>
  makeGauge("parley_subscription_parked", "How many events a subscriber could not handle", subscriber)

interface LagTotals {
  seconds: number
  behind: number
  parked: number
}

/** Adds up how far subscribers are behind in one organization after the other, and shows it when all were seen. */
const makeLagGauges = (names: ReadonlyArray<EventConsumerName>) => {
  const fresh = () =>
    new Map(names.map((name): [EventConsumerName, LagTotals] => [name, { seconds: 0, behind: 0, parked: 0 }]))
  let sums = fresh()

  return {
    add: ({ next, parked, subscriber }: EventCursor, nowMillis: number) => {
      const sum = sums.get(subscriber)
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

/** How long to wait after a notification, so that a burst of commits is handled at once. */
const batchDelayMillis = 50

/** How often all organizations are polled: notifications may have been lost, and processes have died. */
const pollIntervalMillis = 30_000

/** When what failed outside of any event is tried again. */
const retryDelayMillis = 1_000

/** An organization to be looked at, or a subscriber that has something to do there. */
interface ConsumerCheck {
  readonly organizationId: OrganizationId
  readonly subscriber: EventConsumerName | null
}

const makeRunner = Effect.gen(function* () {
  const subscribers = yield* EventConsumers
  const directory = yield* EventConsumerDirectory
  const organizations = yield* OrganizationDirectory
  const agenda = makeTimerQueue<ConsumerCheck>(
    ({ organizationId, subscriber }) => `${organizationId} ${subscriber ?? ""}`
  )
  const gauges = makeLagGauges(Array.from(subscribers.keys()))
  const notification = Latch.makeUnsafe()
  let roundAt = Number.NEGATIVE_INFINITY

  const listener = yield* directory.listen
  const hear = Effect.gen(function* () {
    const heard = yield* listener.next
    const at = (yield* Clock.currentTimeMillis) + batchDelayMillis
    for (const organizationId of heard) agenda.put({ organizationId, subscriber: null }, at)
    notification.openUnsafe()
  })
  // Polling rounds cover missed notifications.
  yield* Effect.forkScoped(
    supervise(yield* backgroundHealth, { name: "event notifications", isEssential: false }, hear)
  )

  /** Sees to it that every organization is looked at, and tells what the last time has shown. */
  const goRound = Effect.gen(function* () {
    yield* gauges.show
    yield* directory.add(Array.from(subscribers.keys()), yield* DateTime.now)
    yield* Stream.runForEach(allOrganizations, ({ id: organizationId }) =>
      Effect.sync(() => agenda.putLast({ organizationId, subscriber: null }))
    )
  }).pipe(Effect.provideService(OrganizationDirectory, organizations))

  const look = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const found = yield* (yield* EventCursors).list(Array.from(subscribers.values()))
    const now = yield* Clock.currentTimeMillis
    for (const subscription of found) gauges.add(subscription, now)
    const behind = found.filter(hasPendingEvents)
    // Most subscribers want few of the events: their cursors follow all at once, and not in a unit of work each.
    const idle = behind.flatMap(toIdleCursors)
    const passed = idle.length === 0 ? new Set() : yield* transact((yield* EventCursors).passBy(idle))
    for (const { retryAt, subscriber } of behind) {
      if (passed.has(subscriber)) continue
      agenda.put({ organizationId, subscriber }, retryAt === null ? now : DateTime.toEpochMillis(retryAt))
    }
    return null
  })

  const follow = Effect.fnUntraced(function* (name: EventConsumerName) {
    const subscriber = subscribers.get(name)
    const again = subscriber === undefined ? null : yield* consumeLog(subscriber)
    return again === null ? null : DateTime.toEpochMillis(again)
  })

  const perform = Effect.fnUntraced(
    function* ({ organizationId, subscriber }: ConsumerCheck) {
      return subscriber === null ? yield* look(organizationId) : yield* follow(subscriber)
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
    /** Handles what there is to handle now. */
    run: Effect.repeat(performNext, { while: (worked) => worked }),
    /** Completes when something may have been logged somewhere. */
    notification: Effect.andThen(notification.await, notification.close),
    /** When something has to be looked after. */
    due: Effect.sync(() => {
      const next = agenda.nextDue()
      return next === null ? null : DateTime.makeUnsafe(next)
    })
  }
})

/** The logs of all organizations, as the subscribers of this process follow them. */
export class EventConsumerRunner extends Context.Service<EventConsumerRunner, Effect.Success<typeof makeRunner>>()(
  "@parley/domain/platform/events/EventConsumerRunner"
) {}

/** Listens to all organizations for as long as the process works. */
export const layerEventConsumerRunner = Layer.effect(EventConsumerRunner, makeRunner)
