import { assert, describe } from "@effect/vitest"
import { transact, Vault } from "@parley/domain/kernel"
import {
  applyNumberUpdates,
  ChannelRefused,
  ChannelUnreachable,
  type ChatAccountId,
  type ChatAccountPatch,
  ChatAccounts,
  ChatSettings,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  createMessageTemplate,
  getChatAccount,
  getPlatformApp,
  listChatAccounts,
  listMessageTemplates,
  NewNumber,
  NewPlatformNumber,
  openProviderConnection,
  removeChatAccount,
  updateChatAccount
} from "@parley/domain/messaging"
import type { Ports } from "@parley/domain/composition"
import { asOperatorOf, asPerson, givenMember, givenOrganization, MemoryChat, type Of } from "@parley/testkit"
import { DateTime, Effect, Exit, Fiber, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { whyOf } from "../inbox/faults.ts"
import { givenConnected, hello, ownNumber, test } from "./given.ts"

const all = { limit: 100, cursor: null }

const signup = {
  code: Redacted.make("code-1"),
  externalAccountId: "business-9",
  externalPhoneId: "phone-9"
} as const

/** What is sealed of an account, opened as what it is kept for. */
const opened = (organization: Of, id: ChatAccountId) =>
  Effect.gen(function* () {
    const vault = yield* Vault
    const [secrets] = yield* (yield* ChatAccounts).secrets([id])
    if (secrets === undefined) return assert.fail("there are no secrets")
    const open = (name: string, sealed: string) =>
      Effect.map(vault.open(`chat_account/${organization.id}/${id}/${name}`, sealed), Redacted.value)
    const { accessToken, appSecret, formerAppSecret, verifyToken } = secrets
    return {
      accessToken: yield* open("access_token", accessToken),
      appSecret: appSecret === null ? null : yield* open("app_secret", appSecret),
      former: formerAppSecret === null ? null : yield* open("app_secret", formerAppSecret.sealed),
      formerUntil: formerAppSecret?.until ?? null,
      verifyToken: verifyToken === null ? null : yield* open("verify_token", verifyToken)
    }
  }).pipe(asOperatorOf(organization))

const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  const account = yield* givenConnected(organization)
  return { organization, account, inside: asOperatorOf(organization), script: yield* MemoryChat.ChatScript }
})

describe("the ids of the provider", () => {
  const ids = { externalAccountId: "102290129340398", externalPhoneId: "106540352242922" }
  const readOwn = Schema.decodeUnknownExit(NewNumber)
  const readSignup = Schema.decodeUnknownExit(NewPlatformNumber)
  const forms = [
    (input: object) => Exit.isSuccess(readOwn({ ...ids, accessToken: "token", appSecret: "secret", ...input })),
    (input: object) => Exit.isSuccess(readSignup({ ...ids, code: "code", ...input }))
  ]

  test("are no paths, in both forms", () =>
    Effect.sync(() => {
      for (const accepts of forms) {
        assert.isTrue(accepts({ messagingAccountId: "business-9.2_a" }))
        for (const field of ["externalAccountId", "externalPhoneId", "messagingAccountId"]) {
          for (const id of [".", "..", "../1", ".1", "", "1/2", "1?a", "1\u0000"]) {
            assert.isFalse(accepts({ [field]: id }), `${field} ${JSON.stringify(id)}`)
          }
        }
      }
    }))
})

