import { assert, layer } from "@effect/vitest"
import { updateContact } from "@parley/domain/crm"
import { businessOf, type ChatAccount, DailyRecipients } from "@parley/domain/messaging"
import { type Broadcast, testBroadcast } from "@parley/domain/campaigns"
import { asOperatorOf, givenContact, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { givenChatAccount } from "../messaging/inbox/given.ts"
import { givenFrozen, givenStoredTemplate, givenTemplate, pass } from "./given.ts"

const given = Effect.fnUntraced(function* (fields: Partial<Broadcast> = {}, accountFields: Partial<ChatAccount> = {}) {
  const organization = yield* givenOrganization({ plan: "scale" })
  const account = yield* givenChatAccount(organization, accountFields)
  const template = yield* givenTemplate(organization, account)
  const { id } = yield* givenFrozen(organization, account, template, [], { frozenAt: null, ...fields })
  const contact = yield* givenContact(organization, { name: "Ada Lovelace", phone: "+491701234567" })
  return { account, contact, id, inside: asOperatorOf(organization), organization, template }
})

layer(TestKit.layer)("trying a broadcast", (it) => {
  it.effect("sends it to each of the numbers, with the values of a contact", () =>
    Effect.gen(function* () {
      const { contact, id, inside } = yield* given()
      const { results } = yield* inside(
        testBroadcast({ id, to: ["+4930123456", "+4930123457"], contactId: contact.id })
      )
      assert.deepStrictEqual(results, [
        { to: "+4930123456", status: "sent", error: null },
        { to: "+4930123457", status: "sent", error: null }
      ])
    })
  )

  it.effect("needs a contact where the values are made of one, and a variant that there is", () =>
    Effect.gen(function* () {
      const { id, inside } = yield* given()
      const missing = yield* Effect.flip(inside(testBroadcast({ id, to: ["+4930123456"] })))
      assert.deepInclude(missing, { _tag: "ValidationFailed" })
      if (missing._tag === "ValidationFailed") assert.strictEqual(missing.errors[0]?.pointer, "/contactId")
      const variant = yield* Effect.flip(inside(testBroadcast({ id, to: ["+4930123456"], variant: "c" })))
      if (variant._tag === "ValidationFailed") assert.strictEqual(variant.errors[0]?.pointer, "/variant")
      const stranger = yield* given()
      const unknown = testBroadcast({ id, to: ["+4930123456"], contactId: stranger.contact.id })
      assert.deepInclude(yield* Effect.flip(inside(unknown)), { _tag: "NotFound", pointer: "/contactId" })
    })
  )

  it.effect("names what is wrong with its template", () =>
    Effect.gen(function* () {
      const { id, inside, organization } = yield* given({ templateId: null })
      const bare = yield* Effect.flip(inside(testBroadcast({ id, to: ["+4930123456"] })))
      assert.deepInclude(bare, { _tag: "ValidationFailed" })
      if (bare._tag === "ValidationFailed") assert.strictEqual(bare.errors[0]?.pointer, "/templateId")
      const account = yield* givenChatAccount(organization)
      const template = yield* givenStoredTemplate(organization, account, { status: "paused" })
      const paused = yield* givenFrozen(organization, account, template, [], { frozenAt: null })
      const error = yield* Effect.flip(inside(testBroadcast({ id: paused.id, to: ["+4930123456"] })))
      assert.deepInclude(error, { _tag: "TemplateNotApproved", status: "paused" })
    })
  )

  it.effect("refuses numbers of people who are blocked or have opted out, however they are spelled", () =>
    Effect.gen(function* () {
      const { contact, id, inside, organization } = yield* given()
      const blocked = yield* givenContact(organization, { phone: "+5511987654321" })
      yield* inside(updateContact({ id: blocked.id, blocked: true, ifVersion: null }))
      yield* givenContact(organization, {
        phone: "+4930123458",
        marketing: { state: "unsubscribed", source: "form" }
      })
      const { results } = yield* inside(
        testBroadcast({ id, to: ["+5511987654321", "+4930123458", "+4930123459"], contactId: contact.id })
      )
      assert.deepStrictEqual(
        results.map(({ error, status }) => [status, error?.code ?? null]),
        [
          ["refused", "blocked"],
          ["refused", "unsubscribed"],
          ["sent", null]
        ]
      )
    })
  )

  it.effect("is done with 20 numbers an hour at the most", () =>
    Effect.gen(function* () {
      const { contact, id, inside } = yield* given()
      const to = ["+4930123451", "+4930123452", "+4930123453", "+4930123454", "+4930123455"]
      const test = inside(testBroadcast({ id, to, contactId: contact.id }))
      for (let round = 0; round < 4; round++) yield* test
      const error = yield* Effect.flip(test)
      assert.deepInclude(error, { _tag: "BroadcastTestsThrottled" })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* test).results.length, 5)
    })
  )

  it.effect("counts for the daily limit of the business, except for who got nothing", () =>
    Effect.gen(function* () {
      const { account, contact, id, inside, organization } = yield* given({}, { messagingLimit: "TIER_1K" })
      yield* givenContact(organization, {
        phone: "+4930123458",
        marketing: { state: "unsubscribed", source: "form" }
      })
      const to = ["+4930123456", "+4930123457", "+4930123458"]
      yield* inside(testBroadcast({ id, to, contactId: contact.id }))
      yield* inside(testBroadcast({ id, to: to.slice(0, 1), contactId: contact.id }))
      const reached = yield* inside(
        Effect.flatMap(Effect.all([DailyRecipients, DateTime.now]), ([reach, now]) =>
          reach.reached(businessOf(account), now)
        )
      )
      assert.strictEqual(
        reached.reduce((sum, { count }) => sum + count, 0),
        2
      )
    })
  )

  it.effect("goes at the pace of the account", () =>
    Effect.gen(function* () {
      const { contact, id, inside } = yield* given({}, { throughputPerSecond: 1 })
      const to = ["+4930123451", "+4930123452", "+4930123453"]
      const fiber = yield* Effect.forkChild(inside(testBroadcast({ id, to, contactId: contact.id })))
      yield* pass(1)
      assert.isUndefined(fiber.pollUnsafe())
      yield* pass(2)
      assert.isDefined(fiber.pollUnsafe())
    })
  )
})
