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
