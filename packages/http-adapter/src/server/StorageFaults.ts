import {
  type CommitCount,
  CurrentCommitCount,
  IdempotencyKeyInProgress,
  findOutage,
  StorageTimeout,
  type StorageOutcome,
  CurrentStorageTimeout,
  type StorageUnavailable
} from "@parley/domain/kernel"
import { OrganizationDirectory } from "@parley/domain/platform"
import { Cause, Context, Effect, Layer, Metric, Stream } from "effect"
import type { unhandled } from "effect/Types"
import { type HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { AsksProvider } from "../api/describe.ts"
import { Idempotent, StorageFaults } from "../api/middleware.ts"
import { ServiceUnavailable } from "../api/problems.ts"
import { isStreamed } from "./RequestFaults.ts"
import { ServerConfig, type ServerSettings } from "./ServerConfig.ts"

/** Succeeds when the database responds. */
export const askStorage = Effect.flatMap(OrganizationDirectory, (directory) =>
  directory.list({ limit: 1, after: null })
)

/** Removes the time limit for the database, which sums all queries of a request. The reader of a stream sets its pace. */
export const inItsTime = <A, E, R>(stream: Stream.Stream<A, E, R>): Stream.Stream<A, E, R> =>
  Stream.provideService(stream, CurrentStorageTimeout, null)

/** Seconds that a caller waits before a retry. Most outages are shorter; other callers get the same answer again. */
export const retryAfterSeconds = 2

const unavailable = Metric.counter("parley_http_storage_outages_total", {
  description: "Number of requests during a database outage",
  incremental: true
})
const counted = unavailable.pipe(Metric.withAttributes({ outcome: "unavailable" }))
const repeated = unavailable.pipe(Metric.withAttributes({ outcome: "repeated" }))

/** Answer for a request that met an outage. */
export const unavailableAs = (outcome: StorageOutcome) =>
  new ServiceUnavailable({ retryAfterSeconds, outcomeUnknown: outcome === "unknown" })

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled | ServiceUnavailable, HttpRouter.Provided>

const logUnknown = (outage: StorageUnavailable) =>
  Effect.logWarning("A commit was not answered: the change may or may not be stored", outage)

const refuse = (outage: StorageUnavailable, outcome: StorageOutcome) =>
  (outcome === "unknown" ? logUnknown(outage) : Effect.logDebug("The database is unavailable", outage)).pipe(
    Effect.andThen(Metric.update(counted, 1)),
    Effect.andThen(Effect.fail(unavailableAs(outcome)))
  )

/** Whether a request can run again. A rollback does not undo a provider call or the read of a stream. */
const mayRunAgain = (endpoint: HttpApiEndpoint.Top) =>
  endpoint.method === "GET" || !(isStreamed(endpoint) || Context.get(endpoint.annotations, AsksProvider))

const isInProgress = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof IdempotencyKeyInProgress)

/**
 * Middleware that answers outages of the database. It retries reads, requests with an idempotency key, and requests that certainly changed nothing.
 * Callers do not notice a lost connection or a moved database.
 */
const make = ({ databaseMillis = 5_000 }: ServerSettings) =>
  StorageFaults.of((effect, { endpoint }) => {
    const isRead = endpoint.method === "GET"
    const isIdempotent = Array.from(endpoint.middlewares).some(({ key }) => key === Idempotent.key)
    const canRunAgain = mayRunAgain(endpoint)

    const outcomeOf = (outage: StorageUnavailable, { count }: CommitCount): StorageOutcome => {
      if (isRead) return "not_made"
      return count > 0 ? "unknown" : outage.outcome
    }

    const attempt = (
      patience: StorageTimeout | null,
      onOutage: (outage: StorageUnavailable, outcome: StorageOutcome) => Answer
    ): Answer =>
      Effect.suspend(() => {
        const commits = { count: 0 }
        // Applies to the rest of the request. No later step runs without these services.
        const patient = Effect.withFiber<HttpServerResponse.HttpServerResponse, unhandled, HttpRouter.Provided>(
          (fiber) => {
            fiber.setContext(
              Context.add(Context.add(fiber.context, CurrentCommitCount, commits), CurrentStorageTimeout, patience)
            )
            return effect
          }
        )
        return Effect.catchCause(patient, (cause): Answer => {
          const outage = findOutage(cause)
          return outage === null ? Effect.failCause(cause) : onOutage(outage, outcomeOf(outage, commits))
        })
      })

    /** Retries a request. With an idempotency key, the retry finds the answer of the first attempt if it was stored. */
    const again = (patience: StorageTimeout | null, first: StorageUnavailable, before: StorageOutcome) =>
      Effect.andThen(
        Metric.update(repeated, 1),
        attempt(patience, (outage, outcome) => refuse(outage, before === "unknown" ? before : outcome)).pipe(
          // The database does not know yet that the first attempt ended.
          Effect.catchCause((cause): Answer => (isInProgress(cause) ? refuse(first, before) : Effect.failCause(cause)))
        )
      )

    return Effect.suspend(() => {
      // The arrival of a file has no time limit here.
      const patience = isStreamed(endpoint) ? null : new StorageTimeout(databaseMillis)
      return attempt(patience, (outage, outcome) =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const isKeyed = isIdempotent && headers["idempotency-key"] !== undefined
          const isSafe = canRunAgain && (isKeyed || outcome === "not_made")
          const hasTime = patience === null || patience.left(0) > databaseMillis / 5
          return isSafe && hasTime ? again(patience, outage, outcome) : refuse(outage, outcome)
        })
      )
    })
  })

export const layer = Layer.effect(StorageFaults, Effect.map(ServerConfig, make))
