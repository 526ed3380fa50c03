import { assert, layer } from "@effect/vitest"
import {
  type Contact,
  Contacts,
  createTag,
  type Organization,
  StoredBroadcastSettings,
  tagContact,
  type TagId,
  transact,
  updateContact
} from "@parley/domain"
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

const settings = (organization: Organization, said: object) =>
  Effect.gen(function* () {
    const stored = yield* StoredBroadcastSettings
    yield* transact(stored.save({ ...(yield* stored.get()), ...said }, null))
  }).pipe(asOperatorOf(organization), Effect.orDie)

/** An automation that writes marketing to whoever gets a tag, before eleven thirty, and another one that only tags. */
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
  tagContact(id, [tagId]).pipe(asOwnerOf(organization))

type Started = Effect.Success<typeof started>

/** What is seen of a run: its state, and of each action its state, its error, until when it waits and how often it was tried. */
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
      const unsubscribe = updateContact(contact.id, { marketing: { state: "unsubscribed" } }, null)
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
})
