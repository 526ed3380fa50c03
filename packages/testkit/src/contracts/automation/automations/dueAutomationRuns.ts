import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { AutomationRuns } from "@parley/domain/automation"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, lane, action, newRun, started, read, changed, nextIds, plainRun, allRuns } from "./givenRuns.ts"

export const dueAutomationRuns: StorageContract = {
  port: "AutomationRuns (due runs)",
  promises: (it) => {
    it.effect("returns the due runs of a lane in the order of events, then of automations", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.nextDue(lane))
          const third = yield* started({ event: { position: 9, type: "order.paid" } })
          const second = yield* started({}, 2)
          const first = yield* started({}, 1)
          yield* started({ state: "aborted", reason: "cycle", finishedAt: at(0) })
          yield* transact(runs.start([{ run: newRun(), ordinal: 1, lane: lane + 1 }]))
          assert.deepStrictEqual(yield* nextIds(0), [first.id, second.id, third.id])
          assert.deepStrictEqual(yield* nextIds(0, 2), [first.id, second.id])
          assert.deepStrictEqual(yield* runs.nextDue(lane), at(0))
          assert.isTrue(yield* changed(first, { state: "succeeded", finishedAt: at(1) }))
          assert.deepStrictEqual(yield* nextIds(0), [second.id, third.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns a waiting run at its time, and reports that time", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          yield* changed(run, { state: "running", actions: [action({ state: "waiting", until: at(30) })] })
          assert.deepStrictEqual(yield* nextIds(29), [])
          assert.deepStrictEqual(yield* runs.nextDue(lane), at(30))
          assert.deepStrictEqual(yield* nextIds(30), [run.id])
          const later = yield* started({ contactId: run.contactId, event: { position: 8, type: "order.paid" } })
          assert.deepStrictEqual(yield* nextIds(29), [later.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns no run of a contact during a call of a plugin for it", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const later = yield* started({ contactId: run.contactId, event: { position: 8, type: "order.paid" } })
          yield* changed(run, { state: "running", actions: [action({ type: "plugin_action", state: "calling" })] })
          assert.deepStrictEqual(yield* nextIds(99), [])
          assert.isNull(yield* runs.nextDue(lane))
          const other = yield* started({}, 2)
          assert.deepStrictEqual(yield* nextIds(99), [other.id])
          yield* changed(run, { state: "running", actions: [action({ type: "plugin_action", state: "done" })] })
          assert.deepStrictEqual(yield* nextIds(99), [run.id, other.id, later.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("skips a cancelled run, and returns the later runs of its contact", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const later = yield* started({ contactId: run.contactId, event: { position: 8, type: "order.paid" } })
          yield* changed(run, { state: "running", actions: [action({ type: "plugin_action", state: "calling" })] })
          const actions = [action({ type: "plugin_action", state: "skipped" })]
          assert.isTrue(yield* changed(run, { state: "cancelled", actions, finishedAt: at(2) }))
          assert.deepStrictEqual(yield* nextIds(99), [later.id])
          const { automationId } = run
          const cancelled = yield* runs.list(
            automationId,
            { ...allRuns, state: "cancelled" },
            { limit: 9, after: null }
          )
          assert.deepStrictEqual(cancelled.map(plainRun), [plainRun((yield* read(run)).run)])
          const live = yield* runs.versionsUnderWay()
          assert.notInclude(
            live.map((version) => version.automationId),
            automationId
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("recalls runs in quiet hours, for some contacts or all, up to the limit", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const quiet = (contactId: ContactId, minutes = 90) =>
          started({
            contactId,
            state: "running",
            reason: "quiet_hours",
            actions: [
              action({ state: "done", attempts: 1 }),
              action({ index: 1, state: "waiting", until: at(minutes) })
            ]
          })
        const [a, b] = [freshId(ContactId), freshId(ContactId)]
        yield* Effect.gen(function* () {
          const first = yield* quiet(a)
          const second = yield* quiet(b)
          const retried = yield* started({
            contactId: a,
            state: "running",
            actions: [action({ state: "waiting", until: at(60) })]
          })
          const due = yield* quiet(a, 3)
          const stale = yield* read(first)
          const recall = (contactIds: ReadonlyArray<ContactId> | null, limit = 9) =>
            transact(runs.recall(contactIds, at(5), limit))
          assert.deepStrictEqual(yield* recall(null).pipe(inside(other)), [])
          assert.deepStrictEqual(yield* recall([freshId(ContactId)]), [])
          assert.deepStrictEqual(yield* recall([a]), [lane])
          assert.deepStrictEqual(yield* recall([a]), [])
          assert.isFalse(yield* transact(runs.save([stale])))
          assert.deepStrictEqual((yield* read(first)).run.actions, [
            action({ state: "done", attempts: 1 }),
            action({ index: 1, state: "waiting", until: at(5) })
          ])
          assert.sameMembers(yield* nextIds(5), [due.id, first.id])
          assert.deepStrictEqual(yield* recall(null, 1), [lane])
          assert.deepStrictEqual(yield* recall(null, 1), [])
          assert.sameMembers(yield* nextIds(5), [due.id, first.id, second.id])
          assert.deepStrictEqual((yield* read(retried)).run.actions, [action({ state: "waiting", until: at(60) })])
        }).pipe(inside(one))
      })
    )
  }
}

/** Checks an adapter against the contract of automation runs that wait or are due. */
export const dueAutomationRunsContract = runContract(dueAutomationRuns)
