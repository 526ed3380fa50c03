import { assert, describe, it } from "@effect/vitest"
import { StorageUnavailable, transact } from "@parley/domain/kernel"
import {
  cancelJob,
  defineJob,
  getJob,
  type Job,
  JobFailed,
  jobsTaskName,
  jobTasks,
  LaneQueue,
  layerJobKindsOf,
  layerWorkersOf,
  type Organization,
  runDueJobs,
  shardCount,
  startJob
} from "@parley/domain/platform"
import { createAutomation, listAutomations } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { asAgentOf, asOwnerOf, asViewerOf, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Deferred, type Duration, Effect, Fiber, Layer, Schema } from "effect"
import { TestClock } from "effect/testing"
import { ask, countingJob, jobEventsOf, rowsOf, work } from "./countingJob.ts"
import { beginAndDie, claim, declareDead } from "./takingOver.ts"

/** Each has a separate store, because workers serve all organizations. */
const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }))

const read = (organization: Organization, { id }: Pick<Job, "id">) => getJob({ id }).pipe(asViewerOf(organization))

/** Due time of the next unfinished job; `null` without one. */
const nextLane = Effect.flatMap(LaneQueue, (queue) =>
  queue.nextDue({ task: jobsTaskName, shards: Array.from({ length: shardCount }, (_, shard) => shard), except: [] })
)

const numbersOf = (organization: Organization) => Effect.map(rowsOf(organization), (rows) => rows.map(({ row }) => row))

/** Processes that share the jobs for so long. */
const processes = (count: number, kind: ReturnType<typeof countingJob>, duration: Duration.Input) =>
  Effect.scoped(
    Effect.gen(function* () {
      for (let node = 0; node < count; node++) {
        yield* Layer.build(layerWorkersOf(jobTasks).pipe(Layer.provide(layerJobKindsOf([kind])), Layer.fresh))
      }
      yield* TestClock.adjust(duration)
    })
  )

/** Something that happens to one row, as often as that. */
const times = (often: number, row: number, what: Effect.Effect<void, JobFailed>) => {
  let left = often
  return (at: number) => Effect.suspend(() => (at === row && left-- > 0 ? what : Effect.void))
}

const dies = Effect.die(new Error("connect ECONNREFUSED 10.0.0.7:5432"))

describe("a job", () => {
  test("is done step by step, and tells how far it is and what came of it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      assert.deepStrictEqual(
        [job.state, job.progress, job.startedAt, job.finishedAt],
        ["queued", { done: 0, total: 4 }, null, null]
      )
      yield* TestClock.adjust("1 second")
      yield* work()
      const done = yield* read(organization, job)
      const now = yield* DateTime.now
      assert.deepStrictEqual(
        [done.state, done.progress, done.counts, done.error, done.resultUrl],
        ["succeeded", { done: 4, total: 4 }, { written: 4 }, null, "/api/v1/rows"]
      )
      assert.deepStrictEqual([done.startedAt, done.finishedAt], [now, now])
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))

  test("runs in the name of its requester", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      yield* work()
      assert.strictEqual(job.createdBy.kind, "user")
      for (const { actor } of yield* rowsOf(organization)) assert.deepStrictEqual({ ...actor }, { ...job.createdBy })
      const events = yield* jobEventsOf(organization)
      assert.deepStrictEqual(
        events.map(({ actor, event }) => ({ actor: { ...actor }, event })),
        [
          { actor: { ...job.createdBy }, event: { type: "job.started", jobId: job.id, kind: "test.count" } },
          {
            actor: { ...job.createdBy },
            event: { type: "job.finished", jobId: job.id, kind: "test.count", state: "succeeded" }
          }
        ]
      )
    }))

  test("has at most the permissions of its requester", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const kind = defineJob({
        name: "test.create",
        needs: null,
        input: Schema.Null,
        checkpoint: Schema.Struct({}),
        step: () =>
          createAutomation({ name: "Made by a job" }).pipe(
            Effect.as({ checkpoint: {}, done: true, progress: { done: 1, total: 1 }, counts: {} }),
            Effect.mapError(({ message }) => new JobFailed({ reason: message }))
          )
      })
      const start = transact(startJob(kind, null))
      const [allowed, refused] = [
        yield* start.pipe(asOwnerOf(organization)),
        yield* start.pipe(asViewerOf(organization))
      ]
      yield* Effect.provide(runDueJobs, layerJobKindsOf([kind]))
      assert.strictEqual((yield* read(organization, allowed)).state, "succeeded")
      const { error, state } = yield* read(organization, refused)
      assert.deepStrictEqual([state, error], ["failed", "This needs the permission automations.manage."])
      const { data } = yield* listAutomations({ page: { limit: 10, cursor: null } }).pipe(asViewerOf(organization))
      assert.lengthOf(data, 1)
    }))

  test("is left to workers that know its kind", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      yield* work(countingJob({ name: "test.another" }))
      yield* Effect.provide(runDueJobs, layerJobKindsOf([]))
      assert.strictEqual((yield* read(organization, job)).state, "queued")
    }))

  test("is not there when the unit of work that asked for it fails", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const refused = startJob(countingJob(), { rows: 1 }).pipe(Effect.andThen(Effect.fail("refused")), transact)
      yield* Effect.flip(refused.pipe(asAgentOf(organization)))
      yield* work()
      assert.deepStrictEqual(yield* numbersOf(organization), [])
      assert.deepStrictEqual(yield* jobEventsOf(organization), [])
    }))
})

