import { assert, layer } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import {
  type AutomationRunsToCancel,
  cancelAutomationRuns,
  createAutomation,
  deleteAutomation,
  type RunCount
} from "@parley/domain/automation"
import { layerJobKinds } from "@parley/domain/composition"
import { Job, listJobs, type Organization, runDueJobs } from "@parley/domain/platform"
import { asOwnerOf, givenAutomationRun, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runsOf } from "./engine.ts"

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const automation = yield* createAutomation({ name: "Routine" }).pipe(asOwnerOf(organization))
  const run = (fields: Parameters<typeof givenAutomationRun>[2]) =>
    givenAutomationRun(organization, automation.id, fields)
  const cancel = (input: AutomationRunsToCancel) =>
    cancelAutomationRuns({ id: automation.id, ...input }).pipe(asOwnerOf(organization))
  const states = Effect.map(runsOf(organization, automation), (runs) =>
    Object.fromEntries(runs.map(({ id, state }) => [id, state]))
  )
  return { organization, automation, run, cancel, states }
})

const work = Effect.provide(runDueJobs, layerJobKinds)

const lastJob = (organization: Organization) =>
  listJobs({ page: { limit: 1, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data[0])
  )

const countOf = (answer: Job | RunCount) => (answer instanceof Job ? null : answer.count)

const live = { state: "queued", finishedAt: null } as const

layer(TestKit.layer)("cancelling the runs of an automation by a filter", (it) => {
  it.effect("cancels only matching runs that have not ended, and counts them before", () =>
    Effect.gen(function* () {
      const { cancel, organization, run, states } = yield* given
      const contact = yield* givenContact(organization)
      const one = yield* run({ ...live, contactId: contact.id })
      const other = yield* run(live)
      const ended = yield* run({ state: "failed", contactId: contact.id })
      assert.strictEqual(countOf(yield* cancel({ filter: {}, preview: true })), 2)
      const filter = { contactId: contact.id }
      assert.strictEqual(countOf(yield* cancel({ filter, preview: true })), 1)
      yield* work
      assert.deepStrictEqual(yield* states, { [one.id]: "queued", [other.id]: "queued", [ended.id]: "failed" })
      yield* cancel({ filter })
      yield* work
      assert.deepStrictEqual(yield* states, { [one.id]: "cancelled", [other.id]: "queued", [ended.id]: "failed" })
      assert.deepInclude(yield* lastJob(organization), {
        kind: "automations.cancel_runs",
        state: "succeeded",
        progress: { done: 1, total: 1 },
        counts: { cancelled: 1, skipped: 0 }
      })
    })
  )

  it.effect("counts runs that end before the job, and leaves runs that start after the call", () =>
    Effect.gen(function* () {
      const { cancel, organization, run, states } = yield* given
      const contact = yield* givenContact(organization)
      const one = yield* run({ ...live, contactId: contact.id })
      const other = yield* run(live)
      yield* cancel({ filter: { contactId: contact.id } })
      yield* cancel({ filter: {} })
      yield* TestClock.adjust("1 minute")
      const later = yield* run({ ...live, createdAt: yield* DateTime.now })
      yield* work
      assert.deepStrictEqual(yield* states, { [one.id]: "cancelled", [other.id]: "cancelled", [later.id]: "queued" })
      assert.deepInclude(yield* lastJob(organization), { counts: { cancelled: 1, skipped: 1 } })
    })
  )

  it.effect("works through more runs than one step", () =>
    Effect.gen(function* () {
      const { cancel, organization, run, states } = yield* given
      yield* Effect.repeat(run(live), { times: 204 })
      yield* cancel({ filter: { state: "queued" } })
      yield* work
      assert.deepStrictEqual(new Set(Object.values(yield* states)), new Set(["cancelled"]))
      assert.deepInclude(yield* lastJob(organization), {
        progress: { done: 205, total: 205 },
        counts: { cancelled: 205, skipped: 0 }
      })
    })
  )

  it.effect("refuses an unknown contact, and fails without its automation", () =>
    Effect.gen(function* () {
      const { automation, cancel, organization } = yield* given
      const refused = yield* Effect.flip(
        cancel({ filter: { contactId: ContactId.make("01990000-0000-7000-8000-000000000001") } })
      )
      assert.deepStrictEqual(
        refused._tag === "ValidationFailed" ? refused.errors.map(({ pointer }) => pointer) : refused._tag,
        ["/filter/contactId"]
      )
      yield* cancel({ filter: {} })
      yield* deleteAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* work
      assert.deepInclude(yield* lastJob(organization), { state: "failed", error: "The automation was deleted." })
      assert.strictEqual((yield* Effect.flip(cancel({ filter: {} })))._tag, "NotFound")
    })
  )
})
