import { DateTime, Effect, Metric } from "effect"
import type { SubscriberName } from "./Subscriber.ts"
import type { Subscription } from "./Subscription.ts"

const gauge = (name: string, description: string, subscriber: SubscriberName) =>
  Metric.gauge(name, { description }).pipe(Metric.withAttributes({ subscriber }))

const lag = (subscriber: SubscriberName) =>
  gauge(
    "parley_subscription_lag_seconds",
    "How long the event has waited that waits longest for a subscriber",
    subscriber
  )

const behind = (subscriber: SubscriberName) =>
  gauge("parley_subscription_behind", "In how many organizations events wait for a subscriber", subscriber)

const parked = (subscriber: SubscriberName) =>
  gauge("parley_subscription_parked", "How many events a subscriber could not handle", subscriber)

interface Sum {
  seconds: number
  behind: number
  parked: number
}

/** Adds up how far subscribers are behind in one organization after the other, and shows it when all were seen. */
export const makeLagGauges = (names: ReadonlyArray<SubscriberName>) => {
  const fresh = () => new Map(names.map((name): [SubscriberName, Sum] => [name, { seconds: 0, behind: 0, parked: 0 }]))
  let sums = fresh()

  return {
    add: ({ next, parked, subscriber }: Subscription, nowMillis: number) => {
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
            Metric.update(lag(name), sum.seconds),
            Metric.update(behind(name), sum.behind),
            Metric.update(parked(name), sum.parked)
          ]),
        { discard: true }
      )
    })
  }
}