describe("a step that dies", () => {
  test("leaves nothing, and is tried again a little later, from where the last one ended", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const kind = countingJob({ after: times(1, 3, dies) })
      const job = yield* ask(organization, kind)
      yield* work(kind)
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2])
      assert.strictEqual((yield* read(organization, job)).state, "queued")
      yield* TestClock.adjust("999 millis")
      yield* work(kind)
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2])
      yield* TestClock.adjust("1 millis")
      yield* work(kind)
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
    }))

  test("fails the job at the fifth time in a row, with a sentence that tells nothing of the inside", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const kind = countingJob({ after: times(5, 2, dies) })
      const job = yield* ask(organization, kind)
      for (const pause of [0, 1, 2, 4]) {
        yield* TestClock.adjust(pause * 1000)
        yield* work(kind)
        assert.strictEqual((yield* read(organization, job)).state, "queued")
      }
      yield* TestClock.adjust("8 seconds")
      yield* work(kind)
      const { error, progress, state } = yield* read(organization, job)
      assert.deepStrictEqual([state, progress.done], ["failed", 1])
      assert.notInclude(error ?? "", "ECONNREFUSED")
      assert.match(error ?? "", /^[A-Z].*\.$/u)
      assert.deepStrictEqual((yield* jobEventsOf(organization)).at(-1)?.event, {
        type: "job.finished",
        jobId: job.id,
        kind: "test.count",
        state: "failed"
      })
      assert.deepStrictEqual(yield* numbersOf(organization), [1])
    }))

  test("is forgiven once another step has succeeded", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const [second, third] = [times(4, 2, dies), times(4, 3, dies)]
      const kind = countingJob({ after: (row) => Effect.andThen(second(row), third(row)) })
      const job = yield* ask(organization, kind)
      for (let rounds = 0; rounds < 10; rounds++) {
        yield* work(kind)
        yield* TestClock.adjust("8 seconds")
      }
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))

  test("cannot be read from what an older version stored, and fails the job in the end", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const older = defineJob({
        name: "test.count",
        needs: null,
        input: Schema.Struct({ lines: Schema.String }),
        checkpoint: Schema.Null,
        step: () => Effect.die("never run")
      })
      const job = yield* transact(startJob(older, { lines: "many" })).pipe(asAgentOf(organization))
      for (let rounds = 0; rounds < 5; rounds++) {
        yield* work()
        yield* TestClock.adjust("8 seconds")
      }
      assert.strictEqual((yield* read(organization, job)).state, "failed")
    }))
})

