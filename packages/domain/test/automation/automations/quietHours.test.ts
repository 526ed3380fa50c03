import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { EventLog, type Organization, updateOrganization } from "@parley/domain/platform"
import { type Contact, Contacts, createTag, tagContact, type TagId, updateContact } from "@parley/domain/crm"
import { StoredBroadcastSettings, updateBroadcastSettings } from "@parley/domain/campaigns"
import {
  AutomationRunId,
  AutomationRuns,
  cancelAutomationRun,
  deleteAutomation,
  getAutomation,
  getAutomationRun
} from "@parley/domain/automation"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenNumber,
  givenOrganization,
  givenTemplate,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

/** Ten o'clock in Berlin, where the contact is. */
const morning = DateTime.makeUnsafe("2026-03-02T09:00:00Z")

const quietEnd = "2026-03-02T10:30:00.000Z"

const settings = (organization: Organization, input: object) =>
  Effect.gen(function* () {
    const stored = yield* StoredBroadcastSettings
    yield* transact(stored.save({ ...(yield* stored.get()), ...input }, null))
  }).pipe(asOperatorOf(organization), Effect.orDie)

/** An automation that sends marketing to tagged contacts before eleven thirty, and one for tags only. */
const started = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(morning))
  const organization = yield* givenOrganization({ plan: "scale" })
  const template = yield* givenTemplate(organization, (yield* givenNumber(organization)).id, { category: "marketing" })
  const tagged = (name: string) => Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), ({ id }) => id)
  const [first, other, done] = [yield* tagged("first"), yield* tagged("other"), yield* tagged("done")]
  const on = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })
  const marketing = yield* enabled(organization, {
    when: on(first),
    then: [
      { type: "send_template", template: { id: template.id, values: { "body.1": "Ada" } } },
      { type: "tag", tagIds: [done] }
    ]
  })
  const tagging = yield* enabled(organization, { when: on(other), then: [{ type: "tag", tagIds: [done] }] })
  yield* settings(organization, { quietHours: { from: "08:00", to: "11:30" } })
  const contact = yield* givenContact(organization, {
    phone: `+4915112${String(Number.parseInt(template.id.slice(-5), 16)).padStart(7, "0")}`,
    timezone: "Europe/Berlin",
    marketing: { state: "subscribed" }
  })
  return { organization, contact, marketing, tagging, first, other }
})

const tag = (organization: Organization, { id }: Contact, tagId: TagId) =>
  tagContact({ id, tags: [tagId] }).pipe(asOwnerOf(organization))

type Started = Effect.Success<typeof started>

/** State of a run, and of each action: its state, error, end of the wait and number of attempts. */
interface Seen {
  readonly state: string | undefined
  readonly actions: ReadonlyArray<ReadonlyArray<string | number | null>> | undefined
}

const stateOf = ({ marketing, organization }: Pick<Started, "marketing" | "organization">) =>
  Effect.map(runsOf(organization, marketing), ([run]): Seen => ({
    state: run?.state,
    actions: run?.actions.map(({ attempts, error, state, until }) => [
      state,
      error?.code ?? null,
      until === null ? null : DateTime.formatIso(until),
      attempts
    ])
  }))

const until = (time: string) => TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(time)))

