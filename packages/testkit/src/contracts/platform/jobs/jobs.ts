import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Job, JobId, Jobs, JobQueue } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { after, freshId, givenOrganization, inside, plain } from "../../given.ts"
import { begin, freshKind, givenJob, newJob, noon } from "./given.ts"

const everything = { state: null, kind: null }
const all = { limit: 100, after: null }

const cancel = (id: JobId, now = noon) => Effect.flatMap(Jobs, (jobs) => transact(jobs.requestCancel(id, now)))

export const jobs: StorageContract = {
  port: "Jobs",
  promises: (it) => {
    it.effect("keeps a job as it was put in", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        yield* Effect.gen(function* () {
          const job = yield* givenJob(freshKind(), {
            progress: { done: 3, total: null },
            counts: { created: 2, "bad “rows”": 1 },
            createdBy: { kind: "operator", id: "Ada “L.”" }
          })
          assert.deepStrictEqual(plain.job(yield* jobs.get(job.id)), plain.job(job))
          assert.deepStrictEqual((yield* jobs.list(everything, all)).map(plain.job), [plain.job(job)])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps one tenant's jobs out of another's sight", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const job = yield* givenJob(freshKind()).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(jobs.get(job.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(cancel(job.id)))._tag, "NotFound")
          assert.lengthOf(yield* jobs.list(everything, all), 0)
        }).pipe(inside(other))
        assert.deepStrictEqual(plain.job(yield* jobs.get(job.id).pipe(inside(one))), plain.job(job))
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        yield* Effect.gen(function* () {
          const kept = yield* givenJob(freshKind())
          yield* jobs
            .insert({ job: newJob(freshKind()), input: null, permissions: new Set() })
            .pipe(Effect.andThen(cancel(kept.id)), Effect.andThen(Effect.fail("refused")), transact, Effect.flip)
          assert.deepStrictEqual((yield* jobs.list(everything, all)).map(plain.job), [plain.job(kept)])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists the newest first, page after page, of one state or kind", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        yield* Effect.gen(function* () {
          const [kind, another] = [freshKind(), freshKind()]
          const first = yield* givenJob(kind)
          const second = yield* givenJob(another)
          const third = yield* givenJob(kind)
          yield* cancel(first.id)
          const ids = (filter: Parameters<typeof jobs.list>[0], slice: Parameters<typeof jobs.list>[1] = all) =>
            Effect.map(jobs.list(filter, slice), (found) => found.map(({ id }) => id))
          assert.deepStrictEqual(yield* ids(everything, { limit: 2, after: null }), [third.id, second.id])
          assert.deepStrictEqual(yield* ids(everything, { limit: 2, after: [second.id] }), [first.id])
          assert.deepStrictEqual(yield* ids({ state: null, kind }), [third.id, first.id])
          assert.deepStrictEqual(yield* ids({ state: "cancelled", kind: null }), [first.id])
          assert.deepStrictEqual(yield* ids({ state: "queued", kind }), [third.id])
          assert.deepStrictEqual(yield* ids({ state: "failed", kind: null }), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("cancels a queued job directly, and reports it once", () =>
      Effect.gen(function* () {
        const jobs = yield* Jobs
        yield* Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const answer = yield* cancel(job.id, after(noon, "1 minute"))
          const expected = new Job({
            ...job,
            state: "cancelled",
            cancelRequested: true,
            finishedAt: after(noon, "1 minute"),
            updatedAt: after(noon, "1 minute")
          })
          assert.isTrue(answer.changed)
          assert.deepStrictEqual(plain.job(answer.job), plain.job(expected))
          const again = yield* cancel(job.id, after(noon, "2 minutes"))
          assert.isFalse(again.changed)
          assert.deepStrictEqual(plain.job(again.job), plain.job(expected))
          assert.deepStrictEqual(plain.job(yield* jobs.get(job.id)), plain.job(expected))
          assert.strictEqual((yield* Effect.flip(cancel(freshId(JobId))))._tag, "NotFound")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("asks a running job to stop, and leaves a finished one as it is", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const job = yield* givenJob(freshKind())
          const { lease } = yield* begin(job)
          const asked = yield* cancel(job.id)
          assert.deepStrictEqual([asked.changed, asked.job.state, asked.job.cancelRequested], [true, "running", true])
          assert.isNull(asked.job.finishedAt)
          assert.isFalse((yield* cancel(job.id)).changed)
          const finished = yield* transact(
            (yield* JobQueue).finish(lease, {
              state: "succeeded",
              error: null,
              errorCode: null,
              resultUrl: "/there",
              now: noon
            })
          )
          const late = yield* cancel(job.id, DateTime.add(noon, { days: 1 }))
          assert.isFalse(late.changed)
          assert.deepStrictEqual(plain.job(late.job), plain.job(finished))
        }).pipe(inside(organization))
      })
    )
  }
}

export const jobsContract = runContract(jobs)
