import { assert, layer } from "@effect/vitest"
import { createTag, type Contact, deleteContact, getContact, updateContact } from "@parley/domain/crm"
import {
  type AutomationAction,
  type AutomationRunsToRerun,
  disableAutomation,
  rerunAutomationRuns,
  type RunAction,
  type RunCount,
  updateAutomation
} from "@parley/domain/automation"
import { layerJobKinds } from "@parley/domain/composition"
import { Job, listJobs, type Organization, runDueJobs } from "@parley/domain/platform"
import { asOwnerOf, givenAutomationRun, givenContact, givenEvent, givenOrganization, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

const action = (index: number, type: RunAction["type"], state: RunAction["state"]): RunAction => ({
  index,
  type,
  state,
  error: state === "failed" ? { code: "no_conversation", detail: "None." } : null,
  effect: null,
  attempts: 1,
  until: null
})

/** An automation with two actions, and a run that performed the first one and failed in the second one. */
const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const [first, second] = yield* Effect.forEach(["First", "Second"], (name) =>
    createTag({ name }).pipe(asOwnerOf(organization))
  )
  const then: ReadonlyArray<AutomationAction> = [first, second].map((tag) => ({
    type: "tag",
    tagIds: tag === undefined ? [] : [tag.id],
    onError: "stop"
  }))
  const automation = yield* enabled(organization, { when: { event: "note.created" }, then })
  const failedRun = Effect.gen(function* () {
    const contact = yield* givenContact(organization)
    const position = yield* givenEvent(organization, {
      type: "contact.consent_changed",
      contactId: contact.id,
      purpose: "marketing",
      from: "subscribed",
      to: "unsubscribed"
    })
    const run = yield* givenAutomationRun(organization, automation.id, {
      state: "failed",
      automationVersion: automation.version,
      contactId: contact.id,
      event: { position, type: "contact.consent_changed" },
      actions: [action(0, "tag", "done"), action(1, "tag", "failed")]
    })
    return { contact, run }
  })
  const rerun = (input: AutomationRunsToRerun = { filter: {} }) =>
    rerunAutomationRuns({ id: automation.id, ...input }).pipe(asOwnerOf(organization))
  const tagsOf = ({ id }: Contact) =>
    Effect.map(getContact({ id }).pipe(asOwnerOf(organization)), ({ tags }) => [...tags])
  return { organization, automation, first: first?.id, second: second?.id, failedRun, rerun, tagsOf, then }
})

const work = Effect.provide(runDueJobs, layerJobKinds)

const lastJob = (organization: Organization) =>
  listJobs({ page: { limit: 1, cursor: null } }).pipe(
    asOwnerOf(organization),
    Effect.map(({ data }) => data[0])
  )

const countOf = (answer: Job | RunCount) => (answer instanceof Job ? null : answer.count)

const none = { contactGone: 0, contactBlocked: 0, repeated: 0 }