layer(TestKit.layer)("an action that waits for the end of quiet hours", (it) => {
  it.effect("is skipped by a cancellation of its run, which then never continues", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, marketing, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const [run] = yield* runsOf(organization, marketing)
      const runId = run?.id ?? AutomationRunId.make("01934b77-3c52-7e88-9fa2-718293a4b5c6")
      const cancel = cancelAutomationRun({ id: marketing.id, runId }).pipe(asOwnerOf(organization))
      assert.deepInclude(yield* cancel, { state: "cancelled", reason: null })
      assert.strictEqual((yield* Effect.flip(cancel))._tag, "RunEnded")
      yield* until(quietEnd)
      yield* settle(organization)
      const skipped = [
        ["skipped", null, null, 1],
        ["skipped", null, null, 0]
      ]
      assert.deepStrictEqual(yield* stateOf(world), { state: "cancelled", actions: skipped })
      const unknown = { id: marketing.id, runId: AutomationRunId.make("01934b77-3c52-7e88-9fa2-718293a4b5c6") }
      assert.strictEqual(
        (yield* Effect.flip(cancelAutomationRun(unknown).pipe(asOwnerOf(organization))))._tag,
        "NotFound"
      )
    })
  )

  it.effect("holds back what comes after it in its run, and none of the contact's later events", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization, other, tagging } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const waiting = {
        state: "running",
        actions: [
          ["waiting", null, quietEnd, 1],
          ["pending", null, null, 0]
        ]
      }
      assert.deepStrictEqual(yield* stateOf(world), waiting)
      yield* tag(organization, contact, other)
      yield* settle(organization)
      assert.deepStrictEqual(
        (yield* runsOf(organization, tagging)).map(({ state }) => state),
        ["succeeded"]
      )
      assert.deepStrictEqual(yield* stateOf(world), waiting)
      yield* until("2026-03-02T10:29:59.999Z")
      yield* settle(organization)
      assert.deepStrictEqual(yield* stateOf(world), waiting)
      yield* until(quietEnd)
      yield* settle(organization)
      assert.deepStrictEqual(yield* stateOf(world), {
        state: "succeeded",
        actions: [
          ["done", null, null, 2],
          ["done", null, null, 1]
        ]
      })
    })
  )

  it.effect("reads consent again", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const unsubscribe = updateContact({ id: contact.id, marketing: { state: "unsubscribed" }, ifVersion: null })
      yield* unsubscribe.pipe(asOperatorOf(organization))
      yield* until(quietEnd)
      yield* settle(organization)
      const { actions, state } = yield* stateOf(world)
      assert.deepStrictEqual([state, actions?.[0]], ["failed", ["failed", "not_subscribed", null, 2]])
    })
  )

  it.effect("counts caps again", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const wrote = (at: DateTime.Utc | null) =>
        Effect.gen(function* () {
          const contacts = yield* Contacts
          const [before] = yield* contacts.lock([contact.id])
          if (before !== undefined) yield* contacts.saveAll([{ ...before, lastInboundAt: at }])
        }).pipe(transact, asOperatorOf(organization), Effect.orDie)
      // Another automation writes first: the contact has written just now.
      yield* wrote(morning)
      const again = yield* enabled(organization, {
        when: { event: "contact.tagged", tagIds: [world.other] },
        then: world.marketing.then.slice(0, 1)
      })
      yield* tag(organization, contact, world.other)
      yield* settle(organization)
      assert.strictEqual((yield* runsOf(organization, again))[0]?.state, "succeeded")
      yield* settings(organization, { frequencyCaps: [{ category: "marketing", max: 1, days: 2 }] })
      yield* until(quietEnd)
      yield* settle(organization)
      const { actions, state } = yield* stateOf(world)
      assert.deepStrictEqual([state, actions?.[0]], ["failed", ["failed", "frequency_cap", null, 2]])
    })
  )

  it.effect("is evaluated again when quiet hours are lifted, shortened or lengthened", () =>
    Effect.gen(function* () {
      const cases = [
        { quietHours: null, expected: ["succeeded", ["done", null, null, 2]] },
        {
          quietHours: { from: "08:00", to: "10:15" },
          expected: ["running", ["waiting", null, "2026-03-02T09:15:00.000Z", 1]]
        },
        {
          quietHours: { from: "08:00", to: "13:00" },
          expected: ["running", ["waiting", null, "2026-03-02T12:00:00.000Z", 1]]
        }
      ] as const
      for (const { expected, quietHours } of cases) {
        const world = yield* started
        const { contact, first, organization } = world
        yield* tag(organization, contact, first)
        yield* settle(organization)
        yield* updateBroadcastSettings({ quietHours, ifVersion: null }).pipe(asOwnerOf(organization))
        yield* settle(organization)
        const { actions, state } = yield* stateOf(world)
        assert.deepStrictEqual([state, actions?.[0]], [...expected])
      }
    })
  )

  it.effect("waits again at the old end when quiet hours are longer now", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      // Without a use case no event exists, so the run wakes at the old end.
      yield* settings(organization, { quietHours: { from: "08:00", to: "13:00" } })
      yield* until(quietEnd)
      yield* settle(organization)
      const { actions, state } = yield* stateOf(world)
      assert.deepStrictEqual([state, actions?.[0]], ["running", ["waiting", null, "2026-03-02T12:00:00.000Z", 1]])
    })
  )

  it.effect("is evaluated again when the zone of the contact or the organization changes", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const move = updateContact({ id: contact.id, timezone: "Asia/Tokyo", ifVersion: null })
      yield* move.pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.strictEqual((yield* stateOf(world)).state, "succeeded")

      // A contact without a zone or number has the zone of the organization.
      const other = yield* started
      const nowhere = yield* givenContact(other.organization, { marketing: { state: "subscribed" } })
      yield* updateOrganization({ timezone: "Europe/Berlin", ifVersion: null }).pipe(asOwnerOf(other.organization))
      yield* updateContact({ id: nowhere.id, phone: null, email: "ada@example.com", ifVersion: null }).pipe(
        asOwnerOf(other.organization)
      )
      yield* tag(other.organization, nowhere, other.first)
      yield* settle(other.organization)
      const [before] = yield* runsOf(other.organization, other.marketing)
      assert.deepStrictEqual([before?.state, before?.reason], ["running", "quiet_hours"])
      yield* updateOrganization({ timezone: "Asia/Tokyo", ifVersion: null }).pipe(asOwnerOf(other.organization))
      yield* settle(other.organization)
      const [after] = yield* runsOf(other.organization, other.marketing)
      assert.notStrictEqual(after?.state, "running")
      assert.isNull(after?.reason)
    })
  )

  it.effect("fails immediately when the contact opts out, and the run continues", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const unsubscribe = updateContact({ id: contact.id, marketing: { state: "unsubscribed" }, ifVersion: null })
      yield* unsubscribe.pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.deepStrictEqual(yield* stateOf(world), {
        state: "failed",
        actions: [
          ["failed", "not_subscribed", null, 2],
          ["done", null, null, 1]
        ]
      })
    })
  )

  it.effect("is not evaluated again when another field of the contact changes", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      const revision = Effect.gen(function* () {
        const [run] = yield* runsOf(organization, world.marketing)
        const kept = run === undefined ? null : yield* (yield* AutomationRuns).find(run.id)
        return kept?.revision
      }).pipe(asOwnerOf(organization))
      const before = yield* revision
      yield* updateContact({ id: contact.id, name: "Ada", ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.strictEqual(yield* revision, before)
    })
  )

  it.effect("ends when its automation is deleted, and the event contains the number of runs", () =>
    Effect.gen(function* () {
      const world = yield* started
      const { contact, first, marketing, organization } = world
      yield* tag(organization, contact, first)
      yield* settle(organization)
      yield* Effect.gen(function* () {
        const [run] = yield* runsOf(organization, marketing)
        yield* deleteAutomation({ id: marketing.id, ifVersion: null })
        assert.strictEqual((yield* Effect.flip(getAutomation({ id: marketing.id })))._tag, "NotFound")
        const [after] = yield* runsOf(organization, marketing)
        assert.deepStrictEqual([after?.id, after?.state, after?.reason], [run?.id, "aborted", "automation_disabled"])
        const one = yield* getAutomationRun({ id: marketing.id, runId: run?.id ?? AutomationRunId.make(contact.id) })
        assert.deepStrictEqual(
          one.actions.map(({ state }) => state),
          ["skipped", "skipped"]
        )
        const head = yield* (yield* EventLog).head()
        const [last] = yield* (yield* EventLog).at([head])
        assert.deepStrictEqual(last?.event, {
          type: "automation.deleted",
          automationId: marketing.id,
          cancelledRuns: 1
        })
      }).pipe(asOwnerOf(organization))
      // The run stays ended, and another organization cannot read it.
      yield* until(quietEnd)
      yield* settle(organization)
      const [still] = yield* runsOf(organization, marketing)
      assert.strictEqual(still?.state, "aborted")
      const elsewhere = yield* givenOrganization({ plan: "scale" })
      assert.strictEqual((yield* Effect.flip(runsOf(elsewhere, marketing)))._tag, "NotFound")
    })
  )
})
