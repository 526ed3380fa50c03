import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  ContactWorkflowRuns,
  WorkflowId,
  type WorkflowRun,
  WorkflowRuns,
  type WorkflowRunSelection
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, started, anyRun } from "./givenRuns.ts"

export const workflowRunLists: StorageContract = {
  port: "WorkflowRuns (lists)",
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

    it.effect("lists the runs of a workflow by state, latest first, page by page", () =>
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
                { ...anyRun, states },
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
          const selected = (filter: Partial<typeof anyRun>) =>
            Effect.map(runs.list(workflowId, { ...anyRun, ...filter }, { limit: 9, after: null }), (found) =>
              found.map(({ run }) => run.id)
            )
          assert.deepStrictEqual(yield* selected({ contactId }), [begun.id, called.id])
          assert.deepStrictEqual(yield* selected({ position: 7 }), [others.id, begun.id])
          assert.deepStrictEqual(yield* selected({ contactId, position: 7 }), [begun.id])
          assert.deepStrictEqual(yield* selected({ position: 8 }), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns the live runs of contacts, earliest first", () =>
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
  }
}

/** Checks an adapter against the contract of lists of workflow runs. */
export const workflowRunListsContract = runContract(workflowRunLists)
