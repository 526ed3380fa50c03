import { Backlog, type BacklogSize } from "@parley/domain/platform"
import { DateTime, Effect, Layer, Metric, Schedule } from "effect"

const gauge = (name: string, description: string, attributes: Readonly<Record<string, string>> = {}) =>
  Metric.gauge(name, { description }).pipe(Metric.withAttributes(attributes))

const deliveries = "Number of inbound deliveries that wait or are parked"
const jobs = "Number of jobs that are queued or running"
const runs = "Number of automation runs that are queued, wait, or call a plugin"
const oldest = "Age of the oldest entry of a queue"

const gauges = {
  up: gauge("parley_database_up", "Whether the database answered the last query of the backlog"),
  deliveriesWaiting: gauge("parley_inbound_deliveries", deliveries, { state: "waiting" }),
  deliveriesParked: gauge("parley_inbound_deliveries", deliveries, { state: "parked" }),
  sendsWaiting: gauge("parley_send_queue_messages", "Number of messages in the send queue"),
  jobsQueued: gauge("parley_jobs", jobs, { state: "queued" }),
  jobsRunning: gauge("parley_jobs", jobs, { state: "running" }),
  oldestDelivery: gauge("parley_queue_oldest_age_seconds", oldest, { queue: "inbound_deliveries" }),
  oldestSend: gauge("parley_queue_oldest_age_seconds", oldest, { queue: "sends" }),
  oldestJob: gauge("parley_queue_oldest_age_seconds", oldest, { queue: "jobs" }),
  runsQueued: gauge("parley_automation_runs", runs, { state: "queued" }),
  runsWaiting: gauge("parley_automation_runs", runs, { state: "waiting" }),
  runsCalling: gauge("parley_automation_runs", runs, { state: "calling" }),
  oldestRun: gauge("parley_queue_oldest_age_seconds", oldest, { queue: "automation_runs" })
}

const age = (since: DateTime.Utc | null, now: DateTime.Utc) =>
  since === null ? 0 : Math.max(0, (DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since)) / 1_000)

const show = ({ automationRuns, deliveries, jobs, sends }: BacklogSize, now: DateTime.Utc) =>
  Effect.all(
    [
      Metric.update(gauges.up, 1),
      Metric.update(gauges.deliveriesWaiting, deliveries.waiting),
      Metric.update(gauges.deliveriesParked, deliveries.parked),
      Metric.update(gauges.sendsWaiting, sends.waiting),
      Metric.update(gauges.jobsQueued, jobs.queued),
      Metric.update(gauges.jobsRunning, jobs.running),
      Metric.update(gauges.oldestDelivery, age(deliveries.oldest, now)),
      Metric.update(gauges.oldestSend, age(sends.oldest, now)),
      Metric.update(gauges.oldestJob, age(jobs.oldest, now)),
      Metric.update(gauges.runsQueued, automationRuns.queued),
      Metric.update(gauges.runsWaiting, automationRuns.waiting),
      Metric.update(gauges.runsCalling, automationRuns.calling),
      Metric.update(gauges.oldestRun, age(automationRuns.oldest, now))
    ],
    { discard: true }
  )

/** Reads the backlog and updates the gauges. The gauges keep the last values while the database is unavailable. */
export const showBacklog = Effect.gen(function* () {
  const size = yield* (yield* Backlog).size
  yield* show(size, yield* DateTime.now)
}).pipe(Effect.catchCause(() => Metric.update(gauges.up, 0)))

/** Updates the backlog gauges every 15 seconds for scrapers and exporters of metrics. */
export const layer = Layer.effectDiscard(
  Effect.andThen(
    showBacklog,
    showBacklog.pipe(Effect.delay("15 seconds"), Effect.repeat(Schedule.forever), Effect.forkScoped)
  )
)
