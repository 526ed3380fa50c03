import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId, ContactMergeId } from "@parley/domain/crm"
import { ContactWorkflowRuns, toSteps, WorkflowId, WorkflowRuns, Workflows } from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

import { at, lane, node, read, started } from "./givenRuns.ts"

export const contactWorkflowRuns: StorageContract = {
  port: "ContactWorkflowRuns",
  promises: (it) => {
    it.effect("lists the runs of a contact with the name of the workflow, and their latest steps", () =>
      Effect.gen(function* () {
        const held = yield* ContactWorkflowRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const contactId = freshId(ContactId)
        yield* Effect.gen(function* () {
          const first = yield* started({ contactId })
          const second = yield* started({ contactId, startedAt: at(1) })
          yield* started()
          const workflows = yield* Workflows
          yield* transact(workflows.remove(second.workflowId, null))
          const listed = yield* held.list(contactId, { limit: 9, after: null })
          assert.deepStrictEqual(
            listed.map(({ name, run, status }) => [run.id, name, status]),
            [
              [second.id, null, null],
              [first.id, "Cart", "active"]
            ]
          )
          const after = [DateTime.formatIso(second.startedAt), second.id]
          assert.lengthOf(yield* held.list(contactId, { limit: 9, after }), 1)
          const kept = yield* read(first)
          const steps = [1, 2, 3].map((place) => ({
            place,
            step: {
              node,
              visit: place,
              state: "done" as const,
              effect: null,
              output: { place },
              error: null,
              conditions: null,
              at: at(place)
            }
          }))
          yield* transact((yield* WorkflowRuns).save(kept, steps))
          const latest = yield* held.latestSteps([first.id, second.id], 2)
          assert.deepStrictEqual(
            Array.from(latest, ([id, found]) => [id, found.map(({ visit }) => visit)]),
            [[first.id, [2, 3]]]
          )
          assert.deepStrictEqual(latest.get(first.id)?.at(-1), steps.at(-1)?.step)
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* held.list(contactId, { limit: 9, after: null }).pipe(inside(other)), [])
      })
    )

    it.effect(
      "hands over what is of a contact: of two of one key the older one stays; and hands the live ones back",
      () =>
        Effect.gen(function* () {
          const held = yield* ContactWorkflowRuns
          yield* Effect.gen(function* () {
            const [from, to, mergeId] = [freshId(ContactId), freshId(ContactId), freshId(ContactMergeId)]
            const [older, younger] = [freshId(WorkflowId), freshId(WorkflowId)]
            const stays = yield* started({ workflowId: older, contactId: from })
            const leaves = yield* started({ workflowId: older, contactId: to, startedAt: at(1) })
            const goes = yield* started({ workflowId: younger, contactId: from, startedAt: at(2) })
            const remains = yield* started({ workflowId: younger, contactId: to, startedAt: at(1) })
            const cart = freshId(ContactId)
            const byCart = yield* started({ contactId: from, key: cart })
            const over = yield* started({ contactId: from, state: "completed", endedAt: at(3) })
            const stale = yield* read(stays)
            const left = yield* transact(held.handOver({ from, to, mergeId }, lane + 1, at(9)))
            assert.sameMembers(
              left.map(({ id }) => id),
              [leaves.id, goes.id]
            )
            for (const each of left) {
              assert.deepStrictEqual(
                [each.state, each.reason, each.contactId, each.key, each.endedAt],
                ["exited", "merged", to, to, at(9)]
              )
            }
            assert.isFalse(yield* transact((yield* WorkflowRuns).save(stale, [])))
            const kept = yield* read(stays)
            assert.deepStrictEqual([kept.run.contactId, kept.run.key, kept.lane], [to, to, lane + 1])
            assert.deepStrictEqual((yield* read(byCart)).run.key, cart)
            assert.deepStrictEqual((yield* read(remains)).run.state, "running")
            assert.lengthOf(yield* held.list(from, { limit: 9, after: null }), 0)
            assert.lengthOf(yield* held.list(to, { limit: 9, after: null }), 6)
            const undone = { from: to, to: from, mergeId, later: [] }
            assert.strictEqual(yield* transact(held.handBack(undone, lane)), 2)
            assert.strictEqual(yield* transact(held.handBack(undone, lane)), 0)
            const back = yield* read(stays)
            assert.deepStrictEqual([back.run.contactId, back.run.key, back.lane], [from, from, lane])
            assert.strictEqual((yield* read(over)).run.contactId, to)
          }).pipe(inside(yield* givenOrganization()))
        })
    )

    it.effect("returns transferred runs to the contact they came from last", () =>
      Effect.gen(function* () {
        const held = yield* ContactWorkflowRuns
        yield* Effect.gen(function* () {
          const [a, b, c] = [freshId(ContactId), freshId(ContactId), freshId(ContactId)]
          const [first, second] = [freshId(ContactMergeId), freshId(ContactMergeId)]
          const run = yield* started({ contactId: a })
          yield* transact(held.handOver({ from: a, to: b, mergeId: first }, lane, at(1)))
          yield* transact(held.handOver({ from: b, to: c, mergeId: second }, lane, at(2)))
          yield* transact(held.handBack({ from: c, to: b, mergeId: second, later: [] }, lane))
          assert.deepStrictEqual([(yield* read(run)).run.contactId, (yield* read(run)).run.key], [b, b])
          yield* transact(held.handBack({ from: b, to: a, mergeId: first, later: [] }, lane))
          assert.deepStrictEqual([(yield* read(run)).run.contactId, (yield* read(run)).run.key], [a, a])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("removes contact, input and observed values; live runs have left then", () =>
      Effect.gen(function* () {
        const held = yield* ContactWorkflowRuns
        yield* Effect.gen(function* () {
          const contactId = freshId(ContactId)
          const live = yield* started({ contactId, input: { name: "Ada" } }, { visits: { n1: 1 }, places: 1 })
          const over = yield* started({ contactId, state: "completed", endedAt: at(1) })
          const other = yield* started()
          const kept = yield* read(live)
          const step = toSteps(
            kept,
            {
              state: "failed",
              effect: { kind: "contact", id: contactId },
              output: { said: "Ada" },
              error: { code: "gone", detail: "Ada", pointer: "/tag" },
              conditions: { held: true }
            },
            at(1)
          )
          yield* transact((yield* WorkflowRuns).save(kept, step))
          const left = yield* transact(held.forget([contactId], at(5)))
          assert.deepStrictEqual(
            left.map(({ contactId: whose, endedAt, id, reason, state }) => [id, whose, state, reason, endedAt]),
            [[live.id, null, "exited", "contact_gone", at(5)]]
          )
          const [first, second] = [yield* read(live), yield* read(over)]
          const { conditions, input, key } = first.run
          assert.deepStrictEqual([key, conditions, input, first.progress.dueAt], [null, null, {}, null])
          assert.deepStrictEqual([second.run.contactId, second.run.key, second.run.state], [null, null, "completed"])
          const [blank] = yield* (yield* WorkflowRuns).steps(live.id)
          assert.deepStrictEqual(
            [blank?.effect, blank?.output, blank?.conditions, blank?.error],
            [null, null, null, { code: "gone", detail: null, pointer: "/tag" }]
          )
          assert.strictEqual((yield* read(other)).run.contactId, other.contactId)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const contactWorkflowRunsContract = runContract(contactWorkflowRuns)
