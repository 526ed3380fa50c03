import { assert, layer } from "@effect/vitest"
import { updateOrganization } from "@parley/domain/platform"
import { updateContact } from "@parley/domain/crm"
import { updateBroadcastSettings } from "@parley/domain/campaigns"
import { startWorkflowRun, type WorkflowNode } from "@parley/domain/automation"
import {
  asOwnerOf,
  givenContact,
  givenNumber,
  givenOrganization,
  givenTag,
  givenTemplate,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { end, explained, id, published, settle } from "./engine.ts"

/** 10:00 in Berlin, the contact's zone. */
const morning = DateTime.makeUnsafe("2026-03-02T09:00:00Z")

const quietEnd = DateTime.makeUnsafe("2026-03-02T10:30:00Z")

/** Visible part of a run. */
interface Seen {
  readonly state: string
  readonly reason: string | null
  readonly wakeAt: DateTime.Utc | null
  readonly steps: ReadonlyArray<ReadonlyArray<string>>
}

/** A run that sends marketing during quiet hours, and tags the contact on failure. */
const started = Effect.gen(function* () {
  yield* TestClock.setTime(DateTime.toEpochMillis(morning))
  const organization = yield* givenOrganization({ plan: "scale" })
  const template = yield* givenTemplate(organization, (yield* givenNumber(organization)).id, { category: "marketing" })
  const tag = yield* givenTag(organization)
  const values = { "body.1": "Ada" }
  const workflow = yield* published(organization, {
    entry: { event: null, next: id("send") },
    nodes: [
      {
        id: id("send"),
        kind: "action",
        action: { type: "send_template", template: { id: template.id, values } },
        onError: { to: id("lost") },
        next: end.id
      },
      { id: id("lost"), kind: "action", action: { type: "tag", tagIds: [tag.id] }, next: end.id },
      end
    ] satisfies ReadonlyArray<WorkflowNode>
  })
  const contact = yield* givenContact(organization, {
    phone: `+4915112${String(Number.parseInt(template.id.slice(-5), 16)).padStart(7, "0")}`,
    timezone: "Europe/Berlin",
    marketing: { state: "subscribed" }
  })
  yield* updateBroadcastSettings({ quietHours: { from: "08:00", to: "11:30" }, ifVersion: null }).pipe(
    asOwnerOf(organization)
  )
  const run = yield* startWorkflowRun({ id: workflow.id, contactId: contact.id }).pipe(asOwnerOf(organization))
  yield* settle(organization)
  const seen = Effect.map(explained(organization, workflow, run), (each): Seen => ({
    state: each.state,
    reason: each.reason,
    wakeAt: each.wakeAt,
    steps: each.steps.map(({ error, node, state }) => [node, error?.code ?? state])
  }))
  return { organization, contact, seen }
})

const waiting: Seen = { state: "waiting", reason: "quiet_hours", wakeAt: quietEnd, steps: [["send", "waiting"]] }

layer(TestKit.layer)("a workflow run that waits for the end of quiet hours", (it) => {
  it.effect("shows the reason, and sends at the end of quiet hours", () =>
    Effect.gen(function* () {
      const { organization, seen } = yield* started
      assert.deepStrictEqual(yield* seen, waiting)
      yield* TestClock.setTime(DateTime.toEpochMillis(quietEnd))
      yield* settle(organization)
      const { reason, state } = yield* seen
      assert.deepStrictEqual([state, reason], ["completed", null])
    })
  )

  it.effect("continues when quiet hours are lifted or the contact changes zone", () =>
    Effect.gen(function* () {
      const lifted = yield* started
      yield* updateBroadcastSettings({ quietHours: null, ifVersion: null }).pipe(asOwnerOf(lifted.organization))
      const moved = yield* started
      yield* updateContact({ id: moved.contact.id, timezone: "Asia/Tokyo", ifVersion: null }).pipe(
        asOwnerOf(moved.organization)
      )
      for (const { organization, seen } of [lifted, moved]) {
        yield* settle(organization)
        const { reason, state } = yield* seen
        assert.deepStrictEqual([state, reason], ["completed", null])
      }
    })
  )

  it.effect("moves its wake time when quiet hours change", () =>
    Effect.gen(function* () {
      const { contact, organization, seen } = yield* started
      const to = (time: string) =>
        updateBroadcastSettings({ quietHours: { from: "08:00", to: time }, ifVersion: null }).pipe(
          asOwnerOf(organization)
        )
      yield* to("10:15")
      yield* settle(organization)
      assert.deepStrictEqual(yield* seen, { ...waiting, wakeAt: DateTime.makeUnsafe("2026-03-02T09:15:00Z") })
      yield* to("13:00")
      yield* settle(organization)
      assert.deepStrictEqual(yield* seen, { ...waiting, wakeAt: DateTime.makeUnsafe("2026-03-02T12:00:00Z") })
      yield* updateOrganization({ timezone: "Asia/Tokyo", ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.strictEqual((yield* seen).state, "waiting", "the contact has a zone of its own")
      assert.isNotNull(contact.timezone)
    })
  )

  it.effect("fails immediately when the contact opts out, and follows onError", () =>
    Effect.gen(function* () {
      const { contact, organization, seen } = yield* started
      const unsubscribe = updateContact({ id: contact.id, marketing: { state: "unsubscribed" }, ifVersion: null })
      yield* unsubscribe.pipe(asOwnerOf(organization))
      yield* settle(organization)
      const { state, steps } = yield* seen
      assert.deepStrictEqual(
        [state, steps.slice(0, 2)],
        [
          "completed",
          [
            ["send", "not_subscribed"],
            ["lost", "done"]
          ]
        ]
      )
    })
  )
})
