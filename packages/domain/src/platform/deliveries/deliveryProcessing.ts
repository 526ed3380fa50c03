import { Array, Cause, DateTime, Duration, Effect, Exit } from "effect"
import { CurrentActor, CurrentOrganization, isStorageUnavailable, transact, describeError } from "../../kernel/index.ts"
import { type Lane, type LaneLease, defineLaneWorker, LeaseLost, type LaneTurn } from "../background/index.ts"
import {
  InboundDeliveries,
  inboundDeliveriesTaskName,
  InboundDeliveryQueue,
  type WaitingInboundDelivery
} from "./InboundDeliveries.ts"
import { DeliverySources, DeliveryUnreadable } from "./DeliverySource.ts"

/** Number of lanes that a process works on concurrently. */
const laneConcurrency = 2

/** Duration of a turn of one lane. */
const turnDuration = Duration.seconds(3)

const maxBatchSize = 500

/** Batch size after failures of the maximum size, to limit the number of single attempts. */
const fallbackBatchSize = 50

/** Wait for more deliveries under steady load, because a batch costs nearly the same for few and many deliveries. */
const batchWindow = Duration.millis(100)

/** Minimum number of simultaneous deliveries for this wait. */
const minBatchSize = 20

const maxAttempts = 8

/** One second after the first failure, two minutes after the last. A longer problem needs an operator. */
const retryDelay = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

/** Finds the area of a delivery. A source unknown to this version is retried, because another version may know it. */
const findSource = Effect.fnUntraced(function* ({ source }: WaitingInboundDelivery) {
  const found = (yield* DeliverySources).get(source)
  return found ?? (yield* Effect.die(new Error(`No handler exists for deliveries of the source ${source}.`)))
})

/** Deliveries are applied by the source as actor, not by a member. */
const asSource =
  ({ source }: WaitingInboundDelivery) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentActor, { kind: "system", name: source })

/** Applies the events of these deliveries of one source as one batch, and marks the deliveries as applied. */
const applyDeliveries = Effect.fnUntraced(function* (
  lane: LaneLease,
  rows: readonly [WaitingInboundDelivery, ...ReadonlyArray<WaitingInboundDelivery>],
  now: DateTime.Utc
) {
  const [first] = rows
  const source = yield* findSource(first)
  const outcomes = yield* source.apply(first.provider, rows).pipe(asSource(first))
  const done = rows.flatMap(({ id }, at) => (outcomes[at] === undefined ? [] : [{ id, ...outcomes[at] }]))
  yield* (yield* InboundDeliveryQueue).applied(lane, done, now)
})

/** Applies a batch in one unit of work. It reports the deliveries before they can fail. */
const applyBatch = Effect.fnUntraced(function* (
  lane: LaneLease,
  most: number,
  say: (rows: ReadonlyArray<WaitingInboundDelivery>) => void
) {
  const now = yield* DateTime.now
  const rows = yield* (yield* InboundDeliveryQueue).next(lane, most, now)
  say(rows)
  if (Array.isReadonlyArrayNonEmpty(rows)) yield* applyDeliveries(lane, rows, now)
}, transact)

/** Ends the turn if the failure does not concern a delivery: process end, storage outage or lost lease. */
const failWhenTurnEnds = (cause: Cause.Cause<unknown>): Effect.Effect<void, LeaseLost> => {
  const error = Cause.squash(cause)
  if (Cause.hasInterrupts(cause)) return Effect.interrupt
  if (error instanceof LeaseLost) return Effect.fail(error)
  return isStorageUnavailable(cause) ? Effect.die(error) : Effect.void
}

/** Reason in a form that can be stored, because the message of an error can repeat texts of the delivery. */
const failureReason = (cause: Cause.Cause<unknown>): string =>
  describeError(Cause.squash(cause)).replaceAll("\0", "").slice(0, 1_000).toWellFormed() || "Failed without a reason."

const hasPassed = (end: DateTime.Utc) => Effect.map(DateTime.now, (now) => DateTime.isGreaterThanOrEqualTo(now, end))

/** Records a failed attempt, unless an operator has moved the delivery. The number of retries is limited. */
const recordFailure = Effect.fnUntraced(function* (
  lane: LaneLease,
  row: WaitingInboundDelivery,
  cause: Cause.Cause<unknown>
) {
  const now = yield* DateTime.now
  const inbox = yield* InboundDeliveryQueue
  const [next] = yield* inbox.next(lane, 1, now)
  if (next?.id !== row.id) return
  const attempts = row.attempts + 1
  const isLast = attempts >= maxAttempts || Cause.squash(cause) instanceof DeliveryUnreadable
  yield* Effect.logWarning(
    `The delivery ${row.id} could not be processed in attempt ${attempts}${isLast ? "; it is parked" : ""}`,
    cause
  )
  const again = isLast ? null : DateTime.addDuration(now, retryDelay(attempts))
  yield* inbox.failed(lane, row.id, failureReason(cause), again)
}, transact)

