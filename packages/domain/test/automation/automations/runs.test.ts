import { assert, layer } from "@effect/vitest"
import { type Organization, setOrganizationPlan } from "@parley/domain/platform"
import { type Contact, createTag, deleteContact, getContact, tagContact, type TagId } from "@parley/domain/crm"
import {
  createSchedule,
  disableAutomation,
  enableAutomation,
  getAutomation,
  updateAutomation,
  updateAutomationSettings,
  type WeekInput
} from "@parley/domain/automation"
import { listNotes } from "@parley/domain/messaging"
import { listEvents } from "@parley/domain/composition"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenConversation,
  givenOrganization,
  givenReceived,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

const started = givenOrganization({ plan: "scale" })

const givenTag = (organization: Organization, name: string) =>
  Effect.map(createTag({ name }).pipe(asOwnerOf(organization)), ({ id }) => id)

const tag = (organization: Organization, { id }: Pick<Contact, "id">, ...tagIds: ReadonlyArray<TagId>) =>
  tagContact({ id, tags: tagIds }).pipe(asOwnerOf(organization))

const tagsOf = (organization: Organization, { id }: Pick<Contact, "id">) =>
  Effect.map(getContact({ id }).pipe(asOwnerOf(organization)), ({ tags }) => [...tags])

const onTag = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })

const addsTag = (tagId: TagId) => ({ type: "tag" as const, tagIds: [tagId] })

