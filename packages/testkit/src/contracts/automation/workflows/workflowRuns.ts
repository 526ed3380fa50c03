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
  Workflow,
  WorkflowId,
  type WorkflowRun,
  type WorkflowRunFilter,
  WorkflowRuns,
  type WorkflowRunSelection,
  Workflows,
  type WorkflowStatus
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

import { at, changed, givenPublished, givenWorkflow, lane, newRun, node, read, start, started } from "./givenRuns.ts"

const nextIds = Effect.fnUntraced(function* (minutes: number, limit = 10) {
  const found = yield* (yield* WorkflowRuns).next(lane, at(minutes), limit)
  return found.map(({ run }) => run.id)
})

const plain = ({ progress, run, ...kept }: StoredWorkflowRun | NewWorkflowRun) => ({
  ...kept,
  progress,
  run: { ...run }
})

const any: WorkflowRunFilter = { states: null, contactId: null, position: null }

export const workflowRuns: StorageContract = {
  port: "WorkflowRuns",
  promises: (it) => {
    it.effect("lists live runs of a version, earliest first, page by page", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const workflowId = freshId(WorkflowId)
        const page = (after: WorkflowRun | null) =>
          Effect.map(
            transact(
              runs.lockOfVersion(workflowId, 1, {
                after: after === null ? null : [DateTime.formatIso(after.startedAt), after.id],
                limit: 2
              })
            ),
            (kept) => kept.map(({ run }) => run.id)
          )
        yield* Effect.gen(function* () {
          const third = yield* started({ workflowId, startedAt: at(2) })
          const [first, second] = [yield* started({ workflowId }), yield* started({ workflowId, startedAt: at(1) })]
          yield* started({ workflowId, workflowVersion: 2 })
          yield* started({ workflowId, state: "completed", endedAt: at(3) }, { dueAt: null })
          yield* started()
          assert.deepStrictEqual(yield* page(null), [first.id, second.id])
          assert.deepStrictEqual(yield* page(second), [third.id])
          assert.deepStrictEqual(yield* page(third), [])
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* page(null).pipe(inside(other)), [])
      })
    )

    it.effect("counts and locks the selected runs of a workflow, earliest first, page by page", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [workflowId, contactId] = [freshId(WorkflowId), freshId(ContactId)]
        const all: WorkflowRunSelection = {
          states: ["running", "waiting", "held"],
          rerun: "included",
          contactId: null,
          position: null,
          createdFrom: null,
          createdBefore: at(9)
        }
        const counted = (selection: Partial<WorkflowRunSelection> = {}) =>
          runs.countSelected(workflowId, { ...all, ...selection })
        const locked = (selection: Partial<WorkflowRunSelection> = {}, after: WorkflowRun | null = null) =>
          Effect.map(
            transact(
              runs.lockSelected(
                workflowId,
                { ...all, ...selection },
                { after: after === null ? null : [DateTime.formatIso(after.startedAt), after.id], limit: 2 }
              )
            ),
            (kept) => kept.map(({ run }) => run.id)
          )
        yield* Effect.gen(function* () {
          const third = yield* started({ workflowId, startedAt: at(3), state: "waiting" })
          const first = yield* started({ workflowId, startedAt: at(1), contactId })
          const startedBy = { position: 5, type: "order.paid" }
          const second = yield* started({ workflowId, workflowVersion: 2, startedAt: at(2), startedBy })
          const failed = yield* started({ workflowId, state: "failed", endedAt: at(3) }, { dueAt: null })
          const ended = { state: "failed", endedAt: at(5) } as const
          const repeating = yield* started(
            { workflowId, ...ended, startedAt: at(4), rerunOf: { runId: failed.id } },
            { dueAt: null }
          )
          assert.deepStrictEqual((yield* runs.get(workflowId, repeating.id)).rerunOf, { runId: failed.id })
          assert.strictEqual(yield* counted({ states: ["failed"] }), 2)
          assert.strictEqual(yield* counted({ states: ["failed"], rerun: "excluded" }), 1)
          assert.deepStrictEqual(yield* locked({ states: ["failed"], rerun: "excluded" }), [repeating.id])
          yield* started()
          assert.deepStrictEqual(yield* locked(), [first.id, second.id])
          assert.deepStrictEqual(yield* locked({}, second), [third.id])
          assert.deepStrictEqual(yield* locked({}, third), [])
          assert.deepStrictEqual(yield* locked({ states: ["waiting"] }), [third.id])
          assert.deepStrictEqual(yield* locked({ states: ["failed"] }), [failed.id, repeating.id])
          assert.deepStrictEqual(yield* locked({ contactId }), [first.id])
          assert.deepStrictEqual(yield* locked({ position: 5 }), [second.id])
          assert.deepStrictEqual(yield* locked({ createdFrom: at(2) }), [second.id, third.id])
          assert.deepStrictEqual(yield* locked({ createdBefore: at(2) }), [first.id])
          assert.deepStrictEqual(
            yield* Effect.all([
              counted(),
              counted({ states: [] }),
              counted({ contactId }),
              counted({ createdFrom: at(2) })
            ]),
            [3, 0, 1, 2]
          )
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* Effect.all([counted(), locked()]).pipe(inside(other)), [0, []])
      })
    )

    it.effect("counts the live ones in each node, of a version or of all", () =>
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

    it.effect("keeps all of a run, for the organization that it belongs to", () =>
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
        assert.deepStrictEqual(plain(kept), { ...plain(begun), revision: 1 })
        const { contactId, id, key, workflowId } = begun.run
        assert.deepStrictEqual({ ...(yield* runs.get(workflowId, id).pipe(inside(one))) }, { ...begun.run })
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.find(id))
          assert.strictEqual((yield* Effect.flip(runs.get(workflowId, id)))._tag, "NotFound")
          assert.lengthOf(yield* runs.list(workflowId, any, { limit: 9, after: null }), 0)
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

    it.effect("has one live run of a key in a workflow, and says when the last one ended that had begun", () =>
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

    it.effect("begins nothing of a workflow that is not active, or not there", () =>
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

    it.effect("gives what is due in a lane, but nothing of workflows that are paused", () =>
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

    it.effect("saves a change with its steps, and no change from a stale read", () =>
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
          assert.deepStrictEqual(plain(second), { ...plain(resting), revision: 2 })
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

    it.effect("lists the runs of a workflow page after page, the latest first, and those in some states", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const workflowId = freshId(WorkflowId)
          const first = yield* started({ workflowId })
          const second = yield* started({ workflowId, startedAt: at(1), state: "completed", endedAt: at(1) })
          const third = yield* started({ workflowId, startedAt: at(2), state: "waiting" })
          yield* started()
          const from = new Map<string, number>()
          const page = (after: WorkflowRun | null, states: ReadonlyArray<"running" | "waiting"> | null = null) =>
            Effect.map(
              runs.list(
                workflowId,
                { ...any, states },
                {
                  limit: 2,
                  after:
                    after === null
                      ? null
                      : [DateTime.formatIso(after.startedAt), String(from.get(after.id) ?? 0), after.id]
                }
              ),
              (found) => found.map(({ run }) => run.id)
            )
          assert.deepStrictEqual(yield* page(null), [third.id, second.id])
          assert.deepStrictEqual(yield* page(second), [first.id])
          assert.deepStrictEqual(yield* page(null, ["running", "waiting"]), [third.id, first.id])
          assert.deepStrictEqual(yield* page(null, []), [])
          // Runs of one batch have equal times; the event position decides the order.
          const batch = []
          for (const position of [10, 9, 8]) {
            const run = yield* started({ workflowId, startedAt: at(3) }, { from: position })
            from.set(run.id, position)
            batch.push(run)
          }
          const ids = batch.map(({ id }) => id)
          assert.deepStrictEqual(yield* page(null), ids.slice(0, 2))
          assert.deepStrictEqual(yield* page(batch[0] ?? null), ids.slice(1))
          assert.deepStrictEqual(yield* page(batch[2] ?? null), [third.id, second.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("selects the runs of a workflow by contact and by the event of the start", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const [workflowId, contactId] = [freshId(WorkflowId), freshId(ContactId)]
          const startedBy = { position: 7, type: "order.paid" }
          const called = yield* started({ workflowId, contactId, key: freshId(ContactId) })
          const begun = yield* started({ workflowId, contactId, startedBy, startedAt: at(1) })
          const others = yield* started({ workflowId, startedBy, startedAt: at(2) })
          yield* started({ contactId, startedBy })
          const selected = (filter: Partial<typeof any>) =>
            Effect.map(runs.list(workflowId, { ...any, ...filter }, { limit: 9, after: null }), (found) =>
              found.map(({ run }) => run.id)
            )
          assert.deepStrictEqual(yield* selected({ contactId }), [begun.id, called.id])
          assert.deepStrictEqual(yield* selected({ position: 7 }), [others.id, begun.id])
          assert.deepStrictEqual(yield* selected({ contactId, position: 7 }), [begun.id])
          assert.deepStrictEqual(yield* selected({ position: 8 }), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("gives the live runs of contacts, the earliest first", () =>
      Effect.gen(function* () {
        const runs = yield* WorkflowRuns
        yield* Effect.gen(function* () {
          const contactId = freshId(ContactId)
          const later = yield* started({ contactId, startedAt: at(1) })
          const earlier = yield* started({ contactId })
          yield* started({ contactId, state: "completed", endedAt: at(1) })
          const others = yield* started()
          const idle = freshId(ContactId)
          const live = yield* transact(runs.lockLive([contactId, idle]))
          assert.deepStrictEqual(
            live.map(({ run }) => run.id),
            [earlier.id, later.id]
          )
          const theirs = others.contactId ?? idle
          assert.deepStrictEqual(yield* runs.underWay([contactId, idle, theirs]), new Set([contactId, theirs]))
          assert.lengthOf(yield* (yield* ContactWorkflowRuns).list(contactId, { limit: 9, after: null }), 3)
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

    it.effect("forgets what ended long ago, with its steps", () =>
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
