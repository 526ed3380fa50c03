import { assert, layer } from "@effect/vitest"
import { createTag, type Organization, type TagId } from "@parley/domain"
import { asOwnerOf, givenConversation, givenOrganization, givenReceived, TestKit } from "@parley/testkit"
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
  it.effect("strike once a conversation is idle for so long, once for each message", () =>
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
})
