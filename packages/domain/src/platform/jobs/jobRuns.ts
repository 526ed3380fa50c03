import { Cause, DateTime, Duration, Effect, Exit, type Schema } from "effect"
import {
  type Actor,
  asSystem,
  CurrentActor,
  isAway,
  type Permission,
  PermissionDenied,
  transact
} from "../../kernel/index.ts"
import { type LaneLease, laneWork, workDue } from "../background/index.ts"
import { type Job, type JobErrorCode, JobFailed } from "./Job.ts"
import { JobKinds, type JobStep, RequesterRights, type StepRefused } from "./JobKind.ts"
import { jobOfLane, JobQueue, jobsWork, type Outcome, type RunningJob } from "./JobQueue.ts"
import { appendEvent } from "./events.ts"

/** A long job does not keep a short one waiting. */
const jobsAtOnce = 2

const mostAttempts = 5

const fault = "The work was stopped by a fault on our side. What was done until then stays done."

/** A job of a kind that this version does not know is looked at again: a process of another version may own it by then. */
const lookAgainAfter = Duration.seconds(5)

const within = asSystem("jobs")

const backOff = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

const delegateOf = ({ createdBy }: Job, permissions: ReadonlySet<Permission>): Actor => ({
  kind: "delegate",
  for: createdBy,
  permissions
})

const begin = Effect.fnUntraced(function* (lease: LaneLease) {
  const kinds = Array.from((yield* JobKinds).keys())
  return yield* (yield* JobQueue).begin(lease, kinds, yield* DateTime.now)
}, transact)

const finish = Effect.fnUntraced(function* (lease: LaneLease, { job }: RunningJob, outcome: Omit<Outcome, "now">) {
  yield* appendEvent({ type: "job.finished", jobId: job.id, kind: job.kind, state: outcome.state })
  yield* (yield* JobQueue).finish(lease, { ...outcome, now: yield* DateTime.now })
}, transact)

/** Permissions of the next step: the permissions of the request, limited to the current ones of the requester. */
const rightsNow = Effect.fnUntraced(function* ({ job, permissions }: RunningJob) {
  const needs = (yield* JobKinds).get(job.kind)?.needs ?? null
  if (needs === null) return permissions
  const now = yield* (yield* RequesterRights).find(job.createdBy)
  if (now === null) {
    const reason = `The ${job.createdBy.kind} that requested it can no longer act here. What was done until then stays done.`
    return yield* new JobFailed({ code: "requester_inactive", reason })
  }
  const held = permissions.intersection(now)
  const lost = needs.find((permission) => !held.has(permission))
  return lost === undefined ? held : yield* new PermissionDenied({ permission: lost })
})

const cancelled: Omit<Outcome, "now"> = { state: "cancelled", error: null, errorCode: null, resultUrl: null }

const failed = (errorCode: JobErrorCode, error: string): Omit<Outcome, "now"> => ({
  state: "failed",
  error,
  errorCode,
  resultUrl: null
})

const failedBy = (refused: StepRefused) =>
  refused._tag === "JobFailed"
    ? failed(refused.code, refused.reason)
    : failed(
        "permission_lost",
        `Its requester does not hold the permission ${refused.permission} any more. What was done until then stays done.`
      )

/** Does a step and stores where it got to, in one unit of work; `null` when the job is over or waits. */
const keepStep = Effect.fnUntraced(function* <E, R>(
  lease: LaneLease,
  running: RunningJob,
  doing: Effect.Effect<JobStep<Schema.Json>, E, R>
) {
  const step = yield* doing
  const queue = yield* JobQueue
  const { counts, progress, resumeAt = null } = step
  const now = yield* DateTime.now
  const stopping = yield* queue.advance(lease, { checkpoint: step.checkpoint, progress, counts, now })
  if (step.done) {
    yield* finish(lease, running, {
      state: "succeeded",
      error: null,
      errorCode: null,
      resultUrl: step.resultUrl ?? null
    })
    return null
  }
  if (stopping) {
    yield* finish(lease, running, cancelled)
    return null
  }
  if (resumeAt !== null) {
    yield* queue.postpone(lease, resumeAt, now)
    return null
  }
  return { checkpoint: step.checkpoint }
}, transact)

