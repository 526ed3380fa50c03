import { Cause, DateTime, Duration, Effect, Exit } from "effect"
import { CurrentActor, CurrentOrganization, Ids, isAway, outlast, transact } from "../kernel/index.ts"
import { appendEvent } from "./appendEvent.ts"
import type { LeaseLost } from "../work/index.ts"
import { JobKinds } from "./JobKind.ts"
import { type ClaimedJob, JobQueue, type Lease, type Outcome } from "./JobQueue.ts"

/** How long a claim holds without a sign of life: within ten seconds another node goes on where a dead one stopped. */
const leaseDuration = Duration.seconds(8)

const signOfLifeEvery = Duration.millis(2500)

const mostAttempts = 5

const fault = "The work was stopped by a fault on our side. What was done until then stays done."

const leaseEnd = (now: DateTime.Utc) => DateTime.addDuration(now, leaseDuration)

const backOff = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

const renewNow = Effect.fnUntraced(function* (lease: Lease) {
  yield* (yield* JobQueue).renew(lease, leaseEnd(yield* DateTime.now))
})

/** Keeps the lease for as long as the effect takes, and drops the effect when the lease is lost. */
const keeping =
  (lease: Lease) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | LeaseLost, R | JobQueue> =>
    Effect.raceFirst(effect, Effect.forever(Effect.delay(renewNow(lease), signOfLifeEvery)))

const finish = Effect.fnUntraced(function* ({ job, lease }: ClaimedJob, outcome: Omit<Outcome, "now">) {
  yield* (yield* JobQueue).finish(lease, { ...outcome, now: yield* DateTime.now })
  yield* appendEvent({ type: "job.finished", jobId: job.id, kind: job.kind, state: outcome.state })
})

const cancelled: Omit<Outcome, "now"> = { state: "cancelled", error: null, resultUrl: null }

const failed = (error: string): Omit<Outcome, "now"> => ({ state: "failed", error, resultUrl: null })

/** Does one step and stores where it got to, in one unit of work; `null` when that was the last one. */
const takeStep = Effect.fnUntraced(function* (claimed: ClaimedJob, checkpoint: ClaimedJob["checkpoint"]) {
  const { input, job, lease } = claimed
  const kind = (yield* JobKinds).get(job.kind)
  if (kind === undefined) return yield* Effect.die(new Error(`Nobody knows how to do ${job.kind}.`))
  const step = yield* kind.step(input, checkpoint)
  const now = yield* DateTime.now
  const { counts, progress } = step
  const stopping = yield* (yield* JobQueue).advance(lease, {
    checkpoint: step.checkpoint,
    progress,
    counts,
    now,
    until: leaseEnd(now)
  })
  if (step.done) {
    yield* finish(claimed, { state: "succeeded", error: null, resultUrl: step.resultUrl ?? null })
    return null
  }
  if (stopping) {
    yield* finish(claimed, cancelled)
    return null
  }
  return { checkpoint: step.checkpoint }
}, transact)

/** The storage went away, which is no fault of the job's: it is anybody's again, as if it had not been tried. */
const afterOutage = Effect.fnUntraced(function* (claimed: ClaimedJob) {
  const queue = yield* JobQueue
  yield* outlast(Effect.flatMap(DateTime.now, (now) => queue.handBack(claimed.lease, now)))
})

/** A step that died is tried again later, but not forever. */
const afterDeath = Effect.fnUntraced(function* (claimed: ClaimedJob, attempts: number, cause: Cause.Cause<unknown>) {
  yield* Effect.logError(`A step of the job ${claimed.job.id} (${claimed.job.kind}) died at attempt ${attempts}`, cause)
  if (attempts >= mostAttempts) return yield* transact(finish(claimed, failed(fault)))
  const now = yield* DateTime.now
  yield* (yield* JobQueue).postpone(claimed.lease, DateTime.addDuration(now, backOff(attempts)), now)
})

const work = Effect.fnUntraced(function* (claimed: ClaimedJob) {
  if (claimed.job.cancelRequested) return yield* transact(finish(claimed, cancelled))
  // Whoever claimed it before did not live to say what happened.
  if (claimed.attempts > mostAttempts) return yield* transact(finish(claimed, failed(fault)))
  let { attempts, checkpoint } = claimed
  while (true) {
    const exit = yield* Effect.exit(keeping(claimed.lease)(takeStep(claimed, checkpoint)))
    if (Exit.isFailure(exit)) {
      const error = Cause.findErrorOption(exit.cause)
      if (isAway(exit.cause)) return yield* afterOutage(claimed)
      if (error._tag === "None") return yield* afterDeath(claimed, attempts, exit.cause)
      if (error.value._tag === "LeaseLost") return yield* error.value
      return yield* transact(finish(claimed, failed(error.value.reason)))
    }
    if (exit.value === null) return
    checkpoint = exit.value.checkpoint
    attempts = 1
  }
})

const onBehalf =
  ({ job, lease, permissions }: ClaimedJob) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: lease.organizationId }),
      Effect.provideService(CurrentActor, { kind: "delegate", for: job.createdBy, permissions })
    )

const handBack = Effect.fnUntraced(
  function* (lease: Lease) {
    yield* (yield* JobQueue).handBack(lease, yield* DateTime.now)
  },
  (effect) => Effect.ignore(effect)
)

const claimNext = Effect.gen(function* () {
  const kinds = Array.from((yield* JobKinds).keys())
  if (kinds.length === 0) return null
  const now = yield* DateTime.now
  return yield* (yield* JobQueue).claim({ runner: yield* (yield* Ids).next, kinds, now, until: leaseEnd(now) })
})

/**
 * Claims the next job and works on it until it is finished, put off or taken over; says whether there was one. When it is
 * interrupted, the step that runs is taken back, and the job is anybody's at once.
 */
export const runNextJob = Effect.uninterruptibleMask((restore) =>
  Effect.gen(function* () {
    const claimed = yield* claimNext
    if (claimed === null) return false
    yield* restore(work(claimed)).pipe(
      onBehalf(claimed),
      Effect.onInterrupt(() => handBack(claimed.lease)),
      Effect.catchTag("LeaseLost", () => Effect.logInfo(`The job ${claimed.job.id} was taken over by another runner`))
    )
    return true
  })
)

/** Works on jobs, one after the other, until there is none that can be claimed now. */
export const runJobs = Effect.repeat(runNextJob, { while: (worked) => worked }).pipe(Effect.asVoid)
