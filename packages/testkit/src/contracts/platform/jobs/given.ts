import { transact } from "@parley/domain/kernel"
import { Job, JobId, type JobKindName, jobLane, JobQueue, Jobs, jobsTaskName, Lanes } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { freshId } from "../../given.ts"
import { claimLane, currentId } from "../background/given.ts"

/** When the jobs of the contracts are made. */
export const noon = DateTime.makeUnsafe("2026-03-01T12:00:00.125Z")

/** A kind of job that no other test does. */
export const freshKind = (): JobKindName =>
  `contract.${freshId(JobId)
    .replaceAll("-", "")
    .replace(/\d/gu, (digit) => "ghijklmnop".charAt(Number(digit)))}`

/** A job that waits. */
export const newJob = (kind: JobKindName, overrides: Partial<Job> = {}): Job =>
  new Job({
    id: freshId(JobId),
    kind,
    state: "queued",
    progress: { done: 0, total: 10 },
    counts: {},
    error: null,
    errorCode: null,
    resultUrl: null,
    cancelRequested: false,
    createdBy: { kind: "operator", id: "contract" },
    createdAt: noon,
    startedAt: null,
    finishedAt: null,
    updatedAt: noon,
    ...overrides
  })

/** Job input of the contracts, as JSON. */
export const jobInput = { file: "Kunden “März” \\ 🥐.csv", columns: [1, null, { deep: [true, 0.5] }] }

/** A new job of the current organization in the store, and its lane. */
export const givenJob = Effect.fnUntraced(function* (kind: JobKindName, overrides: Partial<Job> = {}) {
  const job = newJob(kind, overrides)
  yield* Effect.gen(function* () {
    const permissions = new Set(["jobs.read", "members.read"] as const)
    yield* (yield* Jobs).insert({ job, input: jobInput, permissions })
    yield* (yield* Lanes).open({ task: jobsTaskName, key: job.id, priority: "bulk", dueAt: job.createdAt })
  }).pipe(transact)
  return job
})

/** Claims the lane of a job of the current organization as a process that has taken over; `null` when it is not due. */
export const claimJob = Effect.fnUntraced(function* ({ id }: Pick<Job, "id">, now = noon) {
  return yield* claimLane(jobLane(yield* currentId, id), now)
})

/** Claims, where the job must be due. */
export const mustClaimJob = (job: Pick<Job, "id">, now = noon) =>
  Effect.filterOrElse(
    claimJob(job, now),
    (lease) => lease !== null,
    () => Effect.die(new Error("Nothing was claimed."))
  )

/** Starts a job of the current organization, as a process that has taken over. */
export const begin = Effect.fnUntraced(function* (job: Pick<Job, "id" | "kind">, now = noon) {
  const lease = yield* mustClaimJob(job, now)
  const running = yield* transact((yield* JobQueue).begin(lease, [job.kind], now))
  return running === null ? yield* Effect.die(new Error("There was nothing to do.")) : { lease, ...running }
})