test("a failing step reports the reason and fails the job directly; its own writes are rolled back", () =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const kind = countingJob({ after: times(9, 3, Effect.fail(new JobFailed({ reason: "Row 3 is no row." }))) })
    const job = yield* ask(organization, kind)
    yield* work(kind)
    const { error, finishedAt, progress, state } = yield* read(organization, job)
    assert.deepStrictEqual([state, error, progress.done], ["failed", "Row 3 is no row.", 2])
    assert.isNotNull(finishedAt)
    assert.deepStrictEqual(yield* numbersOf(organization), [1, 2])
  }))

describe("a node that is stopped", () => {
  test("passes its job on, so that another worker continues directly and runs each step once", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const reached = yield* Deferred.make<void>()
      const stuck = countingJob({
        after: times(1, 3, Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
      })
      const job = yield* ask(organization, stuck)
      const node = yield* Effect.forkChild(work(stuck))
      yield* Deferred.await(reached)
      yield* Fiber.interrupt(node)
      const handedBack = yield* read(organization, job)
      assert.deepStrictEqual([handedBack.state, handedBack.progress.done], ["queued", 2])
      yield* work()
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))

  test("is no failed attempt, however often it happens", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      for (let deployments = 0; deployments < 8; deployments++) {
        const reached = yield* Deferred.make<void>()
        const stuck = countingJob({
          after: times(1, 1, Effect.andThen(Deferred.succeed(reached, undefined), Effect.never))
        })
        const node = yield* Effect.forkChild(work(stuck))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(node)
      }
      yield* work()
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))
})

describe("a node that dies", () => {
  test("is replaced once it has been silent for so long, within ten seconds", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      yield* beginAndDie(organization, job)
      yield* processes(2, countingJob(), "5 seconds")
      assert.deepStrictEqual(yield* numbersOf(organization), [])
      yield* processes(2, countingJob(), "10 seconds")
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))

  test("again and again over the same step makes the job fail", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      for (let deaths = 0; deaths < 5; deaths++) {
        yield* beginAndDie(organization, job)
        yield* declareDead
        assert.strictEqual((yield* read(organization, job)).state, "running")
      }
      yield* work()
      const { error, state } = yield* read(organization, job)
      assert.deepStrictEqual([state, error?.includes("An internal error")], ["failed", true])
      assert.deepStrictEqual(yield* numbersOf(organization), [])
      assert.deepStrictEqual((yield* jobEventsOf(organization)).at(-1)?.event, {
        type: "job.finished",
        jobId: job.id,
        kind: "test.count",
        state: "failed"
      })
    }))

  test("tolerates four crashes, and a fifth after progress", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      for (let deaths = 0; deaths < 4; deaths++) {
        yield* beginAndDie(organization, job)
        yield* declareDead
      }
      const kind = countingJob({ after: times(1, 2, dies) })
      yield* work(kind)
      assert.deepStrictEqual(yield* numbersOf(organization), [1])
      yield* TestClock.adjust("1 second")
      yield* work(kind)
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))
})

test("the storage being away is no failed attempt, however often it happens", () =>
  Effect.gen(function* () {
    const organization = yield* givenOrganization()
    const away = times(
      8,
      2,
      Effect.die(new StorageUnavailable({ reason: "It is away.", outcome: "not_made", isAway: true }))
    )
    const job = yield* ask(organization)
    const node = yield* Effect.forkChild(work(countingJob({ after: away })))
    yield* TestClock.adjust("1 minute")
    yield* Fiber.join(node)
    assert.strictEqual((yield* read(organization, job)).state, "succeeded")
    assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
  }))

describe("a lease", () => {
  test("is kept for as long as a step takes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const slow = countingJob({ before: times(1, 2, Effect.sleep("1 minute")) })
      const job = yield* ask(organization, slow)
      const node = yield* Effect.forkChild(work(slow))
      yield* TestClock.adjust("50 seconds")
      yield* work()
      assert.deepStrictEqual(yield* numbersOf(organization), [1])
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.join(node)
      assert.strictEqual((yield* read(organization, job)).state, "succeeded")
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
    }))

  for (const pause of ["2 seconds", "1 minute"] as const) {
    test(`that is lost in a step of ${pause} makes the step void`, () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const slow = countingJob({ before: times(1, 2, Effect.sleep(pause)) })
        const job = yield* ask(organization, slow)
        const late = yield* Effect.forkChild(work(slow))
        yield* TestClock.adjust("1 second")
        yield* declareDead
        yield* claim(organization, job)
        yield* TestClock.adjust("1 minute")
        yield* Fiber.join(late)
        assert.deepStrictEqual(yield* numbersOf(organization), [1])
        yield* declareDead
        yield* work()
        assert.deepStrictEqual(yield* numbersOf(organization), [1, 2, 3, 4])
      }))
  }
})

