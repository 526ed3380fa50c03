import { Cause, DateTime, Duration, Effect, Exit, type Schema } from "effect"
import {
  type Actor,
  asSystem,
  CurrentActor,
  isStorageUnavailable,
  type Permission,
  PermissionDenied,
  transact
} from "../../kernel/index.ts"
import { type LaneLease, defineLaneWorker, runDueLanes } from "../background/index.ts"
import { type Job, type JobErrorCode, JobFailed } from "./Job.ts"
import { JobKinds, type JobStep, RequesterPermissions, type JobStepError } from "./JobKind.ts"
import { jobIdOfLane, JobQueue, jobsTaskName, type JobOutcome, type RunningJob } from "./JobQueue.ts"
import { appendEvent } from "./events.ts"

/** With two concurrent jobs, a long job does not block a short one. */
const jobConcurrency = 2

const maxAttempts = 5

const internalErrorMessage = "An internal error stopped the job. Completed steps stay."

/** A job of an unknown kind is checked again after this delay. A process of another version may own it then. */
const unknownKindRetryDelay = Duration.seconds(5)

const asJobRunner = asSystem("jobs")

const retryDelay = (attempts: number) => Duration.seconds(2 ** (attempts - 1))

const toDelegate = ({ createdBy }: Job, permissions: ReadonlySet<Permission>): Actor => ({
  kind: "delegate",
  for: createdBy,
  permissions
})

const startRun = Effect.fnUntraced(function* (lease: LaneLease) {
  const kinds = Array.from((yield* JobKinds).keys())
  return yield* (yield* JobQueue).begin(lease, kinds, yield* DateTime.now)
}, transact)

const finishJob = Effect.fnUntraced(function* (
  lease: LaneLease,
  { job }: RunningJob,
  outcome: Omit<JobOutcome, "now">
) {
  yield* appendEvent({ type: "job.finished", jobId: job.id, kind: job.kind, state: outcome.state })
  yield* (yield* JobQueue).finish(lease, { ...outcome, now: yield* DateTime.now })
}, transact)

/** Permissions of the next step: the permissions of the request, limited to the current permissions of the requester. */
const findCurrentPermissions = Effect.fnUntraced(function* ({ job, permissions }: RunningJob) {
  const needs = (yield* JobKinds).get(job.kind)?.needs ?? null
  if (needs === null) return permissions
  const now = yield* (yield* RequesterPermissions).find(job.createdBy)
  if (now === null) {
    const reason = `The ${job.createdBy.kind} that requested the job is no longer active. Completed steps stay.`
    return yield* new JobFailed({ code: "requester_inactive", reason })
  }
  const held = permissions.intersection(now)
  const lost = needs.find((permission) => !held.has(permission))
  return lost === undefined ? held : yield* new PermissionDenied({ permission: lost })
})

const cancelledOutcome: Omit<JobOutcome, "now"> = { state: "cancelled", error: null, errorCode: null, resultUrl: null }

const failedOutcome = (errorCode: JobErrorCode, error: string): Omit<JobOutcome, "now"> => ({
  state: "failed",
  error,
  errorCode,
  resultUrl: null
})

const toFailedOutcome = (refused: JobStepError) =>
  refused._tag === "JobFailed"
    ? failedOutcome(refused.code, refused.reason)
    : failedOutcome(
        "permission_lost",
        `The requester no longer has the permission ${refused.permission}. Completed steps stay.`
      )

/** Runs a step and stores its checkpoint in one unit of work; `null` when the job has ended or waits. */
const saveStep = Effect.fnUntraced(function* <E, R>(
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
    yield* finishJob(lease, running, {
      state: "succeeded",
      error: null,
      errorCode: null,
      resultUrl: step.resultUrl ?? null
    })
    return null
  }
  if (stopping) {
    yield* finishJob(lease, running, cancelledOutcome)
    return null
  }
  if (resumeAt !== null) {
    yield* queue.postpone(lease, resumeAt, now)
    return null
  }
  return { checkpoint: step.checkpoint }
}, transact)