describe("a chat account", () => {
  test("is connected with what the provider says of it, and its secrets sealed for it alone", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const script = yield* MemoryChat.ChatScript
      yield* script.setHealth("phone-1", { displayPhone: "+4930123456", quality: "yellow", throughputPerSecond: 20 })
      const { answer, audit, events } = yield* traced(organization, givenConnected(organization))
      assert.deepInclude(
        { ...answer },
        {
          mode: "own_app",
          displayName: "Bakery",
          phone: "+4930123456",
          status: "connected",
          qualityRating: "yellow",
          messagingLimit: "TIER_2K",
          throughputPerSecond: 20,
          lastError: null,
          version: 1,
          webhookUrl: `https://parley.test/webhooks/chat/${organization.id}`
        }
      )
      assert.deepStrictEqual(events, [{ type: "chat_account.connected", chatAccountId: answer.id }])
      assert.deepStrictEqual(
        audit.map(({ action, target }) => [action, target]),
        [["chat_account.connected", answer.id]]
      )
      const secrets = yield* opened(organization, answer.id)
      assert.deepInclude(secrets, { accessToken: "token-1", appSecret: "app-secret-1", former: null })
      assert.strictEqual(secrets.verifyToken, answer.verifyToken)
      const line = yield* openProviderConnection(answer).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        [Redacted.value(line.accessToken), line.phoneId, line.businessId],
        ["token-1", "phone-1", "business-1"]
      )
    }))

  test("is not connected where the provider refuses it or is away, and takes no place of the plan then", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const script = yield* MemoryChat.ChatScript
      const channel = yield* MemoryChat.whole
      yield* script.revoke("token-0")
      yield* script.forget("phone-0")
      const attempt = (input: Partial<NewNumber>, health: typeof channel.checking.check = channel.checking.check) =>
        whyOf(connectChatAccount({ ...ownNumber, ...input })).pipe(
          inside,
          MemoryChat.through({ checking: { ...channel.checking, check: health } })
        )
      const locked = new ChannelRefused({
        remedy: "stop_account",
        code: 368,
        reason: "Locked.",
        retryAfterMillis: null
      })
      const answers = [
        yield* attempt({ accessToken: Redacted.make("token-0") }),
        yield* attempt({ externalPhoneId: "phone-0" }),
        yield* attempt({}, () => Effect.fail(new ChannelUnreachable())),
        yield* attempt({}, () => Effect.fail(locked))
      ]
      assert.deepStrictEqual(answers, [
        "ChatTokenRefused /accessToken The access token has expired.",
        "ChatNumberUnknown /externalPhoneId Object with ID 'phone-0' does not exist.",
        "ChannelUnreachable",
        "ChannelRefused Locked."
      ])
      assert.deepStrictEqual((yield* listChatAccounts({ page: all }).pipe(inside)).data, [])
      assert.strictEqual(yield* attempt({}), "ok")
    }))

  test("has its phone in E.164, however the provider shows it, and none that cannot be read", () =>
    Effect.gen(function* () {
      const { account, inside, script } = yield* givenStage
      const shownAs = Effect.fnUntraced(function* (displayPhone: string) {
        yield* script.setHealth("phone-1", { displayPhone })
        return (yield* checkChatAccount({ id: account.id }).pipe(inside)).phone
      })
      assert.deepStrictEqual(
        [yield* shownAs("+1 555-078-3881"), yield* shownAs("15550783881"), yield* shownAs("none yet")],
        ["+15550783881", "+15550783881", null]
      )
    }))

  test("is connected once, as far as the plan has room", () =>
    Effect.gen(function* () {
      const { inside, organization } = yield* givenStage
      assert.strictEqual(
        yield* whyOf(connectChatAccount({ ...ownNumber, externalPhoneId: "phone-2" })).pipe(inside),
        "PlanLimitReached"
      )
      const larger = yield* givenOrganization({ plan: "growth" })
      const account = yield* givenConnected(larger)
      const again = yield* Effect.flip(connectChatAccount(ownNumber)).pipe(asOperatorOf(larger))
      assert.strictEqual(again._tag === "ChatAccountExists" ? again.chatAccountId : again._tag, account.id)
      assert.lengthOf((yield* listChatAccounts({ page: all }).pipe(asOperatorOf(organization))).data, 1)
    }))

  test("never exceeds the limit under concurrent connections", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const answers = yield* Effect.forEach(
        ["a", "b", "c", "d"],
        (externalPhoneId) => whyOf(connectChatAccount({ ...ownNumber, externalPhoneId })),
        { concurrency: "unbounded" }
      ).pipe(asOperatorOf(organization))
      assert.lengthOf(
        answers.filter((answer) => answer === "ok"),
        1
      )
    }))

  test("shows its verify token only with chat_accounts.manage", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenStage
      const shownTo = Effect.fnUntraced(function* (role: "admin" | "agent" | "viewer") {
        const inside = asPerson(organization, yield* givenMember(organization, role))
        const { data } = yield* listChatAccounts({ page: all }).pipe(inside)
        const { verifyToken } = yield* getChatAccount({ id: account.id }).pipe(inside)
        assert.deepStrictEqual(
          data.map((each) => each.verifyToken),
          [verifyToken]
        )
        return verifyToken
      })
      assert.deepStrictEqual([yield* shownTo("admin"), yield* shownTo("viewer")], [account.verifyToken, null])
      assert.match(account.verifyToken ?? "", /^\S{32,}$/u)
    }))

  test("is renamed at the expected version, without an event for an equal name", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      const renamed = yield* traced(
        organization,
        updateChatAccount({ id: account.id, displayName: "Café", ifVersion: 1 }).pipe(inside)
      )
      assert.deepStrictEqual([renamed.answer.displayName, renamed.answer.version], ["Café", 2])
      assert.deepStrictEqual(renamed.events, [{ type: "chat_account.updated", chatAccountId: account.id }])
      const same = yield* traced(
        organization,
        updateChatAccount({ id: account.id, displayName: "Café", ifVersion: 2 }).pipe(inside)
      )
      assert.deepStrictEqual([same.answer.version, same.events, same.audit], [2, [], []])
      assert.strictEqual(
        yield* whyOf(updateChatAccount({ id: account.id, displayName: "Other", ifVersion: 1 })).pipe(inside),
        "VersionConflict"
      )
    }))

  test("keeps its former app secret for a day, and names in the trail which secrets were replaced", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      yield* TestClock.setTime(Date.UTC(2026, 2, 1, 8))
      const patch = { accessToken: Redacted.make("token-2"), appSecret: Redacted.make("app-secret-2") }
      const { audit } = yield* traced(
        organization,
        updateChatAccount({ id: account.id, ...patch, ifVersion: null }).pipe(inside)
      )
      const secrets = yield* opened(organization, account.id)
      assert.deepStrictEqual(
        { ...secrets, formerUntil: secrets.formerUntil === null ? null : DateTime.formatIso(secrets.formerUntil) },
        {
          accessToken: "token-2",
          appSecret: "app-secret-2",
          former: "app-secret-1",
          formerUntil: "2026-03-02T08:00:00.000Z",
          verifyToken: account.verifyToken
        }
      )
      assert.deepStrictEqual(
        audit.map(({ after }) => after?.["replaced"]),
        [["accessToken", "appSecret"]]
      )
      assert.notMatch(JSON.stringify(audit), /token-2|app-secret/u)
    }))

  test("is connected again by a new access token", () =>
    Effect.gen(function* () {
      const { account, inside, organization, script } = yield* givenStage
      yield* script.revoke("token-1")
      const cut = yield* traced(organization, checkChatAccount({ id: account.id }).pipe(inside))
      assert.strictEqual(cut.answer.status, "disconnected")
      assert.deepInclude(cut.events, {
        type: "chat_account.status_changed",
        chatAccountId: account.id,
        from: "connected",
        to: "disconnected"
      })
      const patch = { accessToken: Redacted.make("token-2") }
      yield* TestClock.adjust("1 hour")
      const mended = yield* traced(
        organization,
        updateChatAccount({ id: account.id, ...patch, ifVersion: null }).pipe(inside)
      )
      assert.deepStrictEqual(
        [mended.answer.status, mended.answer.lastError, mended.answer.lastCheckedAt],
        ["connected", null, yield* DateTime.now]
      )
      assert.deepInclude(mended.events, {
        type: "chat_account.status_changed",
        chatAccountId: account.id,
        from: "disconnected",
        to: "connected"
      })
      assert.strictEqual((yield* checkChatAccount({ id: account.id }).pipe(inside)).status, "connected")
    }))

  test("keeps its access token where the provider does not let the new one in, or cannot be asked", () =>
    Effect.gen(function* () {
      const { account, inside, organization, script } = yield* givenStage
      const channel = yield* MemoryChat.whole
      yield* script.revoke("token-2")
      const attempt = (input: ChatAccountPatch, health: typeof channel.checking.check = channel.checking.check) =>
        whyOf(updateChatAccount({ id: account.id, ...input, ifVersion: null })).pipe(
          inside,
          MemoryChat.through({ checking: { ...channel.checking, check: health } })
        )
      const away = () => Effect.fail(new ChannelUnreachable())
      const { answer, audit, events } = yield* traced(
        organization,
        Effect.all([
          attempt({ displayName: "Other", accessToken: Redacted.make("token-2") }),
          attempt({ displayName: "Other", accessToken: Redacted.make("token-3") }, away)
        ])
      )
      assert.deepStrictEqual(answer, [
        "ChatTokenRefused /accessToken The access token has expired.",
        "ChannelUnreachable"
      ])
      assert.deepStrictEqual([audit, events], [[], []])
      assert.deepStrictEqual(yield* getChatAccount({ id: account.id }).pipe(inside), account)
      assert.strictEqual((yield* opened(organization, account.id)).accessToken, "token-1")
      assert.strictEqual(yield* attempt({ displayName: "Other" }, away), "ok")
    }))

  test("is checked: the provider's answer, its time and the account's problems are stored", () =>
    Effect.gen(function* () {
      const { account, inside, script } = yield* givenStage
      yield* TestClock.adjust("1 hour")
      yield* script.setHealth("phone-1", {
        quality: "red",
        messagingLimit: "TIER_250",
        throughputPerSecond: 5,
        sending: "limited",
        issues: [{ code: 141_006, reason: "No payment method" }]
      })
      const checked = yield* checkChatAccount({ id: account.id }).pipe(inside)
      assert.deepInclude(
        { ...checked },
        {
          status: "degraded",
          qualityRating: "red",
          messagingLimit: "TIER_250",
          throughputPerSecond: 5,
          lastCheckedAt: yield* DateTime.now,
          lastError: { code: 141_006, reason: "No payment method" }
        }
      )
      assert.deepStrictEqual(yield* getChatAccount({ id: account.id }).pipe(inside), checked)
      yield* script.setHealth("phone-1", { sending: "available", issues: [] })
      const { lastError, status } = yield* checkChatAccount({ id: account.id }).pipe(inside)
      assert.deepStrictEqual([status, lastError], ["connected", null])
    }))

  test("is checked again when its token is replaced while the provider is asked", () =>
    Effect.gen(function* () {
      const { account, inside, script } = yield* givenStage
      yield* script.revoke("token-1")
      const channel = yield* MemoryChat.whole
      const replace = updateChatAccount({
        id: account.id,
        accessToken: Redacted.make("token-2"),
        ifVersion: null
      }).pipe(inside)
      const outside = yield* Effect.context<Ports>()
      let asked = 0
      const health: typeof channel.checking.check = (line) =>
        Effect.tap(Effect.exit(channel.checking.check(line)), () =>
          (asked += 1) === 1 ? Effect.orDie(Effect.provideContext(replace, outside)) : Effect.void
        ).pipe(Effect.flatten)
      const checked = yield* checkChatAccount({ id: account.id }).pipe(
        inside,
        MemoryChat.through({ checking: { ...channel.checking, check: health } })
      )
      assert.deepStrictEqual([checked.status, checked.lastError, asked], ["connected", null, 2])
      assert.strictEqual((yield* getChatAccount({ id: account.id }).pipe(inside)).status, "connected")
    }))

  test("keeps updates that arrive during the check", () =>
    Effect.gen(function* () {
      const { account, inside, script } = yield* givenStage
      yield* script.revoke("token-1")
      const channel = yield* MemoryChat.whole
      const outside = yield* Effect.context<Ports>()
      const result = transact(
        applyNumberUpdates("whatsapp", [
          {
            kind: "number",
            businessId: "business-1",
            phoneId: "phone-1",
            displayPhone: null,
            quality: "red",
            messagingLimit: "TIER_10K"
          }
        ])
      ).pipe(inside)
      const health: typeof channel.checking.check = (line) =>
        Effect.andThen(Effect.orDie(Effect.provideContext(result, outside)), channel.checking.check(line))
      const checked = yield* checkChatAccount({ id: account.id }).pipe(
        inside,
        MemoryChat.through({ checking: { ...channel.checking, check: health } })
      )
      assert.deepStrictEqual(
        [checked.status, checked.qualityRating, checked.messagingLimit],
        ["disconnected", "red", "TIER_10K"]
      )
    }))

  test("is removed with its secrets and its templates, at the expected version", () =>
    Effect.gen(function* () {
      const { account, inside, organization } = yield* givenStage
      yield* createMessageTemplate({
        chatAccountId: account.id,
        name: "hello",
        language: "en",
        category: "utility",
        components: hello
      }).pipe(inside)
      assert.strictEqual(
        yield* whyOf(removeChatAccount({ id: account.id, ifVersion: 2 })).pipe(inside),
        "VersionConflict"
      )
      const { events } = yield* traced(organization, removeChatAccount({ id: account.id, ifVersion: 1 }).pipe(inside))
      assert.deepStrictEqual(events, [{ type: "chat_account.removed", chatAccountId: account.id }])
      const everything = { chatAccountId: null, status: null, name: null }
      assert.deepStrictEqual((yield* listMessageTemplates({ ...everything, page: all }).pipe(inside)).data, [])
      assert.strictEqual(yield* whyOf(getChatAccount({ id: account.id })).pipe(inside), "NotFound")
      yield* givenConnected(organization)
    }))

  test("of another organization is unknown", () =>
    Effect.gen(function* () {
      const { account, inside } = yield* givenStage
      const outside = asOperatorOf(yield* givenOrganization())
      const answers = yield* Effect.all([
        whyOf(getChatAccount({ id: account.id })),
        whyOf(updateChatAccount({ id: account.id, displayName: "Mine", ifVersion: null })),
        whyOf(checkChatAccount({ id: account.id })),
        whyOf(removeChatAccount({ id: account.id, ifVersion: null }))
      ]).pipe(outside)
      assert.deepStrictEqual(answers, ["NotFound", "NotFound", "NotFound", "NotFound"])
      assert.deepStrictEqual(yield* getChatAccount({ id: account.id }).pipe(inside), account)
    }))
})