test("many workers run each step of each job once", () =>
  Effect.gen(function* () {
    const organizations = [yield* givenOrganization(), yield* givenOrganization()]
    for (const organization of organizations) yield* Effect.replicateEffect(ask(organization), 3)
    const restless = countingJob({ before: () => Effect.yieldNow, after: () => Effect.yieldNow })
    yield* processes(5, restless, "1 minute")
    for (const organization of organizations) {
      assert.deepStrictEqual(
        (yield* numbersOf(organization)).toSorted((one, other) => one - other),
        [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]
      )
    }
  }))

describe("cancelling", () => {
  test("a queued job ends it before it begins", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      const cancelled = yield* cancelJob({ id: job.id }).pipe(asAgentOf(organization))
      assert.strictEqual(cancelled.state, "cancelled")
      yield* work()
      assert.deepStrictEqual(yield* numbersOf(organization), [])
      yield* cancelJob({ id: job.id }).pipe(asAgentOf(organization))
      assert.deepStrictEqual(
        (yield* jobEventsOf(organization)).map(({ event }) => event.type),
        ["job.started", "job.finished"]
      )
    }))

  test("a running job stops after its current step; completed steps stay", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const slow = countingJob({ before: times(1, 2, Effect.sleep("1 second")) })
      const job = yield* ask(organization, slow)
      const node = yield* Effect.forkChild(work(slow))
      yield* TestClock.adjust("500 millis")
      assert.strictEqual((yield* cancelJob({ id: job.id }).pipe(asAgentOf(organization))).state, "running")
      yield* TestClock.adjust("500 millis")
      yield* Fiber.join(node)
      const { finishedAt, progress, state } = yield* read(organization, job)
      assert.deepStrictEqual([state, progress.done], ["cancelled", 2])
      assert.isNotNull(finishedAt)
      assert.deepStrictEqual(yield* numbersOf(organization), [1, 2])
      assert.deepStrictEqual((yield* jobEventsOf(organization)).at(-1)?.event, {
        type: "job.finished",
        jobId: job.id,
        kind: "test.count",
        state: "cancelled"
      })
    }))

  test("a job whose node has died ends it when the next one looks at it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      yield* beginAndDie(organization, job)
      const asked = yield* cancelJob({ id: job.id }).pipe(asAgentOf(organization))
      assert.deepStrictEqual([asked.state, asked.cancelRequested], ["running", true])
      yield* declareDead
      yield* work()
      assert.strictEqual((yield* read(organization, job)).state, "cancelled")
      assert.deepStrictEqual(yield* numbersOf(organization), [])
    }))

  test("a finished job leaves no lane in any state", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const cancel = ({ id }: Job) => cancelJob({ id }).pipe(asAgentOf(organization))
      const queued = yield* ask(organization)
      yield* cancel(queued)
      yield* work()
      assert.isNull(yield* nextLane)
      const kind = countingJob({ after: times(4, 1, dies) })
      const putOff = yield* ask(organization, kind)
      for (const pause of [0, 1, 2, 4]) {
        yield* TestClock.adjust(pause * 1000)
        yield* work(kind)
      }
      assert.isNotNull(yield* nextLane)
      assert.strictEqual((yield* cancel(putOff)).state, "cancelled")
      yield* work()
      assert.isNull(yield* nextLane)
    }))

  test("a finished job changes nothing", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const job = yield* ask(organization)
      yield* work()
      const done = yield* read(organization, job)
      assert.deepStrictEqual(yield* cancelJob({ id: job.id }).pipe(asAgentOf(organization)), done)
    }))
})
