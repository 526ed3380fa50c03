import { DateTime, Duration, Effect, Redacted } from "effect"
import { type ActionCall, ActionCallListeners } from "../../../integrations/plugins/index.ts"
import { buildRequestTarget, WebhookSender } from "../../../integrations/webhooks/index.ts"
import { asSystem, transact } from "../../../kernel/index.ts"
import { defineLaneWorker, type LaneLease, LaneQueue, sweepOrganizations } from "../../../platform/background/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { toActionError } from "../actions/errors.ts"
import { type HttpCallRequest, HttpCalls, type StoredHttpCall } from "./HttpCall.ts"
import { httpRetryDelay, type HttpVerdict, interpretHttpAnswer } from "./httpAnswers.ts"
import { requireSubscription } from "./httpTargets.ts"
import { httpCallTaskName } from "./startHttpCall.ts"

const toActionCall = (call: StoredHttpCall): ActionCall => ({ ...call, kind: "http_call" })

const failed = (code: string, message: string): HttpVerdict => ({
  kind: "failed",
  output: null,
  error: { code, message }
})

const unsigned = { secrets: [], headers: {} }

const redactAll = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Redacted.make(value)]))

/** Sends one request. The headers of the subscription replace equal ones of the action. */
const sendRequest = Effect.fnUntraced(function* (request: HttpCallRequest, { key, tries }: StoredHttpCall) {
  const { body, headers, method, timeoutSeconds, url, webhookSubscriptionId } = request
  const { headers: sealed, secrets } =
    webhookSubscriptionId === null
      ? unsigned
      : yield* buildRequestTarget(yield* requireSubscription(webhookSubscriptionId, url))
  const answer = yield* (yield* WebhookSender).ask(
    {
      method,
      url,
      secrets,
      id: key,
      at: yield* DateTime.now,
      attempt: tries + 1,
      headers: {
        accept: Redacted.make("application/json"),
        ...redactAll(headers),
        ...sealed,
        "idempotency-key": Redacted.make(key)
      },
      body: body === null ? "" : JSON.stringify(body.json)
    },
    timeoutSeconds
  )
  return interpretHttpAnswer(answer)
})

/** Returns the result of an attempt, without storing it. */
const attemptCall = Effect.fnUntraced(function* (call: StoredHttpCall) {
  const { request } = call
  if (request === null || (yield* (yield* ActionCallListeners).isGivenUp(toActionCall(call)))) {
    return failed("run_ended", "The run has ended or continued without the request.")
  }
  return yield* Effect.catchTags(sendRequest(request, call), {
    ActionRefused: (error) => Effect.succeed(failed(error.reason, error.message)),
    NotFound: (error) => Effect.succeed(failed(toActionError(error).code, error.message))
  })
})

/** Applies the result of an attempt at this time. */
const applyVerdict = (call: StoredHttpCall, verdict: HttpVerdict, now: DateTime.Utc): StoredHttpCall => {
  if (verdict.kind === "done") return { ...call, state: "done", output: verdict.output, error: null, dueAt: null }
  const { error, output } = verdict
  const delay = verdict.kind === "again" ? httpRetryDelay(call.caller, call.tries, verdict.retryAfterSeconds) : null
  return delay === null
    ? { ...call, state: "failed", output, error, dueAt: null }
    : { ...call, dueAt: DateTime.addDuration(now, delay) }
}

/** Stores the result of an attempt, unless the call has ended concurrently, for example by an erasure. */
const saveAttempt = Effect.fnUntraced(
  function* (lease: LaneLease, { id, tries }: StoredHttpCall, verdict: HttpVerdict) {
    const calls = yield* HttpCalls
    const call = yield* calls.lock(id)
    if (call.state === "pending" && call.tries === tries) {
      const settled = applyVerdict({ ...call, tries: tries + 1 }, verdict, yield* DateTime.now)
      yield* calls.save(settled)
      if (settled.state !== "pending") yield* (yield* ActionCallListeners).ended(toActionCall(settled))
    }
    yield* (yield* LaneQueue).hold(lease)
  },
  transact,
  Effect.catchTag("NotFound", () => Effect.void)
)

/** Maximum number of concurrent requests to one origin. */
const maxConcurrentRequests = 5

const isActive = Effect.gen(function* () {
  return (yield* (yield* Organizations).current()).status === "active"
})

/** Sends the due requests to an origin, some concurrently, until none is due. */
const processCalls = Effect.fnUntraced(function* (lease: LaneLease) {
  const calls = yield* HttpCalls
  while (yield* isActive) {
    const due = yield* calls.due(lease.key, yield* DateTime.now, maxConcurrentRequests)
    if (due.length === 0) return
    yield* Effect.forEach(
      due,
      (call) => Effect.flatMap(attemptCall(call), (verdict) => saveAttempt(lease, call, verdict)),
      { concurrency: maxConcurrentRequests, discard: true }
    )
  }
})

/** Most time is spent waiting for servers. The limit is high, because a slow server must not delay others. */
const maxConcurrentOrigins = 128

/** Interval between checks whether a suspended organization is active. */
const suspendedRecheckInterval = Duration.minutes(10)

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const due = yield* (yield* HttpCalls).nextDue(key)
  return due === null || (yield* isActive) ? due : DateTime.addDuration(yield* DateTime.now, suspendedRecheckInterval)
})

const asHttpSystem = asSystem("automations")

/** One process at a time sends the requests to an origin. */
export const httpCallLaneWorker = defineLaneWorker({
  name: httpCallTaskName,
  concurrency: maxConcurrentOrigins,
  run: (lease) => asHttpSystem(lease.organizationId)(processCalls(lease)),
  nextDue: (lease) => asHttpSystem(lease.organizationId)(nextDue(lease))
})

/** Retention of ended requests. It exceeds the retention of automation runs, which show the answers. */
const callRetention = Duration.days(31)

const sweepBatchSize = 1_000

const sweepCalls = Effect.gen(function* () {
  const calls = yield* HttpCalls
  const before = DateTime.subtractDuration(yield* DateTime.now, callRetention)
  while ((yield* calls.sweep(before, sweepBatchSize)) === sweepBatchSize) yield* Effect.yieldNow
})

/** Sends HTTP requests of actions, and deletes them after the retention. */
export const httpCallTasks = [httpCallLaneWorker, sweepOrganizations("http calls", sweepCalls)] as const
