import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Job, jobLane, JobQueue, Jobs, type LaneLease, type JobOutcome } from "@parley/domain/platform"
import { type DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, givenOrganization, inside, plain } from "../../given.ts"
import { currentId } from "../background/given.ts"
import { begin, claimJob, freshKind, givenJob, jobInput, mustClaimJob, newJob, noon } from "./given.ts"

const step = { checkpoint: { row: 5 }, progress: { done: 5, total: 12 }, counts: { created: 4, bad: 1 } }

const advance = (lease: LaneLease, now: DateTime.Utc = noon) =>
  Effect.flatMap(JobQueue, (queue) => transact(queue.advance(lease, { ...step, now })))

const succeeded = (now: DateTime.Utc): JobOutcome => ({
  state: "succeeded",
  error: null,
  errorCode: null,
  resultUrl: "/api/v1/there",
  now
})

const finish = (lease: LaneLease, outcome = succeeded(noon)) =>
  Effect.flatMap(JobQueue, (queue) => transact(queue.finish(lease, outcome)))

const giveBack = (lease: LaneLease, now = noon) =>
  Effect.flatMap(JobQueue, (queue) => transact(queue.giveBack(lease, now)))

const postpone = (lease: LaneLease, until: DateTime.Utc, now = noon) =>
  Effect.flatMap(JobQueue, (queue) => transact(queue.postpone(lease, until, now)))

const beginAgain = (lease: LaneLease, { kind }: Pick<Job, "kind">, now = noon) =>
  Effect.flatMap(JobQueue, (queue) => transact(queue.begin(lease, [kind], now)))

const everyWrite = (lease: LaneLease, job: Job, now: DateTime.Utc) => [
  beginAgain(lease, job, now),
  advance(lease, now),
  finish(lease, succeeded(now)),
  giveBack(lease, now),
  postpone(lease, after(now, "1 hour"), now)
]

const read = ({ id }: Pick<Job, "id">) => Effect.flatMap(Jobs, (jobs) => jobs.get(id))

const isUnfinished = ({ id }: Pick<Job, "id">) => Effect.flatMap(JobQueue, (queue) => queue.isUnfinished(id))

