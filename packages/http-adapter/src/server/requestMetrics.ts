import { Effect, Metric } from "effect"

const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const durations = ["1xx", "2xx", "3xx", "4xx", "5xx"].map((status) =>
  Metric.histogram("parley_http_request_duration_seconds", {
    description: "How long requests took, by the class of their status",
    boundaries
  }).pipe(Metric.withAttributes({ status }))
)

/** Counts a request, and how long it took. */
export const countRequest = (status: number, millis: number) => {
  const metric = durations[Math.floor(status / 100) - 1]
  return metric === undefined ? Effect.void : Metric.update(metric, millis / 1000)
}

const refusals = Metric.counter("parley_rate_limit_refusals_total", {
  description: "How many requests were refused because a rate limit was reached, by whose limit that was",
  incremental: true
})

/** Counts a refusal. The scope of a bucket is what stands before its colon. */
export const countRefusal = (bucket: string) => {
  const scope = bucket.slice(0, bucket.indexOf(":"))
  return Metric.update(Metric.withAttributes(refusals, { scope }), 1)
}

const lag = Metric.histogram("parley_event_lag_seconds", {
  description: "How long after it happened an event was given to a reader who follows the feed live",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})

/** Counts an event that was given to a reader, and how long that took. */
export const countEvent = (millis: number) => Metric.update(lag, Math.max(0, millis) / 1000)