/** Applies one event, and holds the lane. */
const applyStep = Effect.fnUntraced(function* <E, R>(
  lane: LaneLease,
  row: WaitingInboundDelivery,
  step: Effect.Effect<void, E, R>
) {
  yield* asSource(row)(step)
  yield* (yield* InboundDeliveryQueue).applied(lane, [], yield* DateTime.now)
}, transact)

/**
 * Applies the events of a delivery one by one, because one failing event must not block the others. A later retry of the delivery does not apply them
 * twice.
 */
const applyStepByStep = Effect.fnUntraced(function* (lane: LaneLease, row: WaitingInboundDelivery) {
  const steps = yield* Effect.exit(
    Effect.flatMap(findSource(row), (source) => transact(source.steps(row.provider, row))).pipe(asSource(row))
  )
  if (Exit.isFailure(steps)) return
  for (const step of steps.value) {
    const exit = yield* Effect.exit(applyStep(lane, row, step))
    if (Exit.isFailure(exit)) yield* failWhenTurnEnds(exit.cause)
  }
})

/**
 * Applies the next delivery alone. The later deliveries continue after any result. A failure is recorded in a separate unit of work, because the
 * storage can refuse the events of a delivery at the commit.
 */
const applyOne = Effect.fnUntraced(function* (lane: LaneLease) {
  let rows: ReadonlyArray<WaitingInboundDelivery> = []
  const exit = yield* Effect.exit(applyBatch(lane, 1, (found) => (rows = found)))
  if (Exit.isFailure(exit)) {
    yield* failWhenTurnEnds(exit.cause)
    const [row] = rows
    if (row === undefined) return yield* Effect.die(Cause.squash(exit.cause))
    yield* applyStepByStep(lane, row)
    yield* recordFailure(lane, row, exit.cause)
  }
  return rows.length
})

/** Applies the deliveries of a failed batch one by one up to the batch size. The failing one is among them. */
const applyEach = Effect.fnUntraced(function* (lane: LaneLease, end: DateTime.Utc) {
  for (let count = 0; count < fallbackBatchSize; count += 1) {
    const worked = yield* applyOne(lane)
    if (worked === 0 || (yield* hasPassed(end))) return worked
  }
  return fallbackBatchSize
})

/** Whether enough deliveries arrived to expect more. */
const hasSteadyArrivals = (rows: ReadonlyArray<WaitingInboundDelivery>, before: DateTime.Utc | null) =>
  before !== null &&
  rows.length >= minBatchSize &&
  rows.some(({ receivedAt }) => DateTime.isGreaterThan(receivedAt, before))

/** Processes the deliveries of the lane until none is due or the turn ends. */
const processLane = Effect.fnUntraced(function* (lane: LaneLease, { isCrowded }: LaneTurn) {
  const end = DateTime.addDuration(yield* DateTime.now, turnDuration)
  let suspected = 0
  let before: DateTime.Utc | null = null
  while (true) {
    const most = suspected > 0 ? fallbackBatchSize : maxBatchSize
    const at = yield* DateTime.now
    let rows: ReadonlyArray<WaitingInboundDelivery> = []
    const batch = yield* Effect.exit(applyBatch(lane, most, (found) => (rows = found)))
    let worked = rows.length
    if (suspected > 0) suspected -= fallbackBatchSize
    if (Exit.isFailure(batch)) {
      yield* failWhenTurnEnds(batch.cause)
      if (worked > fallbackBatchSize) suspected = worked
      else worked = yield* applyEach(lane, end)
    }
    if (worked === 0 || (yield* hasPassed(end))) return
    // Other lanes that wait for capacity do not wait for this batch window.
    if (worked < most && hasSteadyArrivals(rows, before) && !isCrowded()) yield* Effect.sleep(batchWindow)
    before = at
  }
})

const inOrganization =
  ({ organizationId }: Lane) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentOrganization, { id: organizationId })

/** Processes the deliveries of the registered sources lane by lane. */
export const inboundDeliveryWorker = defineLaneWorker({
  name: inboundDeliveriesTaskName,
  concurrency: laneConcurrency,
  run: (lane, turn) => inOrganization(lane)(processLane(lane, turn)),
  nextDue: (lane) => inOrganization(lane)(Effect.flatMap(InboundDeliveryQueue, (inbox) => inbox.nextDue(lane)))
})

/**
 * Retention in days. Providers repeat deliveries for a week, so known digests stay longer than that. Parked deliveries stay longer for operators.
 * They contain personal data, and erased people must be deleted within a month.
 */
const retentionDays = { applied: 14, parked: 30 }

const sweepBatchSize = 1_000

const sweepBatch = Effect.fnUntraced(function* (state: keyof typeof retentionDays) {
  const before = DateTime.subtract(yield* DateTime.now, { days: retentionDays[state] })
  return yield* (yield* InboundDeliveries).sweep(state, before, sweepBatchSize)
})

/** Deletes old applied deliveries of the organization, and even older parked ones. */
export const sweepInboundDeliveries = Effect.forEach(
  ["applied", "parked"] as const,
  (state) => Effect.repeat(sweepBatch(state), { while: (swept) => swept === sweepBatchSize }),
  { discard: true }
)
