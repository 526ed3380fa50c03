import { assert, describe } from "@effect/vitest"
import { type Organization, runLanes } from "@parley/domain/platform"
import { Conversations, listMessages, resolveConversation, sendTask } from "@parley/domain/messaging"
import { layerBulkSender, sendBroadcast } from "@parley/domain/campaigns"
import { asOperatorOf } from "@parley/testkit"
import { Effect } from "effect"
import { eventsIn, givenConversation, test } from "../messaging/inbox/given.ts"
import { givenCampaign, givenFrozen, givenTemplate, listedAs, pass, readBroadcast } from "./given.ts"

const whileSending = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.andThen(Effect.provide(runLanes([sendTask], { name: "one", lookMillis: 1_000 }), layerBulkSender), body)
  )

const shown = (organization: Organization, id: Parameters<typeof listMessages>[0]["id"]) =>
  listMessages({ id, page: { limit: 10, cursor: null } }).pipe(
    asOperatorOf(organization),
    Effect.map(({ data }) => data.map(({ author, text }) => `${author.kind}: ${text}`))
  )

describe("a broadcast's message", () => {
  test("joins the unresolved conversation at acceptance without notifications", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, id, organization } = yield* givenCampaign(30)
        const [talking = assert.fail(), over = assert.fail()] = contacts
        const open = yield* givenConversation(organization, talking, account)
        const resolved = yield* givenConversation(organization, over, account)
        yield* asOperatorOf(organization)(resolveConversation({ id: resolved.id }))
        const before = yield* Effect.flatMap(Conversations, (port) => port.get(open.id)).pipe(
          asOperatorOf(organization)
        )
        const result = (yield* eventsIn(organization)).length
        yield* sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))
        yield* pass(3)
        assert.strictEqual((yield* readBroadcast(organization, id)).status, "completed")
        assert.deepStrictEqual(yield* shown(organization, open.id), [`broadcast: Hello ${talking.name}!`])
        assert.deepStrictEqual(yield* shown(organization, resolved.id), [])
        const after = yield* Effect.flatMap(Conversations, (port) => port.get(open.id)).pipe(asOperatorOf(organization))
        assert.deepStrictEqual(after.conversation, before.conversation)
        const kinds = (yield* eventsIn(organization)).slice(result).map(({ type }) => type)
        assert.isEmpty(kinds.filter((type) => !type.startsWith("broadcast.")))
      })
    ))

  test("joins its conversation once, each broadcast's", () =>
    whileSending(
      Effect.gen(function* () {
        const { account, contacts, id, organization } = yield* givenCampaign(3)
        const template = yield* givenTemplate(organization, account)
        const second = yield* givenFrozen(
          organization,
          account,
          template,
          contacts.map((contact) => listedAs(contact))
        )
        const [talking = assert.fail()] = contacts
        const open = yield* givenConversation(organization, talking, account)
        yield* sendBroadcast({ id, ifVersion: null }).pipe(asOperatorOf(organization))
        yield* pass(3)
        yield* sendBroadcast({ id: second.id, ifVersion: null }).pipe(asOperatorOf(organization))
        yield* pass(3)
        const hello = `broadcast: Hello ${talking.name}!`
        assert.deepStrictEqual(yield* shown(organization, open.id), [hello, hello])
      })
    ))
})
