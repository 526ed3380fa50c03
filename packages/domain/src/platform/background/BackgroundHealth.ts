import { Cause, Clock, Context, Effect, Layer, Metric, Random, type Scope } from "effect"
import { isStorageUnavailable, findOutage, describeError } from "../../kernel/index.ts"

/** Duration of failure of an essential part before the process reports a failure. */
export const failingAfterMillis = 10_000

/** A reason that disappears and appears again is logged again after this time. */
const logIntervalMillis = 60_000

/** The background work of a process. `off`: this process does none. */
export type BackgroundStatus =
  | { readonly state: "off" }
  | { readonly state: "ok" }
  | { readonly state: "failing"; readonly part: string; readonly reason: string }

/** A part of the background work in a separate fiber. */
export interface BackgroundPart {
  /** Name for the log and the metrics: a task, or a shared dependency of all tasks. */
  readonly name: string
  /** Whether work stays undone during a failure. Sweeps and notifications are not essential, because a later round or a poll replaces them. */
  readonly isEssential: boolean
}

interface FailingPart {
  readonly since: number
  readonly isEssential: boolean
  reason: string
  /** The logged reason; `null` for none. */
  loggedReason: string | null
}

const upGauge = Metric.gauge("parley_background_up", {
  description: "1 while the background work of this process runs, 0 after a part has failed for 10 seconds"
})
const failingGauge = Metric.gauge("parley_background_failing", {
  description: "1 while this part of the background work fails, otherwise 0"
})
const failureCounter = Metric.counter("parley_background_failures_total", {
  description: "Failed attempts of the parts of the background work",
  incremental: true
})

const failureReason = (cause: Cause.Cause<unknown>) =>
  findOutage(cause)?.reason ?? (describeError(Cause.squash(cause)).slice(0, 1_000) || "Failed without a reason.")

const nowMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/**
 * Records the failing parts of the background work. An error is logged when it appears. An outage of the database is logged after 10 seconds, because
 * the connections also log it. Each reason is logged once, for all parts and retries.
 */
export class BackgroundHealth {
  private workers = 0
  private readonly parts = new Map<string, FailingPart>()
  /** Time of the last log entry of each reason. It limits the log of an intermittent failure. */
  private readonly loggedAt = new Map<string, number>()

  /** Marks the workers of this process as running until the scope ends. */
  readonly start: Effect.Effect<void, never, Scope.Scope> = Effect.asVoid(
    Effect.acquireRelease(
      Effect.suspend(() => {
        this.workers += 1
        return Metric.update(upGauge, 1)
      }),
      () =>
        Effect.sync(() => {
          this.workers -= 1
        })
    )
  )

  readonly status: Effect.Effect<BackgroundStatus> = Effect.map(nowMillis, (now): BackgroundStatus => {
    if (this.workers === 0) return { state: "off" }
    const [part] = this.failingSince(now - failingAfterMillis)
    return part === undefined ? { state: "ok" } : { state: "failing", ...part }
  })

  /** Records a failed attempt. */
  failed({ isEssential, name }: BackgroundPart, cause: Cause.Cause<unknown>): Effect.Effect<void> {
    return Effect.flatMap(nowMillis, (now) => {
      const reason = failureReason(cause)
      const known = this.parts.get(name) ?? { since: now, isEssential, reason, loggedReason: null }
      known.reason = reason
      this.parts.set(name, known)
      const isDue = !isStorageUnavailable(cause) || now - known.since >= failingAfterMillis
      const log = isDue && !this.hasLogged(reason, now) ? this.log(name, known, cause, now) : Effect.void
      return log.pipe(
        Effect.andThen(Metric.update(Metric.withAttributes(failingGauge, { part: name }), 1)),
        Effect.andThen(Metric.update(Metric.withAttributes(failureCounter, { part: name }), 1)),
        Effect.andThen(this.showUp(now))
      )
    })
  }

