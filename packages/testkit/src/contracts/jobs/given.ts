import { Job, JobId, type JobKindName, Jobs, transact } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { freshId } from "../given.ts"

/** When the jobs of the contracts are made. */
export const noon = DateTime.makeUnsafe("2026-03-01T12:00:00.125Z")

/** A kind of job that no other test claims. */
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
    resultUrl: null,
    cancelRequested: false,
    createdBy: { kind: "operator", id: "contract" },
    createdAt: noon,
    startedAt: null,
    finishedAt: null,
    updatedAt: noon,
    ...overrides
  })

/** What the jobs of the contracts are to work on: what JSON can say. */
export const jobInput = { file: "Kunden “März” \\ 🥐.csv", columns: [1, null, { deep: [true, 0.5] }] }

/** A new job of the current organization in the store. */
export const givenJob = Effect.fnUntraced(function* (kind: JobKindName, overrides: Partial<Job> = {}) {
  const job = newJob(kind, overrides)
  yield* transact(
    (yield* Jobs).insert({ job, input: jobInput, permissions: new Set(["jobs.read", "members.read"] as const) })
  )
  return job
})
