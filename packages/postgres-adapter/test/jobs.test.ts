import { assert, layer } from "@effect/vitest"
import {
  AuditLog,
  defineJob,
  getJob,
  JobQueue,
  layerAreas,
  layerJobKindsOf,
  type Organization,
  type Ports,
  record,
  runJobs,
  startJob,
  transact
} from "@parley/domain"
import * as Postgres from "@parley/postgres-adapter"
import { layerServer } from "@parley/postgres-adapter/testing"
import { asOperatorOf, givenOrganization, TestKit, TestSecurity } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber, Layer, Schema } from "effect"

const rows = 5

/** Writes a row in each step; something may happen between that and the commit. */
const writing = (name: string, happens: (row: number) => Effect.Effect<void> = () => Effect.void) =>
  defineJob({
    name,
    input: Schema.Struct({ label: Schema.String }),
    checkpoint: Schema.Struct({ row: Schema.Int }),
    step: Effect.fnUntraced(function* ({ label }, checkpoint) {
      const row = (checkpoint?.row ?? 0) + 1
      yield* record("test.row_written", { kind: label, id: String(row) })
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

const work = (kind: ReturnType<typeof writing>) => Effect.provide(runJobs, layerJobKindsOf([kind]))

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

const jobsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  layer(ports, { timeout: "60 seconds", excludeTestServices: true })(name, (it) => {
    it.effect("many nodes at once do each step of each job once", () =>
      Effect.gen(function* () {
        const organizations = [yield* givenOrganization(), yield* givenOrganization()]
        for (const organization of organizations) {
          for (const label of ["a", "b", "c"]) yield* start(organization, "test.crowd", label)
        }
        yield* Effect.replicateEffect(work(writing("test.crowd")), 6, { concurrency: "unbounded" })
        for (const organization of organizations) {
          for (const label of ["a", "b", "c"]) assert.deepStrictEqual(yield* written(organization, label), all)
        }
      })
    )

    it.effect(
      "a node that is stopped in the middle of a step leaves nothing of it, and the next one goes on at once",
      () =>
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
          assert.strictEqual((yield* getJob(job.id).pipe(asOperatorOf(organization))).state, "succeeded")
        })
    )

    it.effect("a node that was taken over while it worked cannot commit its step", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const job = yield* start(organization, "test.late")
        const queue = yield* JobQueue
        const now = yield* DateTime.now
        const until = DateTime.add(now, { minutes: 1 })
        const late = yield* queue.claim({ runner: "late", kinds: ["test.late"], now, until: now })
        const current = yield* queue.claim({ runner: "current", kinds: ["test.late"], now, until })
        if (late === null || current === null) return assert.fail("There was nothing to claim.")
        assert.strictEqual(current.job.id, job.id)
        const step = record("test.row_written", { kind: "row", id: "1" }).pipe(
          Effect.andThen(
            queue.advance(late.lease, {
              checkpoint: { row: 1 },
              progress: { done: 1, total: rows },
              counts: {},
              now,
              until
            })
          ),
          transact,
          asOperatorOf(organization)
        )
        assert.strictEqual((yield* Effect.flip(step))._tag, "LeaseLost")
        assert.deepStrictEqual(yield* written(organization), [])
        yield* queue.handBack(current.lease, now)
        yield* work(writing("test.late"))
        assert.deepStrictEqual(yield* written(organization), all)
      })
    )
  })

const onDatabase = <E>(database: Layer.Layer<Layer.Success<typeof layerServer>, E>) =>
  Layer.mergeAll(
    layerAreas.pipe(Layer.provideMerge(Layer.mergeAll(Postgres.layer, TestSecurity.layer))),
    TestKit.layerProviders
  ).pipe(Layer.provide(database))

jobsSuite("jobs on PostgreSQL", onDatabase(layerServer))
