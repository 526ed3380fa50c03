import { Duration, Effect, FiberHandle, Metric, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { connectionFailure, isFull } from "./failures.ts"
import type { Connector } from "./makeConnector.ts"
import { messageOf } from "./outageOf.ts"

const available = Metric.gauge("parley_database_available", {
  description: "1 while this process can use its database, otherwise 0"
})
const outages = Metric.counter("parley_database_outages_total", {
  description: "Number of database outages",
  incremental: true
})

/** Poll interval during an outage: short enough that callers do not wait for seconds after its end. */
const probeSchedule = Schedule.exponential("100 millis", 1.5).pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(1)))),
  Schedule.jittered
)

/** Tracks whether the database is available. During an outage, callers fail immediately, and one probe polls the database. */
export const makeAvailability = Effect.fnUntraced(function* (options: {
  readonly connector: Connector
  /** Number of live sessions. */
  readonly sessionCount: () => number
  /** Whether any session has just received an answer. Then the server is available, even if another session is slow. */
  readonly isAnswering: () => boolean
  /** Called at the start of an outage: open sessions must not be reused. */
  readonly onOutage: () => void
}) {
  const { connector, isAnswering, onOutage, sessionCount } = options
  const watch = yield* FiberHandle.make()
  const run = yield* FiberHandle.runtime(watch)()
  let reason: SqlError.SqlError | null = null
  let wasReached = false
  yield* Metric.update(available, 1)

  /** A dedicated session without waiting callers. */
  const probe = Effect.scoped(connector.open("listener"))

  const recover = Effect.gen(function* () {
    reason = null
    yield* Metric.update(available, 1)
    yield* Effect.logInfo("The database is back")
  })

  const awaitRecovery = Effect.andThen(Effect.retry(probe, probeSchedule), recover)

  const startOutage = (error: SqlError.SqlError) =>
    Effect.suspend(() => {
      if (reason !== null) return Effect.void
      reason = error
      onOutage()
      const message = `The database is away: ${messageOf(error)}. Calls are refused until it is back`
      // An outage at startup is reported by the caller.
      return (wasReached ? Effect.logError(message) : Effect.logDebug(message)).pipe(
        Effect.andThen(Metric.update(available, 0)),
        Effect.andThen(Metric.update(outages, 1)),
        Effect.andThen(Effect.sync(() => run(awaitRecovery)))
      )
    })

  /** A rejected extra session does not affect the existing ones. */
  const isUnavailable = (error: SqlError.SqlError) => (isFull(error) ? sessionCount() === 0 : !isAnswering())

  return {
    /** Reason why callers cannot be served; `null` while the database is available. */
    refusal: (): SqlError.SqlError | null =>
      reason === null ? null : connectionFailure(`The database is away: ${messageOf(reason)}`, "connect"),
    /** Reports an opened session. */
    reached: () => {
      wasReached = true
    },
    /** Reports a session that could not be opened. */
    unreachable: (error: SqlError.SqlError) => (isUnavailable(error) ? startOutage(error) : Effect.void),
    /** Reports a suspiciously long wait: probes the database. */
    suspect: () => {
      if (reason !== null) return
      run(
        Effect.catch(Effect.asVoid(probe), (error) => (isUnavailable(error) ? startOutage(error) : Effect.void)),
        { onlyIfMissing: true }
      )
    }
  }
})

export type Availability = Effect.Success<ReturnType<typeof makeAvailability>>
