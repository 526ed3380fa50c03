import { assert } from "@effect/vitest"
import { type Causation, transact } from "@parley/domain/kernel"
import { Backlog } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import { AutomationId, Automations, AutomationRuns } from "@parley/domain/automation"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside, outside } from "../../given.ts"
import { at, lane, action, newRun, started, read, changed, plainRun, allRuns, anAutomation } from "./givenRuns.ts"

export const automationRuns: StorageContract = {
  port: "AutomationRuns",
  promises: (it) => {
    it.effect("stores all fields of a run, and starts each run once, for its organization only", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const causation: Causation = { depth: 1, root: 3, via: [{ kind: "automation", id: freshId(AutomationId) }] }
        const run = newRun({
          state: "aborted",
          reason: "cycle",
          causation,
          conditions: { field: "tag", op: "any_of", value: ["t1"], saw: null, held: true },
          actions: [
            action({ state: "done", effect: { kind: "contact", id: "c1" }, attempts: 1 }),
            action({ index: 1, state: "failed", error: { code: "not_found", detail: null } }),
            action({ index: 2, type: "send_template", state: "waiting", until: at(9) })
          ],
          startedAt: at(1),
          finishedAt: at(2)
        })
        const start = transact(runs.start([{ run, ordinal: 4, lane }]))
        assert.deepStrictEqual(yield* start.pipe(inside(one)), new Set([run.id]))
        assert.deepStrictEqual(yield* start.pipe(inside(one)), new Set())
        const kept = yield* read(run).pipe(inside(one))
        assert.deepStrictEqual([plainRun(kept.run), kept.ordinal, kept.revision], [plainRun(run), 4, 1])
        assert.deepStrictEqual(plainRun(yield* runs.get(run.automationId, run.id).pipe(inside(one))), plainRun(run))
        yield* Effect.gen(function* () {
          assert.isNull(yield* runs.find(run.id))
          assert.strictEqual((yield* Effect.flip(runs.get(run.automationId, run.id)))._tag, "NotFound")
          assert.lengthOf(yield* runs.list(run.automationId, allRuns, { limit: 9, after: null }), 0)
          assert.isFalse(yield* transact(runs.save([kept])))
          assert.lengthOf(yield* runs.ofContact(run.contactId ?? freshId(ContactId), 9), 0)
        }).pipe(inside(other))
        const missing = yield* Effect.flip(runs.get(freshId(AutomationId), run.id)).pipe(inside(one))
        assert.strictEqual(missing._tag, "NotFound")
      })
    )

    it.effect("accepts no change from a stale read of a run", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const run = yield* started()
          const stale = yield* read(run)
          assert.isTrue(yield* changed(run, { state: "running", startedAt: at(1) }))
          assert.isFalse(yield* transact(runs.save([stale])))
          const kept = yield* read(run)
          assert.deepStrictEqual([kept.run.state, kept.revision], ["running", 2])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("reports how many runs are due, wait for a time and wait for a plugin", () =>
      Effect.gen(function* () {
        const backlog = outside(
          Effect.map(
            Effect.flatMap(Backlog, ({ size }) => size),
            (size) => size.automationRuns
          )
        )
        const before = yield* backlog
        yield* Effect.gen(function* () {
          yield* started()
          yield* started({ state: "running", actions: [action({ state: "waiting", until: at(9) })] })
          yield* started({ state: "running", actions: [action({ state: "calling" })] })
          yield* started({ state: "succeeded", finishedAt: at(1) })
        }).pipe(inside(yield* givenOrganization()))
        const { calling, oldest, queued, waiting } = yield* backlog
        assert.deepStrictEqual([queued - before.queued, waiting - before.waiting, calling - before.calling], [1, 1, 1])
        assert.isNotNull(oldest)
      })
    )

    it.effect("counts the runs that acted for a contact since a time, and failures in a row", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const [automationId, contactId] = [freshId(AutomationId), freshId(ContactId)]
          const ended = (state: "failed" | "skipped" | "succeeded", minutes: number) =>
            started({
              automationId,
              contactId,
              state,
              event: { position: minutes, type: "order.paid" },
              startedAt: at(minutes),
              finishedAt: at(minutes)
            })
          yield* ended("failed", 1)
          yield* ended("succeeded", 2)
          yield* ended("failed", 3)
          yield* ended("skipped", 4)
          yield* ended("failed", 5)
          yield* started({ automationId, contactId })
          assert.deepStrictEqual(yield* runs.begunSince(contactId, at(0)), new Map([[automationId, 4]]))
          assert.deepStrictEqual(yield* runs.begunSince(contactId, at(2)), new Map([[automationId, 2]]))
          assert.deepStrictEqual(yield* runs.begunSince(freshId(ContactId), at(0)), new Map())
          assert.strictEqual(yield* runs.failedInARow(automationId, 2, 20), 2)
          assert.strictEqual(yield* runs.failedInARow(automationId, 2, 1), 1)
          assert.strictEqual(yield* runs.failedInARow(automationId, 3, 20), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("deletes old ended runs, and skipped runs except the latest of each automation", () =>
      Effect.gen(function* () {
        const runs = yield* AutomationRuns
        yield* Effect.gen(function* () {
          const automation = anAutomation()
          yield* transact((yield* Automations).insert(automation))
          const skipped = (minutes: number) =>
            started({
              automationId: automation.id,
              state: "skipped",
              event: { position: minutes + 1, type: "order.paid" },
              createdAt: at(minutes),
              startedAt: at(minutes),
              finishedAt: at(minutes)
            })
          const made = yield* Effect.forEach([0, 1, 2, 3, 4], skipped)
          const open = yield* started({ automationId: automation.id })
          const done = yield* started({ automationId: automation.id, state: "succeeded", finishedAt: at(1) })
          assert.strictEqual(yield* runs.sweepSkipped(2, 2), 2)
          assert.strictEqual(yield* runs.sweepSkipped(2, 2), 1)
          assert.strictEqual(yield* runs.sweepSkipped(2, 2), 0)
          const left = Effect.map(runs.list(automation.id, allRuns, { limit: 9, after: null }), (found) =>
            found.map(({ id }) => id)
          )
          const young = made.slice(3).map(({ id }) => id)
          assert.sameMembers(Array.from(yield* left), [...young, open.id, done.id])
          assert.strictEqual(yield* runs.sweep(at(0), 9), 0)
          assert.strictEqual(yield* runs.sweep(at(1), 9), 1)
          assert.sameMembers(Array.from(yield* left), [...young, open.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}

export const automationRunsContract = runContract(automationRuns)
