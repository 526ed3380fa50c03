import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { getEntitlements } from "@parley/domain/platform"
import {
  ChatAccount,
  type ChatAccountId,
  ChatAccounts,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  getChatAccount,
  getMessageTemplate,
  listChatAccounts,
  listMessageTemplates,
  refreshTemplates,
  removeChatAccount,
  updateMessageTemplate
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat, type Of } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { whyOf } from "../inbox/faults.ts"
import { givenConnected, givenDraft, keptByProvider, ownNumber, test } from "./given.ts"

const all = { limit: 100, cursor: null }
const everything = { chatAccountId: null, status: null, name: null }

const { externalAccountId, externalPhoneId } = ownNumber

const signUp = Effect.fnUntraced(function* (organization: Of, overrides: { readonly externalPhoneId?: string } = {}) {
  yield* (yield* MemoryChat.ChatScript).addSignupCode("code", "platform-token")
  const signup = { code: Redacted.make("code"), externalAccountId, externalPhoneId, ...overrides }
  return yield* connectThroughPlatformApp(signup).pipe(asOperatorOf(organization))
})

const remove = (organization: Of, id: ChatAccountId) =>
  removeChatAccount({ id, ifVersion: null }).pipe(asOperatorOf(organization))

const givenRemoved = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  const account = yield* givenConnected(organization)
  yield* remove(organization, account.id)
  return { organization, account, inside: asOperatorOf(organization), script: yield* MemoryChat.ChatScript }
})

