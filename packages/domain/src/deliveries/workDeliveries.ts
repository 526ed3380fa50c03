import { Array, Cause, DateTime, Duration, Effect, Exit } from "effect"
import { CurrentActor, CurrentOrganization, Ids, isAway, transact, wordsOfFault } from "../kernel/index.ts"
import { DeliveryInbox, type DeliveryLease, type WaitingDelivery } from "./Deliveries.ts"
import { DeliverySources, DeliveryUnreadable } from "./DeliverySource.ts"

/** How long a claim holds: within ten seconds another node goes on where a dead one stopped. */
const leaseDuration = Duration.seconds(8)

/** For how long one organization is worked for before another one's turn comes. */
const turn = Duration.seconds(3)

const mostAtOnce = 200

const mostAttempts = 8

/** A second after the first failure, two minutes after the last: what ails a delivery for longer needs a person. */
const backOff = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

/** The area that a delivery came to. One that this version does not know is tried again: another one may know it. */
const sourceOf = Effect.fnUntraced(function* ({ source }: WaitingDelivery) {
  const found = (yield* DeliverySources).get(source)
  return found ?? (yield* Effect.die(new Error(`Nobody here knows deliveries of the source ${source}.`)))
})

/** What providers tell is done by nobody of the team. */
const inNameOf =
  ({ source }: WaitingDelivery) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentActor, { kind: "system", name: source })

/** Applies what these deliveries of one source tell, as one batch, and keeps that it was done. */
const apply = Effect.fnUntraced(function* (
  lease: DeliveryLease,
  rows: readonly [WaitingDelivery, ...ReadonlyArray<WaitingDelivery>],
  now: DateTime.Utc
) {
  const [first] = rows
  const source = yield* sourceOf(first)
  const told = yield* source.apply(first.provider, rows).pipe(inNameOf(first))
  const done = rows.flatMap(({ id }, at) => (told[at] === undefined ? [] : [{ id, ...told[at] }]))
  yield* (yield* DeliveryInbox).applied(lease, done, now)
})

/** Works a batch through in one unit of work; says how many that were, `null` when the lease is lost. */
const applyBatch = Effect.fnUntraced(function* (lease: DeliveryLease) {
  const now = yield* DateTime.now
  const rows = yield* (yield* DeliveryInbox).next(lease, mostAtOnce, now)
  if (rows !== null && Array.isReadonlyArrayNonEmpty(rows)) yield* apply(lease, rows, now)
  return rows?.length ?? null
}, transact)

/** Neither the end of the process nor a storage that is away says anything about a delivery. */
const endsTheWork = (cause: Cause.Cause<unknown>) => Cause.hasInterrupts(cause) || isAway(cause)

const orInterrupt = (cause: Cause.Cause<unknown>): Cause.Cause<never> =>
  Cause.hasInterrupts(cause) ? Cause.interrupt() : Cause.die(Cause.squash(cause))

const reasonOf = (cause: Cause.Cause<unknown>): string =>
  wordsOfFault(Cause.squash(cause)).slice(0, 1_000) || "It failed without a word."

const isPast = (end: DateTime.Utc) => Effect.map(DateTime.now, (now) => DateTime.isGreaterThanOrEqualTo(now, end))

/** Keeps that a delivery could not be worked through: it is tried again later, but not forever. */
const fail = Effect.fnUntraced(function* (lease: DeliveryLease, row: WaitingDelivery, cause: Cause.Cause<unknown>) {
  const attempts = row.attempts + 1
  const isLast = attempts >= mostAttempts || Cause.squash(cause) instanceof DeliveryUnreadable
  yield* Effect.logWarning(
    `The delivery ${row.id} could not be worked through at attempt ${attempts}${isLast ? "; it is parked" : ""}`,
    cause
  )
  const again = isLast ? null : DateTime.addDuration(yield* DateTime.now, backOff(attempts))
  yield* (yield* DeliveryInbox).failed(lease, row.id, reasonOf(cause), again)
})

/**
 * Applies what a delivery tells one by one: what ails one thing keeps none of the others back. They change nothing a second
 * time, when the whole is tried again.
 */
const applyStepByStep = Effect.fnUntraced(function* (row: WaitingDelivery) {
  const steps = yield* Effect.exit(
    Effect.flatMap(sourceOf(row), (source) => transact(source.steps(row.provider, row))).pipe(inNameOf(row))
  )
  if (Exit.isFailure(steps)) return
  for (const step of steps.value) {
    const exit = yield* Effect.exit(transact(step).pipe(inNameOf(row)))
    if (Exit.isFailure(exit) && endsTheWork(exit.cause)) return yield* Effect.failCause(orInterrupt(exit.cause))
  }
})

/** Works the next delivery through by itself; whatever comes of it, the ones after it have their turn. */
const applyOne = Effect.fnUntraced(function* (lease: DeliveryLease) {
  const now = yield* DateTime.now
  const rows = yield* (yield* DeliveryInbox).next(lease, 1, now)
  const [row] = rows ?? []
  if (row === undefined) return rows?.length ?? null
  const exit = yield* Effect.exit(transact(apply(lease, [row], now)))
  if (Exit.isFailure(exit)) {
    if (endsTheWork(exit.cause)) return yield* Effect.failCause(orInterrupt(exit.cause))
    yield* applyStepByStep(row)
    yield* fail(lease, row, exit.cause)
  }
  return 1
}, transact)

/** One after the other, as far as a batch goes: what made the batch fail is among them. */
const applyEach = Effect.fnUntraced(function* (lease: DeliveryLease, end: DateTime.Utc) {
  for (let count = 0; count < mostAtOnce; count += 1) {
    const worked = yield* applyOne(lease)
    if (worked === null || worked === 0) return worked
    if (yield* isPast(end)) return worked
  }
  return mostAtOnce
})

const work = Effect.fnUntraced(function* (lease: DeliveryLease, end: DateTime.Utc) {
  while (true) {
    const batch = yield* Effect.exit(applyBatch(lease))
    if (Exit.isFailure(batch) && endsTheWork(batch.cause)) return yield* Effect.failCause(orInterrupt(batch.cause))
    const worked = Exit.isSuccess(batch) ? batch.value : yield* applyEach(lease, end)
    if (worked === null || worked === 0) return
    if (yield* isPast(end)) return
  }
})

/** Claims an organization and works through what was delivered to it, for a while; says whether there was one. */
export const workNextDeliveries = Effect.uninterruptibleMask((restore) =>
  Effect.gen(function* () {
    const inbox = yield* DeliveryInbox
    const now = yield* DateTime.now
    const lease = yield* inbox.claim({
      worker: yield* (yield* Ids).next,
      now,
      until: DateTime.addDuration(now, leaseDuration)
    })
    if (lease === null) return false
    yield* restore(work(lease, DateTime.addDuration(now, turn))).pipe(
      Effect.provideService(CurrentOrganization, { id: lease.organizationId }),
      Effect.ensuring(inbox.release(lease))
    )
    return true
  })
)

/** Works through deliveries of the registered sources, until there is none that can be claimed now. */
export const workDeliveriesOfSources = Effect.repeat(workNextDeliveries, { while: (worked) => worked }).pipe(
  Effect.asVoid
)