const runStep = Effect.fnUntraced(function* (
  lease: LaneLease,
  running: RunningJob,
  checkpoint: RunningJob["checkpoint"]
) {
  const { input, job } = running
  const kind = (yield* JobKinds).get(job.kind)
  if (kind === undefined) return yield* Effect.die(new Error(`No handler exists for ${job.kind}.`))
  const onBehalf = Effect.provideService(CurrentActor, toDelegate(job, yield* findCurrentPermissions(running)))
  const doing = yield* onBehalf(kind.ask(input, checkpoint))
  return yield* saveStep(lease, running, onBehalf(doing))
})

/** Postpones a step with a defect. The number of attempts is limited. */
const handleDefect = Effect.fnUntraced(function* (
  lease: LaneLease,
  running: RunningJob,
  attempts: number,
  cause: Cause.Cause<unknown>
) {
  const { id, kind } = running.job
  yield* Effect.logError(`A step of the job ${id} (${kind}) failed in attempt ${attempts}`, cause)
  if (attempts >= maxAttempts)
    return yield* finishJob(lease, running, failedOutcome("internal_error", internalErrorMessage))
  const now = yield* DateTime.now
  const until = DateTime.addDuration(now, retryDelay(attempts))
  yield* transact((yield* JobQueue).postpone(lease, until, now))
})

const runSteps = Effect.fnUntraced(function* (lease: LaneLease, running: RunningJob) {
  if (running.job.cancelRequested) return yield* finishJob(lease, running, cancelledOutcome)
  // The earlier processes ended before they could record a failure.
  if (running.attempts > maxAttempts)
    return yield* finishJob(lease, running, failedOutcome("internal_error", internalErrorMessage))
  let { attempts, checkpoint } = running
  while (true) {
    const exit = yield* Effect.exit(runStep(lease, running, checkpoint))
    if (Exit.isFailure(exit)) {
      const error = Cause.findErrorOption(exit.cause)
      // A storage outage is not a failure of the job. The lane owner restarts it after the recovery.
      if (isStorageUnavailable(exit.cause)) return yield* Effect.failCause(exit.cause)
      if (error._tag === "None") return yield* handleDefect(lease, running, attempts, exit.cause)
      if (error.value._tag === "LeaseLost") return yield* error.value
      return yield* finishJob(lease, running, toFailedOutcome(error.value))
    }
    if (exit.value === null) return
    checkpoint = exit.value.checkpoint
    attempts = 1
  }
})

const releaseJob = Effect.fnUntraced(
  function* (lease: LaneLease) {
    yield* (yield* JobQueue).giveBack(lease, yield* DateTime.now)
  },
  transact,
  // The next lane owner counts an attempt then.
  (effect) => Effect.ignoreCause(effect)
)

/** Runs a job until it ends or is postponed. On interruption the current step is rolled back, and any process can claim the job immediately. */
const runJob = (lease: LaneLease) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const running = yield* startRun(lease)
      if (running === null) return undefined
      yield* restore(runSteps(lease, running)).pipe(
        Effect.provideService(CurrentActor, toDelegate(running.job, running.permissions)),
        Effect.onInterrupt(() => releaseJob(lease))
      )
      return "closed" as const
    })
  )

const findNextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  const isUnfinished = yield* (yield* JobQueue).isUnfinished(jobIdOfLane(lease))
  return isUnfinished ? DateTime.addDuration(yield* DateTime.now, unknownKindRetryDelay) : null
})

/** Runs the jobs of all areas step by step. */
export const jobWorker = defineLaneWorker({
  name: jobsTaskName,
  concurrency: jobConcurrency,
  run: (lease) => asJobRunner(lease.organizationId)(runJob(lease)),
  nextDue: (lease) => asJobRunner(lease.organizationId)(findNextDue(lease))
})

/** Runs all runnable jobs that no other process owns. */
export const runDueJobs = runDueLanes(jobWorker)