describe("a number that was removed", () => {
  test("returns with the restrictions of its own business account only", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const inside = asOperatorOf(organization)
      const { id } = yield* givenConnected(organization)
      const restriction = { type: "RESTRICTED_BIZ_INITIATED_MESSAGING", scopes: ["unknown"], expiresAt: null } as const
      const { get, save } = yield* ChatAccounts
      const account = yield* inside(get(id))
      yield* inside(transact(save(new ChatAccount({ ...account, restrictions: [restriction] }), null, null)))
      const connect = (businessId: string) =>
        connectChatAccount({ ...ownNumber, externalAccountId: businessId }).pipe(inside)
      yield* remove(organization, id)
      assert.deepStrictEqual((yield* connect(externalAccountId)).restrictions, [restriction])
      yield* remove(organization, id)
      assert.deepStrictEqual((yield* connect("business-2")).restrictions, [])
    }))

  test("returns under its id with the new values when connected again", () =>
    Effect.gen(function* () {
      const { account, inside, organization, script } = yield* givenRemoved
      yield* TestClock.adjust("1 hour")
      yield* script.setHealth(externalPhoneId, { quality: "yellow" })
      const { displayName: _, ...unnamed } = { ...ownNumber, externalAccountId: "business-2" }
      const { answer, audit, events } = yield* traced(organization, connectChatAccount(unnamed).pipe(inside))
      assert.deepInclude(
        { ...answer },
        {
          id: account.id,
          displayName: account.displayName,
          createdAt: account.createdAt,
          externalAccountId: "business-2",
          qualityRating: "yellow",
          status: "connected",
          version: account.version + 2
        }
      )
      assert.notStrictEqual(answer.verifyToken, account.verifyToken)
      assert.deepStrictEqual(yield* getChatAccount({ id: account.id }).pipe(inside), answer)
      assert.deepStrictEqual(events, [{ type: "chat_account.connected", chatAccountId: account.id }])
      assert.deepStrictEqual(
        audit.map(({ action, target }) => [action, target]),
        [["chat_account.connected", account.id]]
      )
      assert.strictEqual((yield* checkChatAccount({ id: account.id }).pipe(inside)).status, "connected")
    }))

  test("goes from an own app to the platform app and back", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenRemoved
      const platform = yield* signUp(organization)
      assert.deepStrictEqual([platform.id, platform.mode, platform.verifyToken], [account.id, "platform_app", null])
      yield* remove(organization, account.id)
      const own = yield* givenConnected(organization)
      assert.deepStrictEqual([own.id, own.mode], [account.id, "own_app"])
      assert.lengthOf((yield* listChatAccounts({ page: all }).pipe(inside)).data, 1)
    }))

  test("has nothing that opens, takes no place of the plan, and needs one to come back", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenConnected(organization)
      yield* remove(organization, id)
      const { limits } = yield* getEntitlements().pipe(inside)
      assert.strictEqual(limits.find(({ limit }) => limit === "chatAccounts")?.used, 0)
      assert.deepStrictEqual(yield* Effect.flatMap(ChatAccounts, (port) => port.secrets([id])).pipe(inside), [])
      yield* givenConnected(organization, { externalPhoneId: "phone-2" })
      assert.strictEqual(yield* whyOf(connectChatAccount(ownNumber)).pipe(inside), "PlanLimitReached")
    }))

  test("has its templates again, under their ids and as the provider keeps them by now", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const script = yield* MemoryChat.ChatScript
      const account = yield* givenConnected(organization)
      const [draft, kept] = [
        yield* givenDraft(organization, account.id),
        yield* givenDraft(organization, account.id, { name: "kept" })
      ]
      yield* remove(organization, account.id)
      assert.deepStrictEqual((yield* listMessageTemplates({ ...everything, page: all }).pipe(inside)).data, [])
      assert.deepStrictEqual(
        [
          yield* whyOf(getMessageTemplate({ id: draft.id })).pipe(inside),
          yield* whyOf(updateMessageTemplate({ id: draft.id, ifVersion: null })).pipe(inside)
        ],
        ["NotFound", "NotFound"]
      )
      yield* script.keepTemplate(keptByProvider({ name: "kept", externalId: "new-1" }))
      yield* givenConnected(organization, { externalAccountId: "business-2" })
      yield* TestClock.adjust("10 seconds")
      yield* refreshTemplates
      assert.deepStrictEqual(yield* getMessageTemplate({ id: draft.id }).pipe(inside), draft)
      const synced = yield* getMessageTemplate({ id: kept.id }).pipe(inside)
      assert.deepStrictEqual([synced.status, synced.externalId], ["approved", "new-1"])
    }))

  test("is known by its phone where the provider has given it another id", () =>
    Effect.gen(function* () {
      const { account, organization, script } = yield* givenRemoved
      const displayPhone = account.phone ?? assert.fail()
      yield* script.setHealth("phone-moved", { displayPhone })
      const moved = yield* givenConnected(organization, { externalPhoneId: "phone-moved" })
      assert.deepStrictEqual([moved.id, moved.externalPhoneId], [account.id, "phone-moved"])
      const stranger = yield* givenConnected(organization, { externalPhoneId: "phone-2" })
      assert.notStrictEqual(stranger.id, account.id)
    }))

  test("is not connected under another id of the provider as long as it stands under the first", () =>
    Effect.gen(function* () {
      const { account, inside, organization, script } = yield* givenRemoved
      const displayPhone = account.phone ?? assert.fail()
      yield* givenConnected(organization)
      yield* script.setHealth("phone-moved", { displayPhone })
      const again = yield* Effect.flip(connectChatAccount({ ...ownNumber, externalPhoneId: "phone-moved" })).pipe(
        inside
      )
      assert.strictEqual(again._tag === "ChatAccountExists" ? again.chatAccountId : again._tag, account.id)
    }))

  test("may be connected elsewhere, and comes back without its number only when that lets go", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      const mine = yield* signUp(one)
      yield* remove(one, mine.id)
      const theirs = yield* signUp(other)
      assert.notStrictEqual(theirs.id, mine.id)
      assert.strictEqual(yield* whyOf(signUp(one)), "NumberConnectedElsewhere")
      assert.strictEqual(yield* whyOf(getChatAccount({ id: mine.id })).pipe(asOperatorOf(one)), "NotFound")
      yield* remove(other, theirs.id)
      assert.strictEqual((yield* signUp(one)).id, mine.id)
    }))

  test("is revived once under concurrency", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenRemoved
      const attempts = yield* Effect.replicateEffect(whyOf(connectChatAccount(ownNumber)), 4, {
        concurrency: "unbounded"
      }).pipe(inside)
      assert.deepStrictEqual(attempts.toSorted(), [...Array.from({ length: 3 }, () => "ChatAccountExists"), "ok"])
      assert.deepStrictEqual(
        (yield* listChatAccounts({ page: all }).pipe(inside)).data.map(({ id }) => id),
        [account.id]
      )
    }))

  test("is one account in either sequence of concurrent removal and connection", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const { id } = yield* givenConnected(organization)
      for (let round = 0; round < 4; round += 1) {
        const [removed, connected] = yield* Effect.all(
          [whyOf(removeChatAccount({ id, ifVersion: null })), whyOf(connectChatAccount(ownNumber))],
          { concurrency: "unbounded" }
        ).pipe(inside)
        assert.strictEqual(removed, "ok")
        assert.include(["ok", "ChatAccountExists"], connected)
        const { data } = yield* listChatAccounts({ page: all }).pipe(inside)
        assert.deepStrictEqual(
          data.map((each) => each.id),
          connected === "ok" ? [id] : []
        )
        if (connected !== "ok") yield* connectChatAccount(ownNumber).pipe(inside)
      }
    }))
})