layer(TestKit.layer)("re-running the runs of an automation by a filter", (it) => {
  it.effect("performs the actions that were not completed, once, and names the origin", () =>
    Effect.gen(function* () {
      const { automation, failedRun, organization, rerun, second, tagsOf } = yield* given
      const { contact, run } = yield* failedRun
      assert.strictEqual(countOf(yield* rerun({ filter: {}, preview: true })), 1)
      assert.strictEqual(countOf(yield* rerun({ filter: { state: "cancelled" }, preview: true })), 0)
      yield* rerun()
      yield* work
      assert.deepInclude(yield* lastJob(organization), {
        kind: "automations.rerun_runs",
        state: "succeeded",
        progress: { done: 1, total: 1 },
        counts: { started: 1, ...none }
      })
      yield* settle(organization, 2)
      const repeated = (yield* runsOf(organization, automation)).find(({ rerunOf }) => rerunOf !== null)
      assert.deepInclude(repeated, { state: "succeeded", rerunOf: { runId: run.id, actions: "remaining" } })
      assert.deepStrictEqual(yield* tagsOf(contact), [second])
      assert.strictEqual(countOf(yield* rerun({ filter: {}, preview: true })), 0)
    })
  )

  it.effect("starts one run when two jobs select the same run", () =>
    Effect.gen(function* () {
      const { automation, failedRun, organization, rerun } = yield* given
      yield* failedRun
      yield* rerun()
      yield* rerun()
      yield* work
      yield* work
      assert.lengthOf(yield* runsOf(organization, automation), 2)
      const { data } = yield* listJobs({ page: { limit: 2, cursor: null } }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual(data.map(({ counts }) => counts["started"]).toSorted(), [0, 1])
      assert.deepStrictEqual(data.map(({ counts }) => counts["repeated"]).toSorted(), [0, 1])
    })
  )

  it.effect("performs all actions after a change of the actions, and shows it", () =>
    Effect.gen(function* () {
      const { automation, failedRun, first, organization, rerun, second, tagsOf, then } = yield* given
      const { contact, run } = yield* failedRun
      yield* updateAutomation({ id: automation.id, then: then.toReversed(), ifVersion: null }).pipe(
        asOwnerOf(organization)
      )
      yield* rerun()
      yield* work
      yield* settle(organization, 2)
      const repeated = (yield* runsOf(organization, automation)).find(({ rerunOf }) => rerunOf !== null)
      assert.deepInclude(repeated, { state: "succeeded", rerunOf: { runId: run.id, actions: "all" } })
      assert.sameMembers(yield* tagsOf(contact), [first, second])
    })
  )

  it.effect("keeps completed actions after a change of the conditions", () =>
    Effect.gen(function* () {
      const { automation, failedRun, organization, rerun, second, tagsOf } = yield* given
      const { contact } = yield* failedRun
      const condition = { not: { field: "blocked", op: "is", value: true } } as const
      yield* updateAutomation({ id: automation.id, if: condition, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* rerun()
      yield* work
      yield* settle(organization, 2)
      assert.deepStrictEqual(yield* tagsOf(contact), [second])
    })
  )

  it.effect("does not repeat a plugin call that was pending when the run was cancelled", () =>
    Effect.gen(function* () {
      const { automation, contact, organization, rerun } = yield* Effect.flatMap(given, (world) =>
        Effect.map(givenContact(world.organization), (contact) => ({ ...world, contact }))
      )
      const asked = { ...action(0, "tag", "skipped"), effect: { kind: "plugin_call" as const, id: "call" } }
      yield* givenAutomationRun(organization, automation.id, {
        state: "cancelled",
        automationVersion: automation.version,
        contactId: contact.id,
        actions: [asked, action(1, "tag", "skipped")]
      })
      yield* rerun({ filter: { state: "cancelled" } })
      yield* work
      const repeated = (yield* runsOf(organization, automation)).find(({ rerunOf }) => rerunOf !== null)
      assert.deepStrictEqual(
        repeated?.actions.map(({ state }) => state),
        ["skipped", "pending"]
      )
    })
  )

  it.effect("skips runs of deleted and blocked contacts, with the reason", () =>
    Effect.gen(function* () {
      const { automation, failedRun, organization, rerun } = yield* given
      const [one, other] = [yield* failedRun, yield* failedRun]
      yield* deleteContact({ id: one.contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* updateContact({ id: other.contact.id, blocked: true, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* rerun()
      yield* work
      assert.lengthOf(yield* runsOf(organization, automation), 2)
      assert.deepInclude(yield* lastJob(organization), {
        progress: { done: 2, total: 2 },
        counts: { ...none, started: 0, contactGone: 1, contactBlocked: 1 }
      })
    })
  )

  it.effect("works through more runs than one step, and leaves runs that fail after the call", () =>
    Effect.gen(function* () {
      const { automation, organization, rerun } = yield* given
      const { id: contactId } = yield* givenContact(organization)
      const fields = { state: "failed", contactId } as const
      yield* Effect.repeat(givenAutomationRun(organization, automation.id, fields), { times: 101 })
      yield* rerun()
      yield* TestClock.adjust("1 minute")
      yield* givenAutomationRun(organization, automation.id, fields)
      yield* work
      assert.deepInclude(yield* lastJob(organization), {
        progress: { done: 102, total: 102 },
        counts: { started: 102, ...none }
      })
    })
  )

  it.effect("refuses a disabled automation, and fails if the automation is disabled after the call", () =>
    Effect.gen(function* () {
      const { automation, failedRun, organization, rerun } = yield* given
      yield* failedRun
      yield* rerun()
      yield* disableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      assert.strictEqual((yield* Effect.flip(rerun()))._tag, "AutomationNotEnabled")
      yield* work
      assert.deepInclude(yield* lastJob(organization), {
        state: "failed",
        error: "The automation is no longer enabled."
      })
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )

  it.effect("counts no run and starts none if the filter matches none", () =>
    Effect.gen(function* () {
      const { organization, rerun } = yield* given
      assert.strictEqual(countOf(yield* rerun({ filter: {}, preview: true })), 0)
      yield* rerun()
      yield* work
      assert.deepInclude(yield* lastJob(organization), { state: "succeeded", counts: { started: 0, ...none } })
    })
  )
})