const takeStep = Effect.fnUntraced(function* (
  lease: LaneLease,
  running: RunningJob,
  checkpoint: RunningJob["checkpoint"]
) {
  const { input, job } = running
  const kind = (yield* JobKinds).get(job.kind)
  if (kind === undefined) return yield* Effect.die(new Error(`Nobody knows how to do ${job.kind}.`))
  const onBehalf = Effect.provideService(CurrentActor, delegateOf(job, yield* rightsNow(running)))
  const doing = yield* onBehalf(kind.ask(input, checkpoint))
  return yield* keepStep(lease, running, onBehalf(doing))
})

/** A step that died is tried again later, but not forever. */
const afterDeath = Effect.fnUntraced(function* (
  lease: LaneLease,
  running: RunningJob,
  attempts: number,
  cause: Cause.Cause<unknown>
) {
  const { id, kind } = running.job
  yield* Effect.logError(`A step of the job ${id} (${kind}) died at attempt ${attempts}`, cause)
  if (attempts >= mostAttempts) return yield* finish(lease, running, failed("internal_error", fault))
  const now = yield* DateTime.now
  const until = DateTime.addDuration(now, backOff(attempts))
  yield* transact((yield* JobQueue).postpone(lease, until, now))
})

const takeSteps = Effect.fnUntraced(function* (lease: LaneLease, running: RunningJob) {
  if (running.job.cancelRequested) return yield* finish(lease, running, cancelled)
  // Whoever began it before did not live to say what happened.
  if (running.attempts > mostAttempts) return yield* finish(lease, running, failed("internal_error", fault))
  let { attempts, checkpoint } = running
  while (true) {
    const exit = yield* Effect.exit(takeStep(lease, running, checkpoint))
    if (Exit.isFailure(exit)) {
      const error = Cause.findErrorOption(exit.cause)
      // The storage went away, which is no fault of the job's: its owner begins it again when it is there.
      if (isAway(exit.cause)) return yield* Effect.failCause(exit.cause)
      if (error._tag === "None") return yield* afterDeath(lease, running, attempts, exit.cause)
      if (error.value._tag === "LeaseLost") return yield* error.value
      return yield* finish(lease, running, failedBy(error.value))
    }
    if (exit.value === null) return
    checkpoint = exit.value.checkpoint
    attempts = 1
  }
})

const giveBack = Effect.fnUntraced(
  function* (lease: LaneLease) {
    yield* (yield* JobQueue).giveBack(lease, yield* DateTime.now)
  },
  transact,
  // Whoever owns the lane next counts an attempt then.
  (effect) => Effect.ignoreCause(effect)
)

/**
 * Works at a job until it is finished or put off. When it is interrupted, the step that runs is taken back, and the job is
 * anybody's at once.
 */
const workAt = (lease: LaneLease) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const running = yield* begin(lease)
      if (running === null) return undefined
      yield* restore(takeSteps(lease, running)).pipe(
        Effect.provideService(CurrentActor, delegateOf(running.job, running.permissions)),
        Effect.onInterrupt(() => giveBack(lease))
      )
      return "closed" as const
    })
  )

const nextLook = Effect.fnUntraced(function* (lease: LaneLease) {
  const isUnfinished = yield* (yield* JobQueue).isUnfinished(jobOfLane(lease))
  return isUnfinished ? DateTime.addDuration(yield* DateTime.now, lookAgainAfter) : null
})

/** Jobs are done step by step, of whatever area they are. */
export const jobs = laneWork({
  name: jobsWork,
  concurrency: jobsAtOnce,
  run: (lease) => within(lease.organizationId)(workAt(lease)),
  nextDue: (lease) => within(lease.organizationId)(nextLook(lease))
})

/** Does all jobs that can be done now, of those that no other process owns. */
export const runJobs = workDue(jobs)