describe("the platform app", () => {
  test("says what a signup needs, and nothing secret", () =>
    Effect.gen(function* () {
      const inside = asOperatorOf(yield* givenOrganization())
      assert.deepStrictEqual(yield* getPlatformApp().pipe(inside), {
        offered: true,
        appId: "300000000000001",
        signupConfigurationId: "300000000000002",
        webhookPath: "/webhooks/chat"
      })
      const without = Effect.provideService(ChatSettings, { publicUrl: "https://parley.test", platformApp: null })
      assert.deepStrictEqual(yield* getPlatformApp().pipe(inside, without), {
        offered: false,
        appId: null,
        signupConfigurationId: null,
        webhookPath: "/webhooks/chat"
      })
      assert.strictEqual(
        yield* whyOf(connectThroughPlatformApp(signup)).pipe(inside, without),
        "PlatformAppNotConfigured"
      )
    }))

  test("connects a number from a code, which is good once", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      const inside = asOperatorOf(organization)
      yield* (yield* MemoryChat.ChatScript).addSignupCode("code-1", "platform-token-1")
      const account = yield* connectThroughPlatformApp(signup).pipe(inside)
      assert.deepStrictEqual(
        [account.mode, account.status, account.webhookUrl, account.verifyToken],
        ["platform_app", "connected", "https://parley.test/webhooks/chat", null]
      )
      assert.deepInclude(yield* opened(organization, account.id), {
        accessToken: "platform-token-1",
        appSecret: null,
        verifyToken: null
      })
      assert.match(
        yield* whyOf(connectThroughPlatformApp({ ...signup, externalPhoneId: "phone-8" })).pipe(inside),
        /^SignupCodeRefused/u
      )
      assert.strictEqual(
        yield* whyOf(updateChatAccount({ id: account.id, appSecret: Redacted.make("x"), ifVersion: null })).pipe(
          inside
        ),
        "ValidationFailed /appSecret"
      )
    }))

  test("does not use up a code where there is no room for the number, or where it is connected already", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      yield* (yield* MemoryChat.ChatScript).addSignupCode("code-1", "platform-token-1")
      const { id } = yield* givenConnected(organization, { externalPhoneId: signup.externalPhoneId })
      assert.strictEqual(yield* whyOf(connectThroughPlatformApp(signup)).pipe(inside), "PlanLimitReached")
      const larger = asOperatorOf(yield* givenOrganization({ plan: "growth" }))
      yield* connectChatAccount({ ...ownNumber, externalPhoneId: signup.externalPhoneId }).pipe(larger)
      assert.strictEqual(yield* whyOf(connectThroughPlatformApp(signup)).pipe(larger), "ChatAccountExists")
      yield* removeChatAccount({ id, ifVersion: null }).pipe(inside)
      assert.strictEqual((yield* connectThroughPlatformApp(signup).pipe(inside)).status, "connected")
    }))

  test("connects nothing with a right that the provider refuses", () =>
    Effect.gen(function* () {
      const inside = asOperatorOf(yield* givenOrganization())
      const script = yield* MemoryChat.ChatScript
      yield* script.addSignupCode("code-1", "platform-token-1")
      yield* script.revoke("platform-token-1")
      assert.match(yield* whyOf(connectThroughPlatformApp(signup)).pipe(inside), /^ChatTokenRefused/u)
      assert.deepStrictEqual((yield* listChatAccounts({ page: all }).pipe(inside)).data, [])
    }))

  test("asks again where the provider is away after it took the code, and says when the code is lost", () =>
    Effect.gen(function* () {
      const inside = asOperatorOf(yield* givenOrganization({ plan: "growth" }))
      const script = yield* MemoryChat.ChatScript
      const channel = yield* MemoryChat.whole
      const connect = Effect.fnUntraced(function* (outages: number) {
        let left = outages
        const health: typeof channel.checking.check = (line) =>
          Effect.suspend(() => ((left -= 1) < 0 ? channel.checking.check(line) : Effect.fail(new ChannelUnreachable())))
        yield* script.addSignupCode("code-1", "platform-token-1")
        const connecting = yield* whyOf(connectThroughPlatformApp(signup)).pipe(
          inside,
          MemoryChat.through({ checking: { ...channel.checking, check: health } }),
          Effect.forkChild
        )
        yield* TestClock.adjust("1 minute")
        return yield* Fiber.join(connecting)
      })
      assert.strictEqual(yield* connect(9), "SignupInterrupted")
      assert.deepStrictEqual((yield* listChatAccounts({ page: all }).pipe(inside)).data, [])
      assert.strictEqual(yield* connect(2), "ok")
    }))

  test("connects a number in one organization only", () =>
    Effect.gen(function* () {
      const script = yield* MemoryChat.ChatScript
      const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
      yield* script.addSignupCode("code-1", "platform-token-1")
      yield* connectThroughPlatformApp(signup).pipe(asOperatorOf(one))
      yield* script.addSignupCode("code-1", "platform-token-2")
      assert.strictEqual(
        yield* whyOf(connectThroughPlatformApp(signup)).pipe(asOperatorOf(other)),
        "NumberConnectedElsewhere"
      )
    }))
})