layer(TestKit.layer)("runs of automations", (it) => {
  it.effect("begin for each message that the contact has written, but not for notices and changes of messages", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const then = [addsTag(yield* givenTag(organization, "wrote"))]
      const automation = yield* enabled(organization, { when: { event: "message.received" }, then })
      const conversation = yield* givenConversation(organization)
      for (const kind of ["system", "edit", "revocation"] as const) {
        yield* givenReceived(organization, conversation, { kind })
      }
      yield* settle(organization, 3)
      assert.isEmpty(yield* runsOf(organization, automation))
      yield* givenReceived(organization, conversation)
      yield* settle(organization, 3)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )

  it.effect("begin once for each event, act in the name of the automation, and say what came of it", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [first, second] = [yield* givenTag(organization, "first"), yield* givenTag(organization, "second")]
      const automation = yield* enabled(organization, { when: onTag(first), then: [addsTag(second)] })
      const contact = yield* givenContact(organization)
      yield* tag(organization, contact, first)
      yield* settle(organization, 3)
      assert.sameMembers(yield* tagsOf(organization, contact), [first, second])
      const [run, ...others] = yield* runsOf(organization, automation)
      assert.lengthOf(others, 0)
      assert.deepStrictEqual(
        [run?.state, run?.event.type, run?.contactId, run?.conditions, run?.causation],
        ["succeeded", "contact.tagged", contact.id, { held: true }, null]
      )
      assert.deepStrictEqual(
        run?.actions.map(({ attempts, effect, state }) => ({ attempts, effect, state })),
        [{ attempts: 1, effect: { kind: "contact", id: contact.id }, state: "done" }]
      )
      const { data } = yield* listEvents({ types: ["contact.tagged"], page: { limit: 10, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      const caused = data.at(-1)?.event
      assert.deepStrictEqual(caused?.actor, { kind: "automation", id: automation.id })
      assert.deepStrictEqual(caused?.causation, {
        depth: 1,
        root: run?.event.position ?? 0,
        via: [{ kind: "automation", id: automation.id }]
      })
    })
  )

  it.effect("come in the order of the automations, each with what the former ones did", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const tags = yield* Effect.forEach(["a", "b", "c"], (name) => givenTag(organization, name))
      const [a, b, c] = tags as [TagId, TagId, TagId]
      const sees = yield* enabled(organization, {
        when: onTag(a),
        if: { field: "tag", op: "any_of", value: [b] },
        then: [addsTag(c)]
      })
      yield* enabled(organization, { when: onTag(a), then: [addsTag(b)] })
      const contact = yield* givenContact(organization)
      yield* tag(organization, contact, a)
      yield* settle(organization)
      const [skipped] = yield* runsOf(organization, sees)
      assert.deepStrictEqual([skipped?.state, skipped?.actions[0]?.state], ["skipped", "skipped"])
      yield* updateAutomation({ id: sees.id, position: 2, ifVersion: null }).pipe(asOwnerOf(organization))
      const other = yield* givenContact(organization)
      yield* tag(organization, other, a)
      yield* settle(organization)
      assert.sameMembers(yield* tagsOf(organization, other), [a, b, c])
    })
  )

  it.effect("are aborted when an automation would start itself again, and name the chain", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [ping, pong] = [yield* givenTag(organization, "ping"), yield* givenTag(organization, "pong")]
      const untags = (tagId: TagId) => ({ type: "untag" as const, tagIds: [tagId] })
      const one = yield* enabled(organization, { when: onTag(ping), then: [untags(ping), addsTag(pong)] })
      const other = yield* enabled(organization, { when: onTag(pong), then: [untags(pong), addsTag(ping)] })
      yield* tag(organization, yield* givenContact(organization), ping)
      yield* settle(organization, 6)
      const runs = yield* runsOf(organization, one)
      assert.deepStrictEqual(runs.map(({ reason, state }) => [state, reason]).toSorted(), [
        ["aborted", "cycle"],
        ["succeeded", null]
      ])
      assert.deepStrictEqual(runs.find(({ state }) => state === "aborted")?.causation?.via, [
        { kind: "automation", id: one.id },
        { kind: "automation", id: other.id }
      ])
      assert.lengthOf(yield* runsOf(organization, other), 1)
    })
  )

  it.effect("know each schedule that their conditions or texts name, however many there are", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [begin, open] = [yield* givenTag(organization, "begin"), yield* givenTag(organization, "open")]
      const schedule = (name: string) => createSchedule({ name, weekly: {} }).pipe(asOwnerOf(organization))
      const { id: key } = yield* schedule("first")
      for (let count = 0; count < 101; count += 1) yield* schedule(`later ${count}`)
      const looks = yield* enabled(organization, {
        when: onTag(begin),
        if: { field: "schedule", key, op: "is", value: "closed" },
        then: [addsTag(open)]
      })
      const says = yield* enabled(organization, {
        when: onTag(begin),
        then: [{ type: "add_note", text: `{{ schedule["${key}"] }}` }]
      })
      const { contactId } = yield* givenConversation(organization)
      yield* tag(organization, { id: contactId }, begin)
      yield* settle(organization)
      assert.strictEqual((yield* runsOf(organization, looks))[0]?.state, "succeeded")
      assert.strictEqual((yield* runsOf(organization, says))[0]?.state, "succeeded")
    })
  )

  it.effect("write the next opening of a schedule into texts, or a default if it never opens", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const begin = yield* givenTag(organization, "begin")
      const schedule = (name: string, weekly: WeekInput) =>
        createSchedule({ name, timezone: "UTC", weekly }).pipe(asOwnerOf(organization))
      const shop = yield* schedule("Shop", { mon: [["09:00", "18:00"]] })
      const closed = yield* schedule("Closed", {})
      const text = [shop, closed].map(({ id }) => `{{ schedule["${id}"].nextOpenAt | default: "never" }}`).join(" ")
      yield* enabled(organization, { when: onTag(begin), then: [{ type: "add_note", text }] })
      const conversation = yield* givenConversation(organization)
      yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe("2040-11-24T12:00:00Z")))
      yield* tag(organization, { id: conversation.contactId }, begin)
      yield* settle(organization)
      const { data } = yield* listNotes({ id: conversation.id, page: { limit: 10, cursor: null } }).pipe(
        asOwnerOf(organization)
      )
      assert.deepStrictEqual(
        data.map((note) => note.text),
        ["2040-11-26T09:00:00.000Z never"]
      )
    })
  )

  it.effect("are ten in an hour for a contact at most", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [again, done] = [yield* givenTag(organization, "again"), yield* givenTag(organization, "done")]
      const automation = yield* enabled(organization, {
        when: onTag(again),
        then: [{ type: "untag", tagIds: [again] }, addsTag(done)]
      })
      const contact = yield* givenContact(organization)
      for (let count = 0; count < 11; count += 1) {
        yield* tag(organization, contact, again)
        yield* settle(organization)
      }
      const states = (yield* runsOf(organization, automation)).map(({ reason, state }) => reason ?? state)
      assert.strictEqual(states.filter((state) => state === "succeeded").length, 10)
      assert.strictEqual(states.filter((state) => state === "rate").length, 1)
    })
  )

  it.effect("that fail twenty times in a row disable their automation", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const tagId = yield* givenTag(organization, "x")
      const automation = yield* enabled(organization, {
        when: onTag(tagId),
        then: [{ type: "set_priority", priority: "high" }]
      })
      for (let count = 0; count < 20; count += 1) {
        assert.isTrue((yield* getAutomation({ id: automation.id }).pipe(asOwnerOf(organization))).enabled)
        yield* tag(organization, yield* givenContact(organization), tagId)
        yield* settle(organization, 2)
      }
      const [run] = yield* runsOf(organization, automation)
      assert.deepStrictEqual([run?.state, run?.actions[0]?.error?.code], ["failed", "no_conversation"])
      const after = yield* getAutomation({ id: automation.id }).pipe(asOwnerOf(organization))
      assert.deepStrictEqual([after.enabled, after.disabledReason], [false, "failing"])
    })
  )

  it.effect("do nothing while all are paused or the plan is without them, and go on where they were", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [first, second] = [yield* givenTag(organization, "first"), yield* givenTag(organization, "second")]
      const automation = yield* enabled(organization, { when: onTag(first), then: [addsTag(second)] })
      const pause = (paused: boolean) =>
        updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* pause(true)
      const missed = yield* givenContact(organization)
      yield* tag(organization, missed, first)
      yield* settle(organization)
      yield* pause(false)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      const contact = yield* givenContact(organization)
      yield* tag(organization, contact, first)
      yield* setOrganizationPlan({ plan: "free" }).pipe(asOperatorOf(organization))
      yield* settle(organization)
      yield* setOrganizationPlan({ plan: "scale" }).pipe(asOperatorOf(organization))
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      assert.deepStrictEqual(yield* tagsOf(organization, contact), [first])
    })
  )

  it.effect("are not started by events from before the automation was enabled, also if read late", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const tagId = yield* givenTag(organization, "x")
      yield* tag(organization, yield* givenContact(organization), tagId)
      const automation = yield* enabled(organization, { when: onTag(tagId), then: [addsTag(tagId)] })
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* tag(organization, yield* givenContact(organization), tagId)
      yield* disableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* enableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* tag(organization, yield* givenContact(organization), tagId)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )

  it.effect("are not started by events from a pause of all automations, also if read late", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const tagId = yield* givenTag(organization, "x")
      const automation = yield* enabled(organization, { when: onTag(tagId), then: [addsTag(tagId)] })
      const pause = (paused: boolean) =>
        updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* pause(true)
      yield* tag(organization, yield* givenContact(organization), tagId)
      yield* pause(false)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* tag(organization, yield* givenContact(organization), tagId)
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )

  it.effect("are not started by what happened more than a day ago", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const tagId = yield* givenTag(organization, "x")
      const automation = yield* enabled(organization, { when: onTag(tagId), then: [addsTag(tagId)] })
      yield* tag(organization, yield* givenContact(organization), tagId)
      yield* TestClock.adjust("25 hours")
      yield* settle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
    })
  )

  it.effect("stay without their contact once it is gone", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [first, second] = [yield* givenTag(organization, "first"), yield* givenTag(organization, "second")]
      const automation = yield* enabled(organization, {
        when: onTag(first),
        if: { field: "tag", op: "any_of", value: [first] },
        then: [addsTag(second)]
      })
      const contact = yield* givenContact(organization)
      yield* tag(organization, contact, first)
      yield* settle(organization)
      yield* deleteContact({ id: contact.id, ifVersion: null }).pipe(asOwnerOf(organization))
      const [run] = yield* runsOf(organization, automation)
      assert.deepStrictEqual([run?.state, run?.contactId, run?.conditions], ["succeeded", null, null])
    })
  )

  it.effect("begin on what other automations do to a conversation", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const [first, second] = [yield* givenTag(organization, "first"), yield* givenTag(organization, "second")]
      yield* enabled(organization, { when: onTag(first), then: [{ type: "set_status", status: "resolved" }] })
      const chained = yield* enabled(organization, {
        when: { event: "conversation.resolved" },
        then: [addsTag(second)]
      })
      const contact = yield* givenContact(organization)
      yield* givenConversation(organization, { contactId: contact.id })
      yield* tag(organization, contact, first)
      yield* settle(organization, 2)
      const [run] = yield* runsOf(organization, chained)
      assert.deepStrictEqual([run?.state, run?.causation?.depth], ["succeeded", 1])
      assert.includeMembers([...(yield* tagsOf(organization, contact))], [first, second])
    })
  )
})