  /** Records that a part works. */
  succeeded({ name }: BackgroundPart): Effect.Effect<void> {
    return Effect.suspend(() => {
      const known = this.parts.get(name)
      if (known === undefined) return Effect.void
      this.parts.delete(name)
      return Effect.andThen(
        known.loggedReason === null ? Effect.void : Effect.logInfo(`The background work runs again: ${name}`),
        Effect.andThen(
          Metric.update(Metric.withAttributes(failingGauge, { part: name }), 0),
          Effect.flatMap(nowMillis, (now) => this.showUp(now))
        )
      )
    })
  }

  private log(name: string, part: FailingPart, cause: Cause.Cause<unknown>, now: number): Effect.Effect<void> {
    part.loggedReason = part.reason
    for (const [reason, at] of this.loggedAt) if (now - at >= logIntervalMillis) this.loggedAt.delete(reason)
    this.loggedAt.set(part.reason, now)
    const message = `The background work fails and is retried: ${name}: ${part.reason}`
    return isStorageUnavailable(cause) ? Effect.logWarning(message) : Effect.logError(message, cause)
  }

  private hasLogged(reason: string, now: number): boolean {
    const at = this.loggedAt.get(reason)
    if (at !== undefined && now - at < logIntervalMillis) return true
    return Array.from(this.parts.values()).some(({ loggedReason }) => loggedReason === reason)
  }

  private failingSince(before: number) {
    return Array.from(this.parts)
      .filter(([, { isEssential, since }]) => isEssential && since <= before)
      .map(([part, { reason }]) => ({ part, reason }))
  }

  private showUp(now: number): Effect.Effect<void> {
    return Metric.update(upGauge, this.failingSince(now - failingAfterMillis).length === 0 ? 1 : 0)
  }
}

/** Health of the background work of this process; `null` without a report. */
export const CurrentBackgroundHealth = Context.Reference<BackgroundHealth | null>(
  "@parley/domain/platform/background/CurrentBackgroundHealth",
  { defaultValue: () => null }
)

/** Health that parts report to. A process without one gets a separate instance. */
export const backgroundHealth: Effect.Effect<BackgroundHealth> = Effect.map(
  CurrentBackgroundHealth,
  (health) => health ?? new BackgroundHealth()
)

/** Provides one shared health. Reuses the instance of the process if it exists. */
export const layerBackgroundHealth: Layer.Layer<never> = Layer.effect(CurrentBackgroundHealth, backgroundHealth)

const firstDelayMillis = 500

/** Maximum delay for work without a deadline. */
export const maxRetryDelayMillis = 5_000

/** Maximum delay during a database outage. This process rejects a retry then, so the database has no load. */
const maxOutageDelayMillis = 1_000

const retryDelay = (failures: number, maxMillis: number) =>
  Effect.map(
    Random.nextBetween(0.8, 1.2),
    (jitter) => jitter * Math.min(firstDelayMillis * 2 ** (failures - 1), maxMillis)
  )

/**
 * Repeats a step of a background part until interruption, and reports each failure and each success. Every fiber with the lifetime of the process
 * runs this loop, because a separate loop could end or fail without a trace. After consecutive failures it waits 0.5, 1, 2, 4 and then 5 s, and at
 * most 1 s during a database outage.
 */
export const supervise = <E, R>(
  health: BackgroundHealth,
  part: BackgroundPart,
  step: Effect.Effect<unknown, E, R>,
  maxDelayMillis: () => number = () => maxRetryDelayMillis
): Effect.Effect<never, never, R> =>
  Effect.suspend(() => {
    let inRow = 0
    const attempt = Effect.matchCauseEffect(step, {
      onSuccess: () => {
        inRow = 0
        return health.succeeded(part)
      },
      onFailure: (cause) => {
        inRow += 1
        return Effect.andThen(
          health.failed(part, cause),
          Effect.suspend(() => {
            const maxMillis = maxDelayMillis()
            return Effect.flatMap(
              retryDelay(inRow, isStorageUnavailable(cause) ? Math.min(maxMillis, maxOutageDelayMillis) : maxMillis),
              (delay) => Effect.sleep(delay)
            )
          })
        )
      }
    })
    return Effect.forever(attempt)
  })
