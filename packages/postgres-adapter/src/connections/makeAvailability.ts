import { Duration, Effect, FiberHandle, Metric, Schedule } from "effect"
import type { SqlError } from "effect/sql"
import { wordsOf } from "../kernel/outageOf.ts"
import { connectionFailure, isFull } from "./failures.ts"
import type { Connector } from "./makeConnector.ts"

const available = Metric.gauge("parley_database_available", {
  description: "Whether this process can use its database: 1, or 0 while it is away"
})
const outages = Metric.counter("parley_database_outages_total", {
  description: "How often the database went away",
  incremental: true
})

/** How soon an outage is looked at again: often enough that nobody waits for seconds after it is over. */
const lookAgain = Schedule.exponential("100 millis", 1.5).pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(1)))),
  Schedule.jittered
)

/**
 * Knows whether the database can be used. While it is away nobody waits for it: whoever asks is refused at once, and one
 * looks whether it has come back.
 */
export const makeAvailability = Effect.fnUntraced(function* (options: {
  readonly connector: Connector
  /** How many sessions are alive. */
  readonly alive: () => number
  /** Whether the server has just answered on any of them: then it is there, however long one more takes. */
  readonly isAnswering: () => boolean
  /** No session that was open may be used any more. */
  readonly onAway: () => void
}) {
  const { alive, connector, isAnswering, onAway } = options
  const watch = yield* FiberHandle.make()
  const run = yield* FiberHandle.runtime(watch)()
  let reason: SqlError.SqlError | null = null
  let wasThere = false
  yield* Metric.update(available, 1)

  /** A session of its own, which nobody waits for. */
  const probe = Effect.scoped(connector.open(false))

  const comeBack = Effect.gen(function* () {
    reason = null
    yield* Metric.update(available, 1)
    yield* Effect.logInfo("The database is back")
  })

  const awaitReturn = Effect.andThen(Effect.retry(probe, lookAgain), comeBack)

  const goAway = (error: SqlError.SqlError) =>
    Effect.suspend(() => {
      if (reason !== null) return Effect.void
      reason = error
      onAway()
      const told = `The database is away: ${wordsOf(error)}. Calls are refused until it is back`
      // Who meets nothing at the very start says so.
      return (wasThere ? Effect.logError(told) : Effect.logDebug(told)).pipe(
        Effect.andThen(Metric.update(available, 0)),
        Effect.andThen(Metric.update(outages, 1)),
        Effect.andThen(Effect.sync(() => run(awaitReturn)))
      )
    })

  /** That one more does not fit in tells nothing of those that are there. */
  const isAway = (error: SqlError.SqlError) => (isFull(error) ? alive() === 0 : !isAnswering())

  return {
    /** Why nobody can be served; `null` as long as the database is there. */
    refusal: (): SqlError.SqlError | null =>
      reason === null ? null : connectionFailure(`The database is away: ${wordsOf(reason)}`, "connect"),
    /** A session was opened. */
    reached: () => {
      wasThere = true
    },
    /** A session could not be opened. */
    unreachable: (error: SqlError.SqlError) => (isAway(error) ? goAway(error) : Effect.void),
    /** Something waits for suspiciously long: looks whether the database answers at all. */
    suspect: () => {
      if (reason !== null) return
      run(
        Effect.catch(Effect.asVoid(probe), (error) => (isAway(error) ? goAway(error) : Effect.void)),
        { onlyIfMissing: true }
      )
    }
  }
})

export type Availability = Effect.Success<ReturnType<typeof makeAvailability>>
