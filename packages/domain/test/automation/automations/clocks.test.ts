import { assert, layer } from "@effect/vitest"
import type { Organization } from "@parley/domain/platform"
import { createTag, type TagId } from "@parley/domain/crm"
import { performRuns, fireTimers, updateAutomation, updateAutomationSettings } from "@parley/domain/automation"
import { asOwnerOf, givenConversation, givenMessage, givenOrganization, givenReceived, TestKit } from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, strikeAndSettle } from "./engine.ts"

const givenTag = (organization: Organization) =>
  Effect.map(createTag({ name: "idle" }).pipe(asOwnerOf(organization)), ({ id }) => id)

const onIdle = (tagId: TagId, lastFrom?: "contact" | "team") => ({
  when: { event: "conversation.idle" as const, seconds: 3_600, ...(lastFrom !== undefined && { lastFrom }) },
  then: [{ type: "tag" as const, tagIds: [tagId] }]
})

layer(TestKit.layer)("clocks of automations", (it) => {
  it.effect("fire after the idle time of a conversation, once per message", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const tagId = yield* givenTag(organization)
      const automation = yield* enabled(organization, onIdle(tagId))
      const ofTeam = yield* enabled(organization, onIdle(tagId, "team"))
      const conversation = yield* givenConversation(organization)
      yield* givenReceived(organization, conversation)
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("59 minutes")
      yield* givenReceived(organization, conversation)
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("59 minutes")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* TestClock.adjust("1 minute")
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("3 hours")
      yield* strikeAndSettle(organization)
      const runs = yield* runsOf(organization, automation)
      assert.deepStrictEqual(
        runs.map(({ event, state }) => [event.type, state]),
        [["conversation.idle", "succeeded"]]
      )
      assert.lengthOf(yield* runsOf(organization, ofTeam), 0)
    })
  )

  it.effect("have no effect after an answer of the team during a pause of automations", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const pause = (paused: boolean) =>
        updateAutomationSettings({ paused, ifVersion: null }).pipe(asOwnerOf(organization))
      const tagId = yield* givenTag(organization)
      const waits = yield* enabled(organization, onIdle(tagId, "contact"))
      const either = yield* enabled(organization, onIdle(tagId))
      const conversation = yield* givenConversation(organization)
      yield* givenReceived(organization, conversation)
      yield* strikeAndSettle(organization)
      yield* pause(true)
      yield* TestClock.adjust("5 minutes")
      const author = { kind: "user", id: "somebody" } as const
      yield* givenMessage(organization, conversation, { direction: "outbound", author, status: "sent" })
      yield* strikeAndSettle(organization)
      yield* pause(false)
      yield* TestClock.adjust("55 minutes")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, either), 0)
      yield* TestClock.adjust("5 minutes")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, waits), 0)
      assert.lengthOf(yield* runsOf(organization, either), 1)
    })
  )

  it.effect("fire once per message, also if its event is read later", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const automation = yield* enabled(organization, onIdle(yield* givenTag(organization)))
      const conversation = yield* givenConversation(organization)
      yield* givenReceived(organization, conversation)
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("10 minutes")
      yield* givenReceived(organization, conversation)
      yield* TestClock.adjust("50 minutes")
      yield* fireTimers
      yield* TestClock.adjust("10 minutes")
      yield* Effect.andThen(fireTimers, performRuns)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
      yield* strikeAndSettle(organization)
      yield* TestClock.adjust("2 hours")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )

  it.effect("count as long as the automation says now", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const tagId = yield* givenTag(organization)
      const automation = yield* enabled(organization, onIdle(tagId))
      yield* givenReceived(organization, yield* givenConversation(organization))
      yield* strikeAndSettle(organization)
      const when = { event: "conversation.idle" as const, seconds: 7_200 }
      yield* updateAutomation({ id: automation.id, when, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 0)
      yield* TestClock.adjust("1 hour")
      yield* strikeAndSettle(organization)
      assert.lengthOf(yield* runsOf(organization, automation), 1)
    })
  )
})
