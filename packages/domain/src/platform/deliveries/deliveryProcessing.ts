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

/** How many lanes a process works at at once. */
const laneConcurrency = 2

/** For how long one lane is worked at before another one's turn comes. */
const turnDuration = Duration.seconds(3)

const maxBatchSize = 500

/** How many are tried at once where as many as may be have failed, so that few have to go alone. */
const fallbackBatchSize = 50

/** For how long more gathers where much comes all the time: a set costs nearly the same for few and for many. */
const batchWindow = Duration.millis(100)

/** How many have to have come at once for more to be waited for. */
const minBatchSize = 20

const maxAttempts = 8

/** A second after the first failure, two minutes after the last: what ails a delivery for longer needs a person. */
const retryDelay = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

/** The area that a delivery came to. One that this version does not know is tried again: another one may know it. */
const findSource = Effect.fnUntraced(function* ({ source }: WaitingInboundDelivery) {
  const found = (yield* DeliverySources).get(source)
  return found ?? (yield* Effect.die(new Error(`Nobody here knows deliveries of the source ${source}.`)))
})

/** What providers tell is done by nobody of the team. */
const asSource =
  ({ source }: WaitingInboundDelivery) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentActor, { kind: "system", name: source })

/** Applies what these deliveries of one source tell, as one batch, and keeps that it was done. */
const applyDeliveries = Effect.fnUntraced(function* (
  lane: LaneLease,
  rows: readonly [WaitingInboundDelivery, ...ReadonlyArray<WaitingInboundDelivery>],
  now: DateTime.Utc
) {
  const [first] = rows
  const source = yield* findSource(first)
  const told = yield* source.apply(first.provider, rows).pipe(asSource(first))
  const done = rows.flatMap(({ id }, at) => (told[at] === undefined ? [] : [{ id, ...told[at] }]))
  yield* (yield* InboundDeliveryQueue).applied(lane, done, now)
})

/** Works a batch through in one unit of work; says which those are, before they can fail. */
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

/** Ends the turn where a failure says nothing about a delivery: the process ends, the storage is away, or the lease is lost. */
const failWhenTurnEnds = (cause: Cause.Cause<unknown>): Effect.Effect<void, LeaseLost> => {
  const error = Cause.squash(cause)
  if (Cause.hasInterrupts(cause)) return Effect.interrupt
  if (error instanceof LeaseLost) return Effect.fail(error)
  return isStorageUnavailable(cause) ? Effect.die(error) : Effect.void
}

const failureReason = (cause: Cause.Cause<unknown>): string =>
  describeError(Cause.squash(cause)).slice(0, 1_000) || "It failed without a word."

const hasPassed = (end: DateTime.Utc) => Effect.map(DateTime.now, (now) => DateTime.isGreaterThanOrEqualTo(now, end))

/** Keeps that a delivery could not be worked through: it is tried again later, but not forever. */
const recordFailure = Effect.fnUntraced(function* (
  lane: LaneLease,
  row: WaitingInboundDelivery,
  cause: Cause.Cause<unknown>
) {
  const attempts = row.attempts + 1
  const isLast = attempts >= maxAttempts || Cause.squash(cause) instanceof DeliveryUnreadable
  yield* Effect.logWarning(
    `The delivery ${row.id} could not be worked through at attempt ${attempts}${isLast ? "; it is parked" : ""}`,
    cause
  )
  const again = isLast ? null : DateTime.addDuration(yield* DateTime.now, retryDelay(attempts))
  yield* (yield* InboundDeliveryQueue).failed(lane, row.id, failureReason(cause), again)
})

/**
 * Applies what a delivery tells one by one: what ails one thing keeps none of the others back. They change nothing a second
 * time, when the whole is tried again.
 */
const applyStepByStep = Effect.fnUntraced(function* (row: WaitingInboundDelivery) {
  const steps = yield* Effect.exit(
    Effect.flatMap(findSource(row), (source) => transact(source.steps(row.provider, row))).pipe(asSource(row))
  )
  if (Exit.isFailure(steps)) return
  for (const step of steps.value) {
    const exit = yield* Effect.exit(transact(step).pipe(asSource(row)))
    if (Exit.isFailure(exit)) yield* failWhenTurnEnds(exit.cause)
  }
})

/** Works the next delivery through by itself; whatever comes of it, the ones after it have their turn. */
const applyOne = Effect.fnUntraced(function* (lane: LaneLease) {
  const now = yield* DateTime.now
  const rows = yield* (yield* InboundDeliveryQueue).next(lane, 1, now)
  const [row] = rows
  if (row === undefined) return 0
  const exit = yield* Effect.exit(transact(applyDeliveries(lane, [row], now)))
  if (Exit.isFailure(exit)) {
    yield* failWhenTurnEnds(exit.cause)
    yield* applyStepByStep(row)
    yield* recordFailure(lane, row, exit.cause)
  }
  return 1
}, transact)

/** One after the other, as far as a batch goes: what made the batch fail is among them. */
const applyEach = Effect.fnUntraced(function* (lane: LaneLease, end: DateTime.Utc) {
  for (let count = 0; count < fallbackBatchSize; count += 1) {
    const worked = yield* applyOne(lane)
    if (worked === 0 || (yield* hasPassed(end))) return worked
  }
  return fallbackBatchSize
})

/** Whether so many came since that more will come. */
const hasSteadyArrivals = (rows: ReadonlyArray<WaitingInboundDelivery>, before: DateTime.Utc | null) =>
  before !== null &&
  rows.length >= minBatchSize &&
  rows.some(({ receivedAt }) => DateTime.isGreaterThan(receivedAt, before))

/** Works through what was delivered to the lane until nothing can be done now, or the turn is over. */
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
    // Whoever waits for a place does not wait for this.
    if (worked < most && hasSteadyArrivals(rows, before) && !isCrowded()) yield* Effect.sleep(batchWindow)
    before = at
  }
})

const inOrganization =
  ({ organizationId }: Lane) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentOrganization, { id: organizationId })

/** Deliveries of the registered sources are worked through lane by lane. */
export const inboundDeliveryWorker = defineLaneWorker({
  name: inboundDeliveriesTaskName,
  concurrency: laneConcurrency,
  run: (lane, turn) => inOrganization(lane)(processLane(lane, turn)),
  nextDue: (lane) => inOrganization(lane)(Effect.flatMap(InboundDeliveryQueue, (inbox) => inbox.nextDue(lane)))
})

/**
 * Providers deliver again for a week; what is known for longer than that is not taken for new. What is parked waits longer
 * for somebody to look at it, but not forever: people's words are in it, and who is erased must be gone within a month.
 */
const retentionDays = { applied: 14, parked: 30 }

const sweepBatchSize = 1_000

const sweepBatch = Effect.fnUntraced(function* (state: keyof typeof retentionDays) {
  const before = DateTime.subtract(yield* DateTime.now, { days: retentionDays[state] })
  return yield* (yield* InboundDeliveries).sweep(state, before, sweepBatchSize)
})

/** Deletes the deliveries of the organization that were applied long ago, and those that nobody has looked after for even longer. */
export const sweepInboundDeliveries = Effect.forEach(
  ["applied", "parked"] as const,
  (state) => Effect.repeat(sweepBatch(state), { while: (swept) => swept === sweepBatchSize }),
  { discard: true }
)
