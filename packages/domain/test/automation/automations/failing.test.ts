import { assert, layer } from "@effect/vitest"
import { type Organization, sendDueEmails } from "@parley/domain/platform"
import { createTag, tagContact, type TagId } from "@parley/domain/crm"
import { disableAutomation, enableAutomation, getAutomation } from "@parley/domain/automation"
import { listEvents } from "@parley/domain/composition"
import {
  asOperatorOf,
  asOwnerOf,
  givenContact,
  givenConversation,
  givenMember,
  givenOrganization,
  SentMails,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { enabled, runsOf, settle } from "./engine.ts"

const onTag = (tagId: TagId) => ({ event: "contact.tagged" as const, tagIds: [tagId] })

const started = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const { id: tagId } = yield* createTag({ name: "x" }).pipe(asOwnerOf(organization))
  return { organization, tagId }
})

const failingOn = (organization: Organization, tagId: TagId) =>
  enabled(organization, { when: onTag(tagId), then: [{ type: "set_priority", priority: "high" }] })

/** This number of failing runs. */
const tagging = Effect.fnUntraced(function* (organization: Organization, tagId: TagId, count: number) {
  // The time decides which of them is the last.
  yield* TestClock.adjust("1 second")
  for (let done = 0; done < count; done += 1) {
    yield* tagContact({ id: (yield* givenContact(organization)).id, tags: [tagId] }).pipe(asOwnerOf(organization))
  }
  yield* settle(organization, 2)
})

layer(TestKit.layer)("automations whose runs fail", (it) => {
  it.effect("are disabled after twenty in a row, with a mail to each owner and admin, and an event", () =>
    Effect.gen(function* () {
      const { organization, tagId } = yield* started
      const admin = yield* givenMember(organization, "admin")
      const agent = yield* givenMember(organization, "agent")
      const automation = yield* failingOn(organization, tagId)
      const now = getAutomation({ id: automation.id }).pipe(asOwnerOf(organization))
      yield* tagging(organization, tagId, 19)
      assert.isTrue((yield* now).enabled)
      yield* tagging(organization, tagId, 1)
      const after = yield* now
      assert.deepStrictEqual([after.enabled, after.disabledReason], [false, "failing"])
      yield* sendDueEmails
      const mails = yield* SentMails
      const [letter, ...others] = yield* mails.to(admin.user.email)
      assert.lengthOf(others, 0)
      assert.include(letter?.subject, "Routine is disabled")
      assert.include(letter?.text, "/docs/guides/automations")
      assert.lengthOf(yield* mails.to(agent.user.email), 0)
      const { data } = yield* listEvents({ types: ["automation.disabled"], page: { limit: 10, cursor: null } }).pipe(
        asOperatorOf(organization)
      )
      assert.deepStrictEqual(
        data.map(({ event }) => event.actor.kind),
        ["system"]
      )
      // Queued runs are aborted, and no more start.
      yield* tagging(organization, tagId, 1)
      assert.lengthOf(yield* runsOf(organization, automation), 20)
    })
  )

  it.effect("stay enabled after a success in between, and reset the count when enabled again", () =>
    Effect.gen(function* () {
      const { organization, tagId } = yield* started
      const automation = yield* failingOn(organization, tagId)
      const now = getAutomation({ id: automation.id }).pipe(asOwnerOf(organization))
      yield* tagging(organization, tagId, 19)
      yield* TestClock.adjust("1 second")
      const { contactId } = yield* givenConversation(organization)
      yield* tagContact({ id: contactId, tags: [tagId] }).pipe(asOwnerOf(organization))
      yield* settle(organization)
      yield* tagging(organization, tagId, 19)
      assert.isTrue((yield* now).enabled)
      yield* disableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* enableAutomation({ id: automation.id, ifVersion: null }).pipe(asOwnerOf(organization))
      yield* tagging(organization, tagId, 19)
      assert.isTrue((yield* now).enabled)
      yield* tagging(organization, tagId, 1)
      assert.isFalse((yield* now).enabled)
    })
  )

  it.effect("do nothing more where they are to stop", () =>
    Effect.gen(function* () {
      const { organization, tagId } = yield* started
      const { id: done } = yield* createTag({ name: "done" }).pipe(asOwnerOf(organization))
      const then = (onError: "continue" | "stop") => [
        { type: "set_priority" as const, priority: "high" as const, onError },
        { type: "tag" as const, tagIds: [done] }
      ]
      const stops = yield* enabled(organization, { when: onTag(tagId), then: then("stop") })
      const goesOn = yield* enabled(organization, { when: onTag(tagId), then: then("continue") })
      yield* tagging(organization, tagId, 1)
      const outcome = (automation: typeof stops) =>
        Effect.map(runsOf(organization, automation), ([run]) => [
          run?.state,
          ...(run?.actions.map(({ attempts, effect, state }) => [state, attempts, effect?.kind ?? null]) ?? [])
        ])
      assert.deepStrictEqual(yield* outcome(stops), ["failed", ["failed", 1, null], ["skipped", 0, null]])
      assert.deepStrictEqual(yield* outcome(goesOn), ["failed", ["failed", 1, null], ["done", 1, "contact"]])
    })
  )
})