/** Inside of a new organization. */
const inOne = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const jobQueue: StorageContract = {
  port: "JobQueue",
  promises: (it) => {
    it.effect("starts a job with its input", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const begun = yield* begin(job, after(noon, "1 second"))
          const running = new Job({
            ...job,
            state: "running",
            startedAt: after(noon, "1 second"),
            updatedAt: after(noon, "1 second")
          })
          assert.deepStrictEqual(plain.job(begun.job), plain.job(running))
          assert.deepStrictEqual(plain.job(yield* read(job)), plain.job(running))
          assert.deepStrictEqual(begun.input, jobInput)
          assert.isNull(begun.checkpoint)
          assert.deepStrictEqual(Array.from(begun.permissions).toSorted(), ["jobs.read", "members.read"])
          assert.strictEqual(begun.attempts, 1)
        })
      )
    )

    it.effect("leaves a job of another kind as it is, and says that there is something to do", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const lease = yield* mustClaimJob(job)
          const queue = yield* JobQueue
          assert.isNull(yield* transact(queue.begin(lease, [], noon)))
          assert.isNull(yield* transact(queue.begin(lease, [freshKind()], noon)))
          assert.deepStrictEqual(plain.job(yield* read(job)), plain.job(job))
          assert.isTrue(yield* isUnfinished(job))
          assert.strictEqual((yield* beginAgain(lease, job))?.attempts, 1)
        })
      )
    )

    it.effect("says that nothing is left to do of a job that is cancelled, over, or not there", () =>
      inOne(
        Effect.gen(function* () {
          const [cancelled, over] = [yield* givenJob(freshKind()), yield* givenJob(freshKind())]
          yield* transact((yield* Jobs).requestCancel(cancelled.id, noon))
          const { lease } = yield* begin(over)
          yield* finish(lease)
          for (const job of [cancelled, over, newJob(freshKind())]) assert.isFalse(yield* isUnfinished(job))
          assert.isNull(yield* beginAgain(yield* mustClaimJob(cancelled), cancelled))
          assert.strictEqual((yield* read(cancelled)).state, "cancelled")
        })
      )
    )

    it.effect("ignores jobs of another tenant", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const job = yield* givenJob(freshKind()).pipe(inside(one))
        const lease = yield* mustClaimJob(job).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.isFalse(yield* isUnfinished(job))
          const exit = yield* Effect.exit(beginAgain({ ...lease, ...jobLane(yield* currentId, job.id) }, job))
          assert.strictEqual(exit._tag, "Failure")
        }).pipe(inside(other))
        assert.deepStrictEqual(plain.job(yield* read(job).pipe(inside(one))), plain.job(job))
      })
    )

    it.effect("continues from the checkpoint under a new owner", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const one = yield* begin(job)
          assert.isFalse(yield* advance(one.lease, after(noon, "5 seconds")))
          const seen = yield* read(job)
          assert.deepStrictEqual(
            [seen.progress, seen.counts].map((part) => ({ ...part })),
            [step.progress, step.counts]
          )
          const other = yield* begin(job, after(noon, "13 seconds"))
          assert.deepStrictEqual(other.checkpoint, step.checkpoint)
          assert.strictEqual(other.attempts, 2)
          assert.deepStrictEqual(other.job.startedAt, one.job.startedAt)
        })
      )
    )

    it.effect("counts each owner that begins it and does not get on, and forgets them all with a step", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const attempts: Array<number> = []
          for (let owner = 0; owner < 7; owner++) attempts.push((yield* begin(job)).attempts)
          assert.deepStrictEqual(attempts, [1, 2, 3, 4, 5, 6, 7])
          yield* advance((yield* begin(job)).lease)
          assert.strictEqual((yield* begin(job)).attempts, 2)
        })
      )
    )

    it.effect("counts one owner once, however often it begins, unless it says that it failed", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const { lease } = yield* begin(job)
          for (let outage = 0; outage < 7; outage++) {
            assert.strictEqual((yield* beginAgain(lease, job))?.attempts, 1)
          }
          yield* postpone(lease, noon)
          assert.strictEqual((yield* beginAgain(lease, job))?.attempts, 2)
        })
      )
    )

    it.effect("refuses everything that a lost lease writes", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const late = yield* begin(job)
          const now = after(noon, "8 seconds")
          const current = yield* begin(job, now)
          for (const write of everyWrite(late.lease, job, now)) {
            assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
          }
          assert.deepStrictEqual(plain.job(yield* read(job)), plain.job(current.job))
          assert.isFalse(yield* advance(current.lease, now))
        })
      )
    )

    it.effect("refuses what is written before the new owner has begun, too", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const late = yield* begin(job)
          const lease = yield* mustClaimJob(job)
          for (const write of everyWrite(late.lease, job, noon)) {
            assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
          }
          assert.strictEqual((yield* beginAgain(lease, job))?.attempts, 2)
        })
      )
    )

    it.effect("rolls back a step whose lease was lost", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const { lease: late } = yield* begin(job)
          yield* begin(job)
          const written = newJob(freshKind())
          const jobs = yield* Jobs
          const failure = yield* jobs
            .insert({ job: written, input: null, permissions: new Set() })
            .pipe(Effect.andThen(advance(late)), transact, Effect.flip)
          assert.strictEqual(failure._tag, "LeaseLost")
          assert.strictEqual((yield* Effect.flip(jobs.get(written.id)))._tag, "NotFound")
        })
      )
    )

    it.effect("lets a finished job rest, and closes its lane", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const begun = yield* begin(job)
          const now = after(noon, "3 seconds")
          const outcome: JobOutcome = {
            state: "failed",
            error: "The file is “empty”.",
            errorCode: "permission_lost",
            resultUrl: null,
            now
          }
          const finished = yield* finish(begun.lease, outcome)
          const { error, errorCode, state } = outcome
          const expected = new Job({ ...begun.job, state, error, errorCode, finishedAt: now, updatedAt: now })
          assert.deepStrictEqual(plain.job(finished), plain.job(expected))
          assert.deepStrictEqual(plain.job(yield* read(job)), plain.job(expected))
          for (const write of everyWrite(begun.lease, job, now)) {
            assert.strictEqual((yield* Effect.flip(write))._tag, "LeaseLost")
          }
          assert.isNull(yield* claimJob(job, after(now, "1 day")))
        })
      )
    )

    it.effect("returns a job as if not started", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const one = yield* begin(job)
          yield* advance(one.lease)
          yield* giveBack(one.lease)
          assert.strictEqual((yield* read(job)).state, "queued")
          const other = yield* begin(job)
          assert.deepStrictEqual([other.attempts, other.checkpoint], [1, step.checkpoint])
        })
      )
    )

    it.effect("puts a job off, and counts the attempt", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const { lease } = yield* begin(job)
          yield* postpone(lease, after(noon, "4 seconds"))
          assert.strictEqual((yield* read(job)).state, "queued")
          assert.isNull(yield* claimJob(job, after(noon, "3999 millis")))
          assert.strictEqual((yield* begin(job, after(noon, "4 seconds"))).attempts, 2)
        })
      )
    )

    it.effect("reports a cancel request to the owner", () =>
      inOne(
        Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const one = yield* begin(job)
          yield* transact((yield* Jobs).requestCancel(job.id, noon))
          assert.isTrue(yield* advance(one.lease))
          assert.isTrue((yield* begin(job)).job.cancelRequested)
        })
      )
    )
  }
}

export const jobQueueContract = runContract(jobQueue)
