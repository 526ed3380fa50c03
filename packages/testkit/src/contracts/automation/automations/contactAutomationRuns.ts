import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId, ContactMergeId } from "@parley/domain/crm"
import { AutomationRuns } from "@parley/domain/automation"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, lane, action, started, read, nextIds } from "./givenRuns.ts"

export const contactAutomationRuns: StorageContract = {
  port: "AutomationRuns (contacts)",
  promises: (it) => {
    it.effect("transfers the runs of a contact, and removes the contact from them", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const [from, to] = [freshId(ContactId), freshId(ContactId)]
          const saw = { field: "tag", op: "is", value: "x", saw: "x", held: true }
          const input = { code: "plugin_refused", detail: "There is no customer called Anna." }
          const over = yield* started({
            contactId: from,
            state: "failed",
            conditions: saw,
            finishedAt: at(1),
            actions: [
              action({ state: "done", effect: { kind: "contact", id: from } }),
              action({ index: 1, state: "done", effect: { kind: "note", id: "n1" } }),
              action({ index: 2, state: "failed", error: input })
            ]
          })
          const mergeId = freshId(ContactMergeId)
          assert.isFalse(yield* transact(runs.handOver({ from, to, mergeId }, lane)))
          const live = yield* started({
            contactId: from,
            state: "running",
            conditions: saw,
            createdAt: at(1),
            actions: [
              action({ state: "done", effect: { kind: "contact", id: from }, attempts: 1 }),
              action({ index: 1, state: "waiting", until: at(90) })
            ]
          })
          const stale = yield* read(live)
          assert.isTrue(yield* transact(runs.handOver({ from, to, mergeId }, lane)))
          assert.isFalse(yield* transact(runs.save([stale])))
          assert.deepStrictEqual(
            (yield* runs.ofContact(to, 9)).map(({ id }) => id),
            [live.id, over.id]
          )
          assert.lengthOf(yield* runs.ofContact(from, 9), 0)
          yield* transact(runs.forget([to], at(5)))
          assert.lengthOf(yield* runs.ofContact(to, 9), 0)
          const [first, second] = [yield* read(over), yield* read(live)]
          assert.deepStrictEqual(
            [first.run.state, first.run.contactId, first.run.conditions, first.run.finishedAt],
            ["failed", null, null, at(1)]
          )
          assert.deepStrictEqual(first.run.actions, [
            action({ state: "done" }),
            action({ index: 1, state: "done", effect: { kind: "note", id: "n1" } }),
            action({ index: 2, state: "failed", error: { ...input, detail: null } })
          ])
          assert.deepStrictEqual(
            [second.run.state, second.run.reason, second.run.conditions, second.run.finishedAt],
            ["aborted", "contact_gone", null, at(5)]
          )
          assert.deepStrictEqual(second.run.actions, [
            action({ state: "done", attempts: 1 }),
            action({ index: 1, state: "skipped" })
          ])
          assert.deepStrictEqual(yield* nextIds(99), [])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns transferred runs to their last contact, and none that started later", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const [a, b, c] = [freshId(ContactId), freshId(ContactId), freshId(ContactId)]
          const [first, second] = [freshId(ContactMergeId), freshId(ContactMergeId)]
          const over = yield* started({ contactId: a, state: "succeeded", finishedAt: at(1) })
          const live = yield* started({ contactId: a })
          const whose = (id: ContactId) => Effect.map(runs.ofContact(id, 9), (found) => found.map((run) => run.id))
          yield* transact(runs.handOver({ from: a, to: b, mergeId: first }, lane))
          yield* transact(runs.handOver({ from: b, to: c, mergeId: second }, lane))
          const since = yield* started({ contactId: c })
          const stale = yield* read(live)
          assert.isTrue(yield* transact(runs.handBack({ from: c, to: b, mergeId: second, later: [] }, lane + 1)))
          assert.isFalse(yield* transact(runs.save([stale])))
          assert.sameMembers(yield* whose(b), [over.id, live.id])
          assert.deepStrictEqual(yield* whose(c), [since.id])
          assert.deepStrictEqual(
            (yield* runs.next(lane + 1, at(9), 9)).map(({ run }) => run.id),
            [live.id]
          )
          assert.isFalse(yield* transact(runs.handBack({ from: c, to: b, mergeId: second, later: [] }, lane)))
          assert.isTrue(yield* transact(runs.handBack({ from: b, to: a, mergeId: first, later: [] }, lane)))
          assert.sameMembers(yield* whose(a), [over.id, live.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

/** Checks an adapter against the contract of automation runs of contacts. */
export const contactAutomationRunsContract = runContract(contactAutomationRuns)
