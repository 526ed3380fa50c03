import { assert } from "@effect/vitest"
import { type Causation, transact } from "@parley/domain/kernel"
import { ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  ContactWorkflowRuns,
  enterNode,
  exitRun,
  type StoredWorkflowRun,
  NodeId,
  type NewWorkflowRun,
  restRun,
  toSteps,
  WorkflowId,
  type WorkflowRun,
  WorkflowRuns
} from "@parley/domain/automation"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import {
  at,
  changed,
  givenPublished,
  givenWorkflow,
  lane,
  newRun,
  node,
  read,
  start,
  started,
  anyRun
} from "./givenRuns.ts"

const plainRun = ({ progress, run, ...kept }: StoredWorkflowRun | NewWorkflowRun) => ({
  ...kept,
  progress,
  run: { ...run }
})

export const workflowRuns: StorageContract = {
  port: "WorkflowRuns",
  promises: (it) => {
    it.effect("stores all fields of a run, for its organization only", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const causation: Causation = { depth: 1, root: 3, via: [{ kind: "automation", id: freshId(WorkflowId) }] }
        const begun = newRun(
          {
            state: "waiting",
            reason: null,
            wakeAt: at(9),
            goals: [NodeId.make("g")],
            startedBy: { position: 3, type: "cart.abandoned" },
            endedBy: NodeId.make("g"),
            input: { coupon: "A1", nested: { list: [1, null] } },
            event: { position: 7, type: "order.paid" },
            causation
          },
          {
            dueAt: at(8),
            isResting: true,
            visits: { n1: 2 },
            places: 4,
            subject: freshId(ContactId),
            from: 3,
            since: 12,
            attempts: 1,
            heldSince: at(1)
          }
        )
        assert.isTrue(yield* start(begun).pipe(inside(one)))
        assert.isFalse(yield* start(begun).pipe(inside(one)))
        const kept = yield* read(begun.run).pipe(inside(one))
        assert.deepStrictEqual(plainRun(kept), { ...plainRun(begun), revision: 1 })
        const { contactId, id, key, workflowId } = begun.run
        assert.deepStrictEqual({ ...(yield* runs.get(workflowId, id).pipe(inside(one))) }, { ...begun.run })
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.find(id))
          assert.strictEqual((yield* Effect.flip(runs.get(workflowId, id)))._tag, "NotFound")
          assert.lengthOf(yield* runs.list(workflowId, anyRun, { limit: 9, after: null }), 0)
          assert.isFalse(yield* transact(runs.save(kept, [])))
          assert.lengthOf(
            yield* (yield* ContactWorkflowRuns).list(contactId ?? freshId(ContactId), { limit: 9, after: null }),
            0
          )
          assert.strictEqual(yield* runs.countLive(workflowId), 0)
          assert.isNull(yield* runs.lastEnd(workflowId, key ?? ""))
          assert.isTrue(yield* start(begun))
        }).pipe(inside(other))
        const missing = yield* Effect.flip(runs.get(freshId(WorkflowId), id)).pipe(inside(one))
        assert.strictEqual(missing._tag, "NotFound")
      })
    )

    it.effect("allows one live run of a key in a workflow, and returns when the last started one ended", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const workflowId = freshId(WorkflowId)
          const run = yield* started({ workflowId })
          const key = run.key ?? ""
          const again = (overrides: Partial<WorkflowRun> = {}) =>
            start(newRun({ workflowId, contactId: run.contactId, key: run.key, ...overrides }))
          assert.isFalse(yield* again())
          assert.isTrue(yield* again({ workflowId: freshId(WorkflowId) }))
          assert.isNull(yield* runs.lastEnd(workflowId, key))
          assert.isTrue(yield* again({ state: "exited", reason: "cycle", node: null, endedAt: at(1) }))
          assert.isNull(yield* runs.lastEnd(workflowId, key), "one that never began does not count")
          assert.strictEqual(yield* runs.countLive(workflowId), 1)
          yield* changed(run, (kept) => exitRun(kept, "goal", at(5)))
          assert.strictEqual(yield* runs.countLive(workflowId), 0)
          assert.deepStrictEqual(yield* runs.lastEnd(workflowId, key), at(5))
          assert.isTrue(yield* again())
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("starts no run of an inactive or missing workflow", () =>
      Effect.gen(function* () {
        yield* Effect.gen(function* () {
          for (const status of ["draft", "paused", "archived"] as const) {
            const { id: workflowId } = yield* givenWorkflow(status)
            assert.isFalse(yield* start(newRun({ workflowId })), status)
            const cut = { state: "exited", reason: "cycle", node: null, endedAt: at(1) } as const
            assert.isFalse(yield* start(newRun({ workflowId, ...cut })), status)
          }
          assert.isFalse(yield* transact((yield* WorkflowRuns).start(newRun())))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("saves a change with its steps, and rejects a change from a stale read", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const first = yield* read(run)
          const inNode = enterNode(first, node, at(1))
          const resting = restRun(inNode, at(60))
          const waits = toSteps(resting, { state: "waiting" }, at(1))
          assert.isTrue(yield* transact(runs.save(resting, waits)))
          assert.isFalse(yield* transact(runs.save(resting, waits)))
          const second = yield* read(run)
          assert.deepStrictEqual(plainRun(second), { ...plainRun(resting), revision: 2 })
          const conditions = { field: "tag", op: "any_of", value: ["t1"], saw: ["t1"], held: true }
          const done = toSteps(
            second,
            { state: "done", effect: { kind: "contact", id: "c1" }, output: { a: 1 }, conditions },
            at(2)
          )
          const failure = toSteps(
            enterNode(second, NodeId.make("n2"), at(2)),
            { state: "failed", error: { code: "no_conversation", detail: "x" } },
            at(3)
          )
          assert.isTrue(yield* transact(runs.save(second, [...failure, ...done])))
          assert.deepStrictEqual(
            yield* runs.steps(run.id),
            [...done, ...failure].map(({ step }) => step)
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("remembers the ends of deleted runs on request, with their contact", () =>
      Effect.gen(function* () {
        const [runs, held] = [yield* WorkflowRuns, yield* ContactWorkflowRuns]
        yield* Effect.gen(function* () {
          const [never, always] = [yield* givenPublished("never"), yield* givenPublished("always")]
          const after = yield* givenPublished({ afterSeconds: 60 })
          const ended = { state: "completed", endedAt: at(1) } as const
          const [from, to] = [freshId(ContactId), freshId(ContactId)]
          for (const workflowId of [never, always, after]) yield* started({ workflowId, contactId: from, ...ended })
          yield* started({ workflowId: never, contactId: to, ...ended, node: null })
          assert.strictEqual(yield* runs.sweep(at(2), 9), 4)
          const ends = (key: string) => Effect.forEach([never, always, after], (id) => runs.lastEnd(id, key))
          assert.deepStrictEqual(yield* ends(from), [at(1), null, at(1)])
          assert.deepStrictEqual(yield* ends(to), [null, null, null])
          yield* started({ workflowId: never, contactId: from, state: "completed", endedAt: at(5) })
          assert.deepStrictEqual(yield* ends(from), [at(5), null, at(1)])
          assert.strictEqual(yield* runs.sweep(at(6), 9), 1)
          assert.deepStrictEqual(yield* ends(from), [at(5), null, at(1)])
          yield* transact(held.handOver({ from, to, mergeId: freshId(ContactMergeId) }, lane, at(7)))
          assert.deepStrictEqual(yield* ends(to), [at(5), null, at(1)])
          yield* transact(held.forget([from, to], at(8)))
          assert.deepStrictEqual(yield* ends(to), [null, null, null])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("deletes runs that ended long ago, with their steps", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const old = yield* started({}, { visits: { n1: 1 }, places: 1 })
          const kept = yield* read(old)
          yield* transact(runs.save(exitRun(kept, "goal", at(1)), toSteps(kept, { state: "done" }, at(1))))
          const live = yield* started()
          const young = yield* started({ state: "completed", endedAt: at(2) })
          assert.strictEqual(yield* runs.sweep(at(1), 9), 0)
          assert.strictEqual(yield* runs.sweep(at(2), 9), 1)
          assert.isNull(yield* runs.find(old.id))
          assert.deepStrictEqual(yield* runs.steps(old.id), [])
          assert.isNotNull(yield* runs.find(live.id))
          assert.isNotNull(yield* runs.find(young.id))
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const workflowRunsContract = runContract(workflowRuns)
