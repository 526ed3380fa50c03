import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  AutomationId,
  Automations,
  type AutomationRun,
  AutomationRuns,
  type AutomationRunSelection
} from "@parley/domain/automation"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, action, started, read, changed, nextIds, allRuns, anAutomation } from "./givenRuns.ts"

export const automationRunLists: StorageContract = {
  port: "AutomationRuns (lists)",
  promises: (it) => {
    it.effect("lists each version with live runs once", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [freshId(AutomationId), freshId(AutomationId)]
        const versions = Effect.map(runs.versionsUnderWay(), (found) =>
          found.map((ref) => `${ref.automationId} ${ref.version}`).toSorted()
        )
        yield* Effect.gen(function* () {
          yield* started({ automationId: one, automationVersion: 1 })
          yield* started({ automationId: one, automationVersion: 1 })
          yield* started({ automationId: one, automationVersion: 2 })
          const last = yield* started({ automationId: other, automationVersion: 3 })
          yield* started({ automationId: other, automationVersion: 4, state: "succeeded", finishedAt: at(1) })
          assert.deepStrictEqual(yield* versions, [`${one} 1`, `${one} 2`, `${other} 3`].toSorted())
          yield* changed(last, { state: "aborted", finishedAt: at(2) })
          assert.deepStrictEqual(yield* versions, [`${one} 1`, `${one} 2`].toSorted())
        }).pipe(inside(yield* givenOrganization()))
        assert.deepStrictEqual(yield* versions.pipe(inside(yield* givenOrganization())), [])
      })
    )

    it.effect("counts and locks the selected runs of an automation, oldest event first, page by page", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
        const all: AutomationRunSelection = {
          states: ["queued", "running"],
          rerun: "included",
          contactId: null,
          position: null,
          createdFrom: null,
          createdBefore: at(9)
        }
        const counted = (selection: Partial<AutomationRunSelection> = {}) =>
          runs.countSelected(automationId, { ...all, ...selection })
        const locked = (selection: Partial<AutomationRunSelection> = {}, after: AutomationRun | null = null) =>
          Effect.map(
            transact(
              runs.lockSelected(
                automationId,
                { ...all, ...selection },
                { after: after === null ? null : [String(after.event.position), after.id], limit: 2 }
              )
            ),
            (kept) => kept.map(({ run }) => run.id)
          )
        yield* Effect.gen(function* () {
          const event = (position: number) => ({ position, type: "order.paid" })
          const third = yield* started({ automationId, event: event(12), state: "running", createdAt: at(3) })
          const first = yield* started({ automationId, event: event(9), contactId, createdAt: at(2) })
          const second = yield* started({ automationId, event: event(10), createdAt: at(1) })
          const failed = yield* started({ automationId, event: event(9), state: "failed", finishedAt: at(2) })
          yield* started({ event: event(9) })
          const rerunOf = { runId: failed.id, actions: "remaining" } as const
          const repeating = yield* started({
            automationId,
            event: event(9),
            state: "failed",
            finishedAt: at(3),
            rerunOf
          })
          assert.deepStrictEqual((yield* runs.get(automationId, repeating.id)).rerunOf, rerunOf)
          assert.strictEqual(yield* counted({ states: ["failed"] }), 2)
          assert.strictEqual(yield* counted({ states: ["failed"], rerun: "excluded" }), 1)
          assert.deepStrictEqual(yield* locked({ states: ["failed"], rerun: "excluded" }), [repeating.id])
          assert.deepStrictEqual(yield* locked(), [first.id, second.id])
          assert.deepStrictEqual(yield* locked({}, second), [third.id])
          assert.deepStrictEqual(yield* locked({}, third), [])
          assert.deepStrictEqual(yield* locked({ states: ["running"] }), [third.id])
          assert.deepStrictEqual(
            yield* locked({ states: ["failed"], position: 9 }),
            [failed.id, repeating.id].toSorted()
          )
          assert.deepStrictEqual(yield* locked({ contactId }), [first.id])
          assert.deepStrictEqual(yield* locked({ position: 10 }), [second.id])
          assert.deepStrictEqual(yield* locked({ createdFrom: at(2) }), [first.id, third.id])
          assert.deepStrictEqual(yield* locked({ createdBefore: at(2) }), [second.id])
          assert.deepStrictEqual(yield* locked({ states: [] }), [])
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

    it.effect("lists the performed runs of a contact, and selects runs by contact and event", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const contactId = freshId(ContactId)
        yield* Effect.gen(function* () {
          const automation = anAutomation()
          const automationId = automation.id
          yield* transact((yield* Automations).insert(automation))
          const first = yield* started({ automationId, contactId, state: "succeeded", finishedAt: at(1) })
          const twins = [
            yield* started({ contactId, createdAt: at(2), event: { position: 8, type: "order.paid" } }),
            yield* started({ automationId, contactId, createdAt: at(2), event: { position: 8, type: "order.paid" } })
          ].toSorted((a, b) => (a.id < b.id ? 1 : -1))
          yield* started({ automationId, contactId, createdAt: at(3), state: "skipped", finishedAt: at(3) })
          const others = yield* started({ automationId })
          const page = (after: AutomationRun | undefined) =>
            Effect.map(
              runs.performedFor(contactId, {
                limit: 2,
                after: after === undefined ? null : [DateTime.formatIso(after.createdAt), after.id]
              }),
              (found) => found.map(({ name, run }) => [run.id, name])
            )
          const rowOf = (run: AutomationRun) => [run.id, run.automationId === automationId ? automation.name : null]
          assert.deepStrictEqual(yield* page(undefined), twins.map(rowOf))
          assert.deepStrictEqual(yield* page(twins[0]), [...twins.slice(1), first].map(rowOf))
          assert.deepStrictEqual(yield* page(first), [])
          const selected = (filter: Partial<typeof allRuns>) =>
            Effect.map(runs.list(automationId, { ...allRuns, ...filter }, { limit: 9, after: null }), (found) =>
              found.map(({ id }) => id)
            )
          assert.lengthOf(yield* selected({ contactId }), 3)
          assert.deepStrictEqual(yield* selected({ contactId, position: 8 }), [
            twins.find((run) => run.automationId === automationId)?.id
          ])
          assert.deepStrictEqual(yield* selected({ contactId: others.contactId }), [others.id])
          assert.deepStrictEqual(yield* selected({ contactId, state: "succeeded" }), [first.id])
          assert.deepStrictEqual(yield* selected({ position: 9 }), [])
          yield* transact(runs.forget([contactId], at(4)))
          assert.deepStrictEqual(yield* page(undefined), [])
        }).pipe(inside(one))
        assert.deepStrictEqual(yield* runs.performedFor(contactId, { limit: 9, after: null }).pipe(inside(other)), [])
      })
    )

    it.effect("lists runs by event position, newest first, page by page and by state", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const automationId = freshId(AutomationId)
          // All runs have equal times, as in a batch of events.
          const on = (position: number) => ({ automationId, event: { position, type: "order.paid" } })
          const third = yield* started(on(10))
          const second = yield* started({ ...on(9), state: "skipped", finishedAt: at(1) })
          const first = yield* started({ ...on(8), createdAt: at(1) })
          yield* started()
          const page = (after: AutomationRun | null, state: "queued" | null = null) =>
            Effect.map(
              runs.list(
                automationId,
                { ...allRuns, state },
                { limit: 2, after: after === null ? null : [String(after.event.position), after.id] }
              ),
              (found) => found.map(({ id }) => id)
            )
          assert.deepStrictEqual(yield* page(null), [third.id, second.id])
          assert.deepStrictEqual(yield* page(second), [first.id])
          assert.deepStrictEqual(yield* page(third), [second.id, first.id])
          assert.deepStrictEqual(yield* page(null, "queued"), [third.id, first.id])
          const twins = [yield* started(on(7)), yield* started(on(7))]
            .map(({ id }) => id)
            .toSorted()
            .toReversed()
          const [twin] = yield* runs.list(automationId, allRuns, { limit: 1, after: ["8", first.id] })
          assert.deepStrictEqual(yield* page(first), twins)
          assert.deepStrictEqual(yield* page(twin ?? first), twins.slice(1))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("cuts the live runs of one automation", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const automationId = freshId(AutomationId)
        yield* Effect.gen(function* () {
          const queued = yield* started({ automationId, actions: [action()] })
          const waiting = yield* started({
            automationId,
            state: "running",
            reason: "quiet_hours",
            actions: [action({ state: "done", attempts: 1 }), action({ index: 1, state: "waiting", until: at(90) })]
          })
          const calling = yield* started({ automationId, state: "running", actions: [action({ state: "calling" })] })
          const over = yield* started({ automationId, state: "succeeded", finishedAt: at(1) })
          const another = yield* started()
          const stale = yield* read(waiting)
          assert.strictEqual(yield* transact(runs.cancel(automationId, at(5))).pipe(inside(other)), 0)
          assert.strictEqual(yield* transact(runs.cancel(automationId, at(5))), 3)
          assert.strictEqual(yield* transact(runs.cancel(automationId, at(6))), 0)
          assert.isFalse(yield* transact(runs.save([stale])), "whoever performs it keeps nothing of it")
          for (const run of [queued, waiting, calling]) {
            const { finishedAt, reason, state } = (yield* read(run)).run
            assert.deepStrictEqual([state, reason, finishedAt], ["aborted", "automation_disabled", at(5)])
          }
          assert.deepStrictEqual((yield* read(waiting)).run.actions, [
            action({ state: "done", attempts: 1 }),
            action({ index: 1, state: "skipped" })
          ])
          assert.strictEqual((yield* read(over)).run.state, "succeeded")
          assert.deepStrictEqual(yield* nextIds(99), [another.id])
        }).pipe(inside(one))
      })
    )
  }
}

/** Checks an adapter against the contract of lists of automation runs. */
export const automationRunListsContract = runContract(automationRunLists)
