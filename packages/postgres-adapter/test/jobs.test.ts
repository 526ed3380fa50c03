import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  AuditLog,
  defineJob,
  getJob,
  type Job,
  jobLane,
  JobQueue,
  jobsTaskName,
  jobTasks,
  type LaneLease,
  LaneQueue,
  layerJobKindsOf,
  layerWorkersOf,
  type Organization,
  recordAudit,
  runDueJobs,
  shardCount,
  shardOf,
  Shards,
  startJob
} from "@parley/domain/platform"
import { layerAreas, type Ports } from "@parley/domain/composition"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, TestKit, TestSecurity } from "@parley/testkit"
import { type Context, DateTime, Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"

const rows = 5

/** Writes a row in each step; something may happen between that and the commit. */
const writing = (name: string, happens: (row: number) => Effect.Effect<void> = () => Effect.void) =>
  defineJob({
    name,
    needs: null,
    input: Schema.Struct({ label: Schema.String }),
    checkpoint: Schema.Struct({ row: Schema.Int }),
    step: Effect.fnUntraced(function* ({ label }, checkpoint) {
      const row = (checkpoint?.row ?? 0) + 1
      yield* recordAudit("test.row_written", { kind: label, id: String(row) })
      yield* happens(row)
      return {
        checkpoint: { row },
        done: row === rows,
        progress: { done: row, total: rows },
        counts: { written: row }
      }
    })
  })

const start = (organization: Organization, name: string, label = "row") =>
  transact(startJob(writing(name), { label })).pipe(asOperatorOf(organization))

const work = (kind: ReturnType<typeof writing>) => Effect.provide(runDueJobs, layerJobKindsOf([kind]))

const written = (organization: Organization, label = "row") =>
  Effect.flatMap(AuditLog, (log) =>
    log.list(
      { actorId: null, targetKind: label, targetId: null, action: null, from: null, to: null },
      { limit: 100, after: null }
    )
  ).pipe(
    asOperatorOf(organization),
    Effect.map((events) => events.toReversed().map(({ target }) => Number(target.id)))
  )

const all = [1, 2, 3, 4, 5]

const done = (organization: Organization, { id }: Pick<Job, "id">) =>
  Effect.repeat(Effect.delay(getJob({ id }), "20 millis"), { until: ({ state }) => state === "succeeded" }).pipe(
    asOperatorOf(organization)
  )

/** Starts a job as a process that has taken over from all others. The process leaves immediately but can write until another process takes over. */
const begin = Effect.fnUntraced(function* (organization: Organization, { id, kind }: Pick<Job, "id" | "kind">) {
  const shards = yield* Shards
  const now = yield* DateTime.now
  const node = SecureRandom.uuidV7Unsafe()
  yield* shards.join({ id: node, name: "test", tasks: [jobsTaskName], now })
  const lane = jobLane(organization.id, id)
  const owned = yield* shards.claim(node, jobsTaskName, shardCount)
  const wanted = owned.filter(({ shard }) => shard === shardOf(lane)).map((own): LaneLease => ({ ...lane, ...own }))
  const [lease] = yield* (yield* LaneQueue).claim(node, wanted, now)
  yield* shards.leave(node)
  if (lease === undefined) return assert.fail("There was nothing to claim.")
  const begun = yield* transact((yield* JobQueue).begin(lease, [kind], now)).pipe(asOperatorOf(organization))
  return { lease, attempts: begun?.attempts }
})

const jobsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  layer(ports, { timeout: "60 seconds", excludeTestServices: true })(name, (it) => {
    it.effect("many workers do each step of each job once", () =>
      Effect.gen(function* () {
        const organizations = [yield* givenOrganization(), yield* givenOrganization()]
        const jobs = yield* Effect.forEach(
          organizations.flatMap((organization) => ["a", "b", "c"].map((label) => ({ organization, label }))),
          ({ label, organization }) =>
            Effect.map(start(organization, "test.crowd", label), (job) => ({ job, organization }))
        )
        const workers = layerWorkersOf(jobTasks, { lookMillis: 50 }).pipe(
          Layer.provide(layerJobKindsOf([writing("test.crowd")])),
          Layer.fresh
        )
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Effect.replicateEffect(Layer.build(workers), 6, { concurrency: "unbounded" })
            for (const { job, organization } of jobs) yield* done(organization, job)
          })
        )
        for (const organization of organizations) {
          for (const label of ["a", "b", "c"]) assert.deepStrictEqual(yield* written(organization, label), all)
        }
      })
    )

    it.effect("a worker that stops during a step leaves nothing of it, and the next one continues directly", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const job = yield* start(organization, "test.stopped")
        const reached = yield* Deferred.make<void>()
        const stuck = writing("test.stopped", (row) =>
          row === 3 ? Effect.andThen(Deferred.succeed(reached, undefined), Effect.never) : Effect.void
        )
        const node = yield* Effect.forkChild(work(stuck))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(node)
        assert.deepStrictEqual(yield* written(organization), [1, 2])
        yield* work(writing("test.stopped"))
        assert.deepStrictEqual(yield* written(organization), all)
        assert.strictEqual((yield* getJob({ id: job.id }).pipe(asOperatorOf(organization))).state, "succeeded")
      })
    )

    it.effect("a node that was taken over while it worked cannot commit its step", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const job = yield* start(organization, "test.late")
        const queue = yield* JobQueue
        const now = yield* DateTime.now
        const late = yield* begin(organization, job)
        const current = yield* begin(organization, job)
        assert.deepStrictEqual([late.attempts, current.attempts], [1, 2])
        const advance = (lease: LaneLease) =>
          queue.advance(lease, { checkpoint: { row: 1 }, progress: { done: 1, total: rows }, counts: {}, now })
        const step = recordAudit("test.row_written", { kind: "row", id: "1" }).pipe(
          Effect.andThen(advance(late.lease)),
          transact,
          asOperatorOf(organization)
        )
        assert.strictEqual((yield* Effect.flip(step))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* written(organization), [])
        yield* work(writing("test.late"))
        assert.deepStrictEqual(yield* written(organization), all)
      })
    )

    it.effect("a stored step is committed before a takeover, and an unstored one is void", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const job = yield* start(organization, "test.overtaken")
        const queue = yield* JobQueue
        const now = yield* DateTime.now
        const { lease } = yield* begin(organization, job)
        // Another process knows nothing of this one's units of work.
        const world = yield* Effect.context<Ports>()
        const outside: (unit: Context.Context<never>) => Context.Context<Ports> = () => world
        const takeOver = Effect.updateContext(begin(organization, job), outside)
        const advance = queue.advance(lease, {
          checkpoint: { row: 1 },
          progress: { done: 1, total: rows },
          counts: {},
          now
        })
        // Other workers skip the lane while the step commits.
        const exit = yield* transact(Effect.andThen(advance, Effect.exit(takeOver))).pipe(asOperatorOf(organization))
        assert.strictEqual(exit._tag, "Failure")
        assert.strictEqual((yield* getJob({ id: job.id }).pipe(asOperatorOf(organization))).progress.done, 1)
        const overtaken = recordAudit("test.row_written", { kind: "row", id: "2" }).pipe(
          Effect.andThen(takeOver),
          Effect.andThen(advance),
          transact,
          asOperatorOf(organization)
        )
        assert.strictEqual((yield* Effect.flip(overtaken))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* written(organization), [])
        assert.strictEqual((yield* begin(organization, job)).attempts, 3)
      })
    )
  })

const onDatabase = <E>(database: Layer.Layer<Layer.Success<typeof layerServer>, E>) =>
  Layer.mergeAll(
    layerAreas.pipe(Layer.provideMerge(Layer.mergeAll(Postgres.layer, TestSecurity.layer))),
    TestKit.layerProviders
  ).pipe(Layer.provide(database))

jobsSuite("jobs on PostgreSQL", onDatabase(layerServer))
