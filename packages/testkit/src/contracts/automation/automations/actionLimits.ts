import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Contacts, updateContact } from "@parley/domain/crm"
import { type Action, WorkflowId } from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { asOperatorOf } from "../../../fixtures/actors.ts"
import { givenMessage } from "../../../fixtures/inbox.ts"
import { givenTemplate } from "../../../fixtures/templates.ts"
import type { Contract } from "../../contract.ts"
import { freshId } from "../../given.ts"
import { morning, given, talking, perform, codeOf, settings, text } from "./actionWorld.ts"

/** Limits of messages to a contact. */
export const actionLimitsPromises: Contract<Ports>["promises"] = (it) => {
  it.effect("sends ten messages an hour and thirty a day to a contact, over all senders", () =>
    Effect.gen(function* () {
      const world = yield* talking(yield* given)
      const { conversation, organization } = world
      const before = (minutes: number) =>
        givenMessage(organization, conversation, {
          direction: "outbound",
          author: { kind: "automation", id: freshId(WorkflowId) },
          status: "sent",
          at: DateTime.subtract(morning, { minutes })
        })
      for (let count = 0; count < 9; count += 1) yield* before(59)
      assert.strictEqual(codeOf(yield* perform(world, text("the tenth"))), "done")
      assert.strictEqual(codeOf(yield* perform(world, text("one too many"))), "message_limit")
      yield* TestClock.adjust("61 minutes")
      assert.strictEqual(codeOf(yield* perform(world, text("an hour later"))), "done")
      for (let count = 0; count < 19; count += 1) yield* before(120)
      assert.strictEqual(codeOf(yield* perform(world, text("the thirty-first"))), "message_limit")
      yield* TestClock.adjust("24 hours")
      assert.strictEqual(codeOf(yield* perform(world, text("a day later"))), "service_window_closed")
    })
  )

  it.effect("sends marketing with consent, within the caps, and after quiet hours", () =>
    Effect.gen(function* () {
      const world = yield* given
      const { account, contact, organization } = world
      const marketing = yield* givenTemplate(organization, account.id, { category: "marketing" })
      const utility = yield* givenTemplate(organization, account.id)
      const sending = (id: typeof marketing.id): Action => ({
        type: "send_template",
        template: { id, values: { "body.1": "Ada" } }
      })
      yield* settings(organization, { quietHours: { from: "08:00", to: "11:30" } })
      const waits = yield* perform(world, sending(marketing.id))
      assert.isTrue(waits.kind === "wait" && DateTime.formatIso(waits.until) === "2026-03-02T10:30:00.000Z")
      assert.strictEqual(codeOf(yield* perform(world, sending(utility.id))), "done")
      yield* settings(organization, {
        quietHours: null,
        frequencyCaps: [{ category: "marketing", max: 1, days: 2 }]
      })
      assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "done")
      assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "frequency_cap")
      yield* TestClock.adjust("49 hours")
      assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "done")
      const unsubscribe = updateContact({ id: contact.id, marketing: { state: "unsubscribed" }, ifVersion: null })
      yield* unsubscribe.pipe(asOperatorOf(organization))
      assert.strictEqual(codeOf(yield* perform(world, sending(marketing.id))), "not_subscribed")
    })
  )

  it.effect("ignores caps and quiet hours for contacts who wrote within the hour", () =>
    Effect.gen(function* () {
      const world = yield* given
      const { account, contact, organization } = world
      const marketing = yield* givenTemplate(organization, account.id, { category: "marketing" })
      yield* settings(organization, { quietHours: { from: "08:00", to: "11:30" } })
      const wrote = Effect.gen(function* () {
        const contacts = yield* Contacts
        const [before] = yield* contacts.lock([contact.id])
        if (before !== undefined) yield* contacts.saveAll([{ ...before, lastInboundAt: morning }])
      })
      yield* transact(wrote).pipe(asOperatorOf(organization), Effect.orDie)
      const sending: Action = { type: "send_template", template: { id: marketing.id, values: { "body.1": "Ada" } } }
      assert.strictEqual(codeOf(yield* perform(world, sending)), "done")
    })
  )
}
