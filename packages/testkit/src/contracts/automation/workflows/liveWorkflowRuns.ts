import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  exitRun,
  NodeId,
  Workflow,
  WorkflowId,
  type WorkflowRun,
  WorkflowRuns,
  Workflows,
  type WorkflowStatus
} from "@parley/domain/automation"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, changed, givenWorkflow, lane, newRun, read, started } from "./givenRuns.ts"

const nextIds = Effect.fnUntraced(function* (minutes: number, limit = 10) {
  const found = yield* (yield* WorkflowRuns).next(lane, at(minutes), limit)
  return found.map(({ run }) => run.id)
})

export const liveWorkflowRuns: StorageContract = {
  port: "WorkflowRuns (live runs)",
  promises: (it) => {
    it.effect("counts live runs in each node, of one version or of all", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const workflowId = freshId(WorkflowId)
          const n2 = NodeId.make("n2")
          yield* started({ workflowId })
          yield* started({ workflowId, state: "waiting", workflowVersion: 2 })
          yield* started({ workflowId, node: n2 })
          yield* started({ workflowId, node: n2, state: "completed", endedAt: at(3) }, { dueAt: null })
          yield* started()
          const counted = (version: number | null) =>
            Effect.map(runs.countInNodes(workflowId, version), (counts) => Object.fromEntries(counts))
          assert.deepStrictEqual(yield* counted(null), { n1: 2, n2: 1 })
          assert.deepStrictEqual(yield* counted(2), { n1: 1 })
          assert.deepStrictEqual(yield* counted(null).pipe(inside(other)), {})
        }).pipe(inside(one))
      })
    )

    it.effect("lists each version with live runs once", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [freshId(WorkflowId), freshId(WorkflowId)]
        const organization = yield* givenOrganization()
        const versionsOf = (workflowId: WorkflowId | null) =>
          Effect.map(runs.versionsUnderWay(workflowId), (found) =>
            found.map((ref) => `${ref.workflowId} ${ref.version}`).toSorted()
          )
        yield* Effect.gen(function* () {
          const first = yield* started({ workflowId: one, workflowVersion: 1 })
          yield* started({ workflowId: one, workflowVersion: 1 })
          yield* started({ workflowId: one, workflowVersion: 2 })
          yield* started({ workflowId: other, workflowVersion: 3 })
          assert.deepStrictEqual(yield* versionsOf(one), [`${one} 1`, `${one} 2`])
          assert.deepStrictEqual(yield* versionsOf(null), [`${one} 1`, `${one} 2`, `${other} 3`].toSorted())
          yield* changed(first, (kept) => exitRun(kept, "goal", at(5)))
          assert.deepStrictEqual(yield* versionsOf(one), [`${one} 1`, `${one} 2`])
        }).pipe(inside(organization))
        const elsewhere = yield* versionsOf(null).pipe(inside(yield* givenOrganization()))
        assert.deepStrictEqual(elsewhere, [])
      })
    )

    it.effect("returns due runs of a lane, and none of paused workflows", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.nextDue(lane))
          const workflow = yield* givenWorkflow()
          const [archived, paused] = [yield* givenWorkflow(), yield* givenWorkflow()]
          const become = (which: Workflow, status: WorkflowStatus) =>
            Effect.flatMap(Workflows, (workflows) => transact(workflows.save(new Workflow({ ...which, status }), null)))
          yield* started({ workflowId: paused.id })
          yield* become(paused, "paused")
          assert.isNull(yield* runs.nextDue(lane))
          const later = yield* started({ workflowId: workflow.id }, { dueAt: at(30) })
          const earlier = yield* started({ workflowId: archived.id }, { dueAt: at(20) })
          yield* become(archived, "archived")
          yield* started({ workflowId: workflow.id }, { dueAt: null })
          yield* transact(runs.start({ ...newRun({ workflowId: workflow.id }), lane: lane + 1 }))
          assert.deepStrictEqual(yield* nextIds(19), [])
          assert.deepStrictEqual(yield* runs.nextDue(lane), at(20))
          assert.deepStrictEqual(yield* nextIds(20), [earlier.id])
          assert.deepStrictEqual(yield* nextIds(30), [earlier.id, later.id])
          assert.deepStrictEqual(yield* nextIds(30, 1), [earlier.id])
          yield* become(paused, "active")
          assert.lengthOf(yield* nextIds(30), 3)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("ends live runs in batches, and continues runs waiting for a template", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const workflowId = freshId(WorkflowId)
          const first = yield* started({ workflowId, state: "held", reason: "template" }, { dueAt: at(60) })
          const second = yield* started(
            { workflowId, startedAt: at(1), state: "held", reason: "account" },
            { dueAt: at(60) }
          )
          const elsewhere = yield* started({ startedAt: at(2) })
          assert.strictEqual(yield* transact(runs.letGoOn("template", at(7), 9)), 1)
          assert.deepStrictEqual(
            [(yield* read(first)).progress.dueAt, (yield* read(second)).progress.dueAt],
            [at(7), at(60)]
          )
          // Runs that already continue are skipped, so the limit applies to the remaining runs.
          const others = [
            yield* started({ state: "held", reason: "template" }, { dueAt: at(61) }),
            yield* started({ state: "held", reason: "template" }, { dueAt: at(62) })
          ]
          for (const expected of [1, 1, 0]) {
            assert.strictEqual(yield* transact(runs.letGoOn("template", at(8), 1)), expected)
          }
          for (const other of others) assert.deepStrictEqual((yield* read(other)).progress.dueAt, at(8))
          const gone = yield* Effect.forEach(others, read)
          for (const kept of gone) yield* transact(runs.save(exitRun(kept, "goal", at(8)), []))
          const ids = Effect.fnUntraced(function* (of: WorkflowId | null, limit: number) {
            const left = yield* transact(runs.exit(of, "archived", at(9), limit))
            return left.map(({ id, reason, state }) => [id, state, reason])
          })
          const left = [...(yield* ids(workflowId, 1)), ...(yield* ids(workflowId, 5))]
          assert.sameDeepMembers(left, [
            [first.id, "exited", "archived"],
            [second.id, "exited", "archived"]
          ])
          assert.deepStrictEqual(yield* ids(workflowId, 5), [])
          assert.deepStrictEqual(yield* ids(null, 5), [[elsewhere.id, "exited", "archived"]])
          assert.isNull((yield* read(second)).progress.dueAt)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("recalls runs in quiet hours, for some contacts or all, up to the limit", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const quiet = () =>
            started({ state: "waiting", reason: "quiet_hours", wakeAt: at(90) }, { dueAt: at(90), isResting: true })
          const [first, second] = [yield* quiet(), yield* quiet()]
          const resting = yield* started({ state: "waiting", wakeAt: at(60) }, { dueAt: at(60), isResting: true })
          const contactId = first.contactId ?? freshId(ContactId)
          const stale = yield* read(first)
          const recall = (contactIds: ReadonlyArray<ContactId> | null, limit = 9) =>
            transact(runs.recall(contactIds, at(5), limit))
          assert.deepStrictEqual(yield* recall(null).pipe(inside(other)), [])
          assert.deepStrictEqual(yield* recall([freshId(ContactId)]), [])
          assert.deepStrictEqual(yield* recall([contactId]), [lane])
          assert.isFalse(yield* transact(runs.save(stale, [])))
          const { progress, run } = yield* read(first)
          assert.deepStrictEqual([progress.dueAt, run.wakeAt, run.state], [at(5), at(5), "waiting"])
          assert.deepStrictEqual(yield* recall(null, 1), [lane])
          assert.deepStrictEqual(yield* recall(null, 1), [])
          assert.sameMembers(yield* nextIds(5), [first.id, second.id])
          assert.deepStrictEqual((yield* read(resting)).progress.dueAt, at(60))
        }).pipe(inside(one))
      })
    )

    it.effect("recalls runs that wait in some nodes, up to the limit, and keeps their wake time", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const resting = (node: string, overrides: Partial<WorkflowRun> = {}) =>
            started(
              { state: "waiting", node: NodeId.make(node), wakeAt: at(60), ...overrides },
              { dueAt: at(60), isResting: true }
            )
          const first = yield* resting("wait")
          const { workflowId, workflowVersion: version } = first
          const second = yield* resting("wait", { workflowId })
          const others = [
            yield* resting("else", { workflowId }),
            yield* resting("wait"),
            yield* resting("wait", { workflowId, workflowVersion: version + 1 }),
            yield* resting("wait", { workflowId, state: "held" })
          ]
          const wait = { workflowId, version, node: NodeId.make("wait") }
          const recall = (limit: number) => transact(runs.recallFrom([wait], at(5), limit))
          assert.deepStrictEqual(yield* recall(9).pipe(inside(other)), [])
          assert.deepStrictEqual(yield* transact(runs.recallFrom([], at(5), 9)), [])
          const stale = yield* read(first)
          assert.deepStrictEqual(yield* recall(1), [lane])
          assert.isFalse(yield* transact(runs.save(stale, [])))
          assert.deepStrictEqual(yield* recall(9), [lane])
          assert.deepStrictEqual(yield* recall(9), [])
          for (const each of [first, second]) {
            const { progress, run } = yield* read(each)
            assert.deepStrictEqual([progress.dueAt, run.wakeAt, run.state], [at(5), at(60), "waiting"])
          }
          for (const each of others) assert.deepStrictEqual((yield* read(each)).progress.dueAt, at(60))
        }).pipe(inside(one))
      })
    )
  }
}

/** Checks an adapter against the contract of workflow runs that wait or are due. */
export const liveWorkflowRunsContract = runContract(liveWorkflowRuns)
