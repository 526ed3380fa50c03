import { assert, describe } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  ChatSettings,
  ChannelUnreachable,
  ChatChannels,
  addChatNumber,
  applyNotices,
  applyNumberUpdates,
  changeRegistrationPin,
  type ChatAccountId,
  type ChatAccountPatch,
  ChatAccounts,
  checkChatAccount,
  connectChatAccount,
  connectThroughPlatformApp,
  createPin,
  deregisterChatAccount,
  getChatAccount,
  getOnboarding,
  listChatAccounts,
  listMessageTemplates,
  type NumberDetails,
  openProviderConnection,
  refreshTemplates,
  registerChatAccount,
  removeChatAccount,
  requestVerificationCode,
  subscribeChatAccount,
  updateChatAccount,
  verifyNumber
} from "@parley/domain/messaging"
import { asOperatorOf, givenOrganization, MemoryChat, type Of } from "@parley/testkit"
import { DateTime, Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../../crm/traces.ts"
import { whyOf } from "../inbox/faults.ts"
import { givenConnected, keptByProvider, ownNumber, test } from "./given.ts"

const signup = {
  code: Redacted.make("code-1"),
  externalAccountId: "business-9",
  externalPhoneId: "phone-9"
} as const

const unregistered: Partial<NumberDetails> = {
  platform: "not_applicable",
  status: "pending",
  isPinEnabled: false
}

const historyNotice = { businessId: "business-9", phoneId: "phone-9", displayPhone: null, topic: "history" } as const

const pinOf = (text: string) => ({ pin: Redacted.make(text) })

/** State of each step, by its name. */
const statesOf = Effect.fnUntraced(function* (organization: Of, id: ChatAccountId) {
  const { steps } = yield* getOnboarding({ id }).pipe(asOperatorOf(organization))
  return Object.fromEntries(steps.map(({ state, step }) => [step, state]))
})

const stepOf = Effect.fnUntraced(function* (organization: Of, id: ChatAccountId, name: string) {
  const { steps } = yield* getOnboarding({ id }).pipe(asOperatorOf(organization))
  return steps.find(({ step }) => step === name)
})

const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "growth" })
  const script = yield* MemoryChat.ChatScript
  yield* script.setDetails("phone-9", unregistered)
  yield* script.setDetails("phone-1", unregistered)
  yield* script.addSignupCode("code-1", "platform-token-1")
  return { organization, inside: asOperatorOf(organization), script }
})

describe("a signup through the platform app", () => {
  test("subscribes, registers with a new PIN, and shows the PIN once", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { answer, audit } = yield* traced(organization, connectThroughPlatformApp(signup).pipe(inside))
      assert.deepStrictEqual(yield* script.steps, ["subscribe business-9", "register phone-9"])
      assert.match(answer.registrationPin ?? "", /^\d{6}$/u)
      assert.strictEqual(answer.registrationPin, yield* script.pinOf("phone-9"))
      assert.deepStrictEqual([answer.status, answer.number?.platform], ["connected", "cloud_api"])
      assert.deepStrictEqual(
        audit.map(({ action }) => action),
        ["chat_account.connected", "chat_account.registered"]
      )
      assert.isNull((yield* getChatAccount({ id: answer.id }).pipe(inside)).registrationPin)
      assert.isNull((yield* registerChatAccount({ id: answer.id }).pipe(inside)).registrationPin)
      assert.lengthOf(yield* script.steps, 2)
      assert.deepInclude(yield* statesOf(organization, answer.id), {
        code_exchanged: "done",
        number_verified: "done",
        registered: "done",
        app_subscribed: "done",
        webhook_received: "waiting",
        payment_method: "done"
      })
    }))

  test("renews the access of a connected number, also at the plan limit, and keeps its PIN and its registration", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const script = yield* MemoryChat.ChatScript
      yield* script.setDetails("phone-9", unregistered)
      yield* script.addSignupCode("code-1", "platform-token-1")
      const first = yield* connectThroughPlatformApp(signup).pipe(inside)
      const pin = yield* script.pinOf("phone-9")
      yield* script.addSignupCode("code-2", "platform-token-2")
      const again = connectThroughPlatformApp({ ...signup, code: Redacted.make("code-2") })
      const { answer, audit, events } = yield* traced(organization, again.pipe(inside))
      assert.deepStrictEqual([answer.id, answer.status, answer.registrationPin], [first.id, "connected", null])
      assert.deepStrictEqual(
        audit.map(({ action }) => action),
        ["chat_account.connected"]
      )
      assert.deepInclude(events, { type: "chat_account.connected", chatAccountId: first.id })
      assert.strictEqual(yield* script.pinOf("phone-9"), pin)
      assert.lengthOf(
        (yield* script.steps).filter((step) => step.startsWith("register")),
        1
      )
      const account = yield* inside(Effect.flatMap(ChatAccounts, ({ get }) => get(first.id)))
      const { accessToken } = yield* openProviderConnection(account).pipe(inside)
      assert.strictEqual(Redacted.value(accessToken), "platform-token-2")
      yield* deregisterChatAccount({ id: first.id }).pipe(inside)
      yield* registerChatAccount({ id: first.id }).pipe(inside)
      assert.strictEqual(yield* script.pinOf("phone-9"), pin)
    }))

  test("uses one PIN in concurrent registrations, and stores it", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { id } = yield* givenConnected(organization)
      const channels = yield* ChatChannels
      const channel = channels.get("whatsapp") ?? assert.fail()
      const onboarding = channel.onboarding ?? assert.fail()
      const bothChosen = yield* Deferred.make<void>()
      let calls = 0
      // Both registrations have chosen their PIN before the provider gets the first one.
      const register: typeof onboarding.register = (line, chosen) =>
        Effect.gen(function* () {
          calls += 1
          if (calls === 2) yield* Deferred.succeed(bothChosen, undefined)
          yield* Deferred.await(bothChosen)
          yield* onboarding.register(line, chosen)
        })
      const held = new Map(channels).set("whatsapp", { ...channel, onboarding: { ...onboarding, register } })
      const registration = Effect.map(registerChatAccount({ id }), ({ registrationPin }) => registrationPin)
      const shown = yield* Effect.all([registration, registration], { concurrency: "unbounded" }).pipe(
        inside,
        Effect.provideService(ChatChannels, held)
      )
      const pin = yield* script.pinOf("phone-1")
      assert.deepStrictEqual([...new Set(shown.filter((each) => each !== null))], [pin])
      yield* deregisterChatAccount({ id }).pipe(inside)
      yield* registerChatAccount({ id }).pipe(inside)
      assert.strictEqual(yield* script.pinOf("phone-1"), pin)
    }))

  test("registers a number again for a new display name only", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { id, registrationPin } = yield* connectThroughPlatformApp(signup).pipe(inside)
      yield* script.setDetails("phone-9", { status: "restricted" })
      yield* registerChatAccount({ id }).pipe(inside)
      assert.lengthOf(yield* script.steps, 2)
      yield* script.setDetails("phone-9", { status: "connected", newNameStatus: "approved" })
      yield* checkChatAccount({ id }).pipe(inside)
      assert.deepInclude(yield* statesOf(organization, id), { display_name: "waiting" })
      yield* registerChatAccount({ id }).pipe(inside)
      yield* registerChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual((yield* script.steps).slice(2), ["register phone-9"])
      assert.strictEqual(yield* script.pinOf("phone-9"), registrationPin)
      assert.deepInclude(yield* statesOf(organization, id), { display_name: "done" })
    }))

  test("reads the ids from the session event, and refuses a cancelled or foreign one before the code is used", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { code } = signup
      const attempt = (session: Readonly<Record<string, string | boolean>>) =>
        whyOf(connectThroughPlatformApp({ code, session })).pipe(inside)
      assert.strictEqual(yield* attempt({ cancelled: true }), "SignupCancelled")
      assert.strictEqual(yield* attempt({ hello: "world" }), "ValidationFailed /session/number")
      assert.strictEqual(
        yield* whyOf(connectThroughPlatformApp({ session: { number: "phone-9", business: "business-9" } })).pipe(
          inside
        ),
        "ValidationFailed /code"
      )
      assert.strictEqual(yield* attempt({ number: "phone-9", business: "business-9" }), "ok")
      assert.deepStrictEqual(yield* script.steps, ["subscribe business-9", "register phone-9"])
      assert.strictEqual(
        yield* attempt({ number: "phone-8", business: "business-9" }),
        "SignupCodeRefused The code is not valid."
      )
    }))

  test("keeps a number whose registration is refused, and registers it later with the PIN of the owner", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setPin("phone-9", "150954")
      const { id, registrationPin, status } = yield* connectThroughPlatformApp(signup).pipe(inside)
      assert.deepStrictEqual([registrationPin, status], [null, "degraded"])
      const failed = yield* stepOf(organization, id, "registered")
      assert.deepInclude({ ...failed }, { state: "failed", reason: "pin_mismatch", providerCode: 133_005 })
      assert.include(failed?.action ?? "", "two-step verification")
      yield* script.setDetails("phone-9", { isPinEnabled: true })
      assert.strictEqual(yield* whyOf(registerChatAccount({ id })).pipe(inside), "OnboardingRefused pin_mismatch")
      assert.lengthOf(yield* script.steps, 2)
      const registered = yield* registerChatAccount({ id, ...pinOf("150954") }).pipe(inside)
      assert.deepStrictEqual([registered.status, registered.registrationPin], ["connected", null])
      assert.strictEqual((yield* stepOf(organization, id, "registered"))?.state, "done")
    }))

  test("sends no new PIN to a number that has one, and registers it after its two-step verification is turned off", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setDetails("phone-9", { isPinEnabled: true })
      const { id } = yield* connectThroughPlatformApp(signup).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, ["subscribe business-9"])
      const failed = yield* stepOf(organization, id, "registered")
      assert.deepInclude({ ...failed }, { state: "failed", reason: "pin_mismatch", providerCode: null })
      assert.strictEqual(yield* whyOf(registerChatAccount({ id })).pipe(inside), "OnboardingRefused pin_mismatch")
      yield* script.setDetails("phone-9", { isPinEnabled: false })
      const { registrationPin, status } = yield* registerChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual([status, registrationPin], ["connected", yield* script.pinOf("phone-9")])
    }))

  test("uses the stored PIN after another one was refused", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id, registrationPin } = yield* connectThroughPlatformApp(signup).pipe(inside)
      yield* deregisterChatAccount({ id }).pipe(inside)
      const wrong = whyOf(registerChatAccount({ id, ...pinOf("000000") })).pipe(inside)
      assert.strictEqual(yield* wrong, "OnboardingRefused pin_mismatch")
      assert.strictEqual((yield* registerChatAccount({ id }).pipe(inside)).status, "connected")
      assert.strictEqual(yield* script.pinOf("phone-9"), registrationPin)
    }))

  test("does not register an unverified number, and registers it after its verification", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setDetails("phone-9", { codeVerification: "not_verified" })
      const { id } = yield* connectThroughPlatformApp(signup).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, ["subscribe business-9"])
      assert.deepInclude(yield* statesOf(organization, id), { number_verified: "waiting", registered: "waiting" })
      assert.strictEqual(
        yield* whyOf(registerChatAccount({ id })).pipe(inside),
        "OnboardingRefused number_not_verified"
      )
      yield* script.setDetails("phone-9", { codeVerification: "verified" })
      assert.strictEqual((yield* registerChatAccount({ id }).pipe(inside)).status, "connected")
    }))

  test("connects the only number of the business account without one in the signup", () =>
    Effect.gen(function* () {
      const { inside } = yield* givenStage
      const channel = yield* MemoryChat.whole
      const session = { business: "business-9", number: "none" }
      const withoutNumber = MemoryChat.through({
        signup: {
          ...channel.signup,
          readSession: () => ({
            kind: "finished",
            externalAccountId: "business-9",
            externalPhoneId: null,
            isCoexistence: false
          })
        }
      })
      const account = yield* connectThroughPlatformApp({ code: signup.code, session }).pipe(inside, withoutNumber)
      assert.strictEqual(account.externalPhoneId, "business-9-only")
      const none = MemoryChat.through({ onboarding: { ...channel.onboarding, listNumbers: () => Effect.succeed([]) } })
      yield* (yield* MemoryChat.ChatScript).addSignupCode("code-1", "platform-token-1")
      assert.strictEqual(
        yield* whyOf(connectThroughPlatformApp({ code: signup.code, session })).pipe(inside, none, withoutNumber),
        "SignupNumberMissing"
      )
    }))

  test("requests the contacts and the history of a number of the business app once each, and registers nothing", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setDetails("phone-9", { platform: "cloud_api", status: "connected", isOnBusinessApp: true })
      const { id } = yield* connectThroughPlatformApp({ ...signup, coexistence: true }).pipe(inside)
      const expected = ["subscribe business-9", "sync contacts phone-9", "sync history phone-9"]
      assert.deepStrictEqual(yield* script.steps, expected)
      yield* registerChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, expected)
      assert.strictEqual(
        yield* whyOf(deregisterChatAccount({ id })).pipe(inside),
        "OnboardingRefused coexistence_number"
      )
      assert.strictEqual(
        yield* whyOf(changeRegistrationPin({ id })).pipe(inside),
        "OnboardingRefused coexistence_number"
      )
      assert.deepInclude(yield* statesOf(organization, id), {
        registered: "done",
        contacts_synced: "done",
        history_synced: "waiting"
      })
      const report = (percent: number) =>
        transact(
          applyNotices("whatsapp", [
            {
              ...historyNotice,
              event: "progress",
              detail: String(percent),
              historySync: { state: "progress", percent }
            }
          ])
        ).pipe(inside)
      yield* report(55)
      yield* report(30)
      const step = yield* stepOf(organization, id, "history_synced")
      assert.strictEqual(step?.state, "waiting")
      assert.include(step?.action ?? "", "55 %")
      yield* report(100)
      const done = yield* stepOf(organization, id, "history_synced")
      yield* TestClock.adjust("1 hour")
      yield* report(80)
      assert.deepStrictEqual(yield* stepOf(organization, id, "history_synced"), done)
      assert.strictEqual(done?.state, "done")
    }))

  test("shows that the customer declined to share the history, and does not ask again", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setDetails("phone-9", { platform: "cloud_api", status: "connected", isOnBusinessApp: true })
      const { id } = yield* connectThroughPlatformApp({ ...signup, coexistence: true }).pipe(inside)
      const declined = { state: "failed", reason: "sync_declined", code: 2_593_109 } as const
      const notice = { ...historyNotice, event: "declined", detail: "Declined.", historySync: declined }
      const { events } = yield* traced(organization, transact(applyNotices("whatsapp", [notice])).pipe(inside))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["chat_account.notice", "chat_account.updated"]
      )
      const step = yield* stepOf(organization, id, "history_synced")
      assert.deepInclude(
        { ...step },
        { state: "declined", reason: "sync_declined", providerCode: 2_593_109, providerReason: "Declined." }
      )
      const steps = yield* script.steps
      yield* registerChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, steps)
      assert.deepStrictEqual(yield* stepOf(organization, id, "history_synced"), step)
      const { isComplete, steps: all } = yield* getOnboarding({ id }).pipe(inside)
      const open = all.filter(({ state }) => state === "waiting" || state === "failed")
      assert.deepStrictEqual([isComplete, open.map((each) => each.step)], [false, ["webhook_received"]])
    }))
})

describe("the verification of a number", () => {
  const unverified: Partial<NumberDetails> = { ...unregistered, status: "unverified", codeVerification: "not_verified" }
  const code = (digits: string) => ({ code: Redacted.make(digits) })

  test("takes the code that the provider has sent, and leads to the registration", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setDetails("phone-1", unverified)
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      const step = stepOf(organization, id, "number_verified")
      assert.include((yield* step)?.action ?? "", "request_code")
      yield* requestVerificationCode({ id, method: "voice", language: "de" }).pipe(inside)
      assert.strictEqual((yield* script.steps).at(-1), "code by voice in de phone-1")
      const again = whyOf(requestVerificationCode({ id, method: "sms" })).pipe(inside)
      assert.strictEqual(yield* again, "OnboardingRefused code_requests_limited")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* again, "ok")
      assert.include((yield* step)?.action ?? "", "verify_code")
      assert.strictEqual(
        yield* whyOf(verifyNumber({ id, ...code("000000") })).pipe(inside),
        "OnboardingRefused code_wrong"
      )
      const verified = yield* verifyNumber({ id, ...code("123830") }).pipe(inside)
      assert.strictEqual(verified.number?.codeVerification, "verified")
      assert.deepInclude(yield* statesOf(organization, id), { number_verified: "done", registered: "waiting" })
      assert.strictEqual((yield* registerChatAccount({ id }).pipe(inside)).status, "connected")
    }))

  test("is refused for a verified number before a call, and with the limit of the provider", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      const calls = yield* script.steps
      const attempt = whyOf(requestVerificationCode({ id, method: "sms" })).pipe(inside)
      assert.strictEqual(yield* attempt, "OnboardingRefused number_verified_already")
      assert.deepStrictEqual(yield* script.steps, calls)
      yield* script.setDetails("phone-1", unverified)
      yield* script.refuseStep("code_requests_limited", 136_024)
      assert.strictEqual(yield* attempt, "OnboardingRefused code_requests_limited")
      // The refused code was not sent, so the next request does not wait.
      assert.strictEqual(yield* attempt, "ok")
    }))

  test("sends one code for a second request during the first call, and after a lost answer", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      yield* script.setDetails("phone-1", unverified)
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      const attempt = whyOf(requestVerificationCode({ id, method: "sms" })).pipe(inside)
      const services = yield* Effect.context<Effect.Services<typeof attempt>>()
      const { onboarding, ...channel } = yield* MemoryChat.whole
      const during: Array<string> = []
      const lost = MemoryChat.through({
        ...channel,
        onboarding: {
          ...onboarding,
          requestCode: (line, request) =>
            Effect.gen(function* () {
              during.push(yield* attempt.pipe(Effect.provide(services)))
              yield* onboarding.requestCode(line, request)
              return yield* new ChannelUnreachable()
            })
        }
      })
      assert.strictEqual(yield* attempt.pipe(lost), "ChannelUnreachable")
      assert.deepStrictEqual(during, ["OnboardingRefused code_requests_limited"])
      assert.strictEqual(yield* attempt, "OnboardingRefused code_requests_limited")
      assert.lengthOf(
        (yield* script.steps).filter((step) => step.startsWith("code by")),
        1
      )
    }))

  test("starts with a number that is added to the business account, once", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const sister = yield* connectChatAccount({ ...ownNumber, appId: "app-1" }).pipe(inside)
      const input = { phone: "+14155550199", verifiedName: "Lucky Shrub" } as const
      const added = yield* addChatNumber({ id: sister.id, ...input }).pipe(inside)
      assert.deepInclude(
        { ...added },
        { displayName: "Lucky Shrub", phone: "+14155550199", externalAccountId: "business-1", status: "degraded" }
      )
      assert.strictEqual(added.verifyToken, sister.verifyToken)
      const account = yield* Effect.flatMap(ChatAccounts, (accounts) => accounts.get(added.id)).pipe(inside)
      const line = yield* openProviderConnection(account).pipe(inside)
      assert.strictEqual(Redacted.value(line.accessToken), "token-1")
      assert.strictEqual(yield* whyOf(addChatNumber({ id: sister.id, ...input })).pipe(inside), "ChatAccountExists")
      yield* removeChatAccount({ id: added.id, ifVersion: null }).pipe(inside)
      assert.strictEqual((yield* addChatNumber({ id: sister.id, ...input }).pipe(inside)).id, added.id)
      assert.lengthOf(
        (yield* script.steps).filter((step) => step === "add +14155550199"),
        3
      )
    }))
})

describe("the registration of a number", () => {
  test("uses its stored PIN again after a lost answer, and shows it with the answer that completes it", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      const channel = yield* MemoryChat.whole
      const lost = MemoryChat.through({
        onboarding: {
          ...channel.onboarding,
          register: (line, pin) => Effect.andThen(channel.onboarding.register(line, pin), Effect.interrupt)
        }
      })
      yield* Fiber.await(yield* Effect.forkChild(registerChatAccount({ id }).pipe(inside, lost)))
      const pin = yield* script.pinOf("phone-1")
      const answer = yield* registerChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual([answer.status, answer.registrationPin], ["connected", pin])
      assert.deepStrictEqual(yield* script.steps, ["subscribe business-1", "register phone-1"])
    }))

  test("stops before the provider's limit of ten calls in 72 hours, and continues after it", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const start = yield* DateTime.now
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      for (let calls = 0; calls < 5; calls += 1) {
        yield* registerChatAccount({ id }).pipe(inside)
        yield* deregisterChatAccount({ id }).pipe(inside)
      }
      const refused = yield* Effect.flip(registerChatAccount({ id }).pipe(inside))
      if (refused._tag !== "OnboardingRefused") return assert.fail(refused._tag)
      assert.deepStrictEqual([refused.reason, refused.providerCode], ["too_many_registrations", null])
      assert.deepStrictEqual(refused.retryAt, DateTime.add(start, { hours: 72 }))
      assert.lengthOf(yield* script.steps, 11)
      yield* TestClock.adjust("72 hours")
      assert.strictEqual((yield* registerChatAccount({ id }).pipe(inside)).status, "connected")
    }))

  test("reports each refusal of the provider with its reason, and stores it as a failed step", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      for (const [reason, code] of [
        ["pin_guesses_exhausted", 133_008],
        ["number_deleted_recently", 133_015],
        ["too_many_registrations", 133_016],
        ["account_locked", 131_031]
      ] as const) {
        yield* script.refuseStep(reason, code)
        assert.strictEqual(yield* whyOf(registerChatAccount({ id })).pipe(inside), `OnboardingRefused ${reason}`)
        const step = yield* stepOf(organization, id, "registered")
        assert.deepInclude({ ...step }, { state: "failed", reason, providerCode: code })
      }
    }))

  test("ends with a deregistration, and its PIN can be changed", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      yield* registerChatAccount({ id, ...pinOf("111111") }).pipe(inside)
      const created = yield* changeRegistrationPin({ id }).pipe(inside)
      assert.strictEqual(created.registrationPin, yield* script.pinOf("phone-1"))
      const chosen = yield* changeRegistrationPin({ id, ...pinOf("150954") }).pipe(inside)
      assert.deepStrictEqual([chosen.registrationPin, yield* script.pinOf("phone-1")], [null, "150954"])
      const other = whyOf(registerChatAccount({ id, ...pinOf("111111") })).pipe(inside)
      assert.strictEqual(yield* other, "ValidationFailed /pin")
      assert.strictEqual(yield* whyOf(registerChatAccount({ id, ...pinOf("150954") })).pipe(inside), "ok")
      const ended = yield* deregisterChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual([ended.status, ended.number?.platform], ["degraded", "not_applicable"])
      assert.strictEqual(ended.number?.canSend, "blocked")
      const steps = yield* script.steps
      assert.strictEqual(yield* whyOf(deregisterChatAccount({ id })).pipe(inside), "OnboardingRefused not_registered")
      assert.deepStrictEqual(yield* script.steps, steps)
      assert.strictEqual((yield* registerChatAccount({ id }).pipe(inside)).status, "connected")
    }))

  test("keeps its PIN after a refused change, and after a refused registration with it", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      yield* registerChatAccount({ id, ...pinOf("111111") }).pipe(inside)
      for (const change of [{}, pinOf("222222")]) {
        yield* script.refuseStep("not_registered", 133_010)
        assert.strictEqual(
          yield* whyOf(changeRegistrationPin({ id, ...change })).pipe(inside),
          "OnboardingRefused not_registered"
        )
      }
      yield* changeRegistrationPin({ id, ...pinOf("333333") }).pipe(inside)
      yield* deregisterChatAccount({ id }).pipe(inside)
      yield* script.setPin("phone-1", "444444")
      const registration = whyOf(registerChatAccount({ id })).pipe(inside)
      assert.strictEqual(yield* registration, "OnboardingRefused pin_mismatch")
      const calls = yield* script.steps
      // The provider counts wrong PINs, so the refused one is not sent again.
      assert.strictEqual(yield* registration, "OnboardingRefused pin_mismatch")
      assert.deepStrictEqual(yield* script.steps, calls)
      yield* script.setPin("phone-1", "333333")
      yield* script.setDetails("phone-1", { isPinEnabled: false })
      assert.strictEqual(yield* registration, "ok")
      assert.strictEqual(yield* script.pinOf("phone-1"), "333333")
    }))

  test("tries the former PIN, then the new one after a change with a lost answer", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      yield* registerChatAccount({ id, ...pinOf("111111") }).pipe(inside)
      const channel = yield* MemoryChat.whole
      const lost = MemoryChat.through({
        onboarding: {
          ...channel.onboarding,
          changePin: (line, pin) =>
            Effect.andThen(channel.onboarding.changePin(line, pin), Effect.fail(new ChannelUnreachable()))
        }
      })
      assert.strictEqual(yield* whyOf(changeRegistrationPin({ id })).pipe(inside, lost), "ChannelUnreachable")
      const created = yield* script.pinOf("phone-1")
      assert.notStrictEqual(created, "111111")
      // A refusal of the repetition does not lose the PIN that the first call has set.
      yield* script.refuseStep("permission_missing", 200)
      yield* whyOf(changeRegistrationPin({ id })).pipe(inside)
      yield* deregisterChatAccount({ id }).pipe(inside)
      const registered = yield* registerChatAccount({ id }).pipe(inside)
      assert.deepStrictEqual([registered.status, registered.registrationPin], ["connected", created])
      assert.deepStrictEqual((yield* script.steps).slice(-2), ["register phone-1", "register phone-1"])
      yield* deregisterChatAccount({ id }).pipe(inside)
      assert.isNull((yield* registerChatAccount({ id }).pipe(inside)).registrationPin)
      assert.strictEqual(yield* script.pinOf("phone-1"), created)
    }))

  test("repeats a change with a lost answer with the same PIN", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      yield* registerChatAccount({ id, ...pinOf("111111") }).pipe(inside)
      const channel = yield* MemoryChat.whole
      const lost = MemoryChat.through({
        onboarding: {
          ...channel.onboarding,
          changePin: (line, pin) =>
            Effect.andThen(channel.onboarding.changePin(line, pin), Effect.fail(new ChannelUnreachable()))
        }
      })
      yield* whyOf(changeRegistrationPin({ id })).pipe(inside, lost)
      const created = yield* script.pinOf("phone-1")
      assert.strictEqual((yield* changeRegistrationPin({ id }).pipe(inside)).registrationPin, created)
    }))

  test("creates PINs of six digits", () =>
    Effect.gen(function* () {
      const pins = yield* Effect.forEach(Array.from({ length: 50 }), () => createPin)
      for (const pin of pins) assert.match(Redacted.value(pin), /^\d{6}$/u)
      assert.isAbove(new Set(pins.map((pin) => Redacted.value(pin))).size, 40)
    }))
})

describe("a business account of another organization", () => {
  const claim = Effect.fnUntraced(function* (input: {
    readonly externalAccountId: string
    readonly messagingAccountId?: string
  }) {
    const { inside, script } = yield* givenStage
    yield* script.setNumbers("business-victim", ["phone-victim"])
    yield* script.setNumbers("business-closed", ["phone-9", "phone-1"])
    yield* script.closeAccount("platform-token-1", "business-closed")
    yield* script.closeAccount("token-1", "business-closed")
    const signedUp = yield* whyOf(connectThroughPlatformApp({ ...signup, ...input })).pipe(inside)
    const own = yield* whyOf(connectChatAccount({ ...ownNumber, ...input })).pipe(inside)
    const { data } = yield* listChatAccounts({ page: { limit: 10, cursor: null } }).pipe(inside)
    assert.deepStrictEqual([data.length, yield* script.steps], [0, []])
    return [signedUp, own]
  })
  const elsewhere = "ChatTokenUnsuitable /externalAccountId number_elsewhere"
  const inaccessible = "ChatTokenUnsuitable /externalAccountId account_inaccessible"

  test("is not connected without its number", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* claim({ externalAccountId: "business-victim" }), [elsewhere, elsewhere])
    }))

  test("is not connected with a token that cannot use it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* claim({ externalAccountId: "business-closed" }), [inaccessible, inaccessible])
    }))

  test("is not connected as a messaging account", () =>
    Effect.gen(function* () {
      const own = { externalAccountId: "business-9" }
      assert.deepStrictEqual(yield* claim({ ...own, messagingAccountId: "business-victim" }), [
        "ChatTokenUnsuitable /messagingAccountId number_elsewhere",
        "ChatTokenUnsuitable /messagingAccountId number_elsewhere"
      ])
      const found = yield* claim({ ...own, messagingAccountId: "business-closed" })
      const expected = "ChatTokenUnsuitable /messagingAccountId account_inaccessible"
      assert.deepStrictEqual(found, [expected, expected])
    }))
})

describe("a change of a connected number", () => {
  const stage = Effect.gen(function* () {
    const { inside, organization, script } = yield* givenStage
    const account = yield* connectChatAccount({ ...ownNumber, appId: "app-1" }).pipe(inside)
    const refused = (patch: ChatAccountPatch) =>
      Effect.map(Effect.flip(updateChatAccount({ id: account.id, ...patch, ifVersion: null })), (error) =>
        error._tag === "ChatTokenUnsuitable" ? `${error.reason} ${error.pointer}` : error._tag
      ).pipe(inside)
    return { account, inside, organization, refused, script }
  })

  test("takes a messaging account that has the number, and fetches its templates", () =>
    Effect.gen(function* () {
      const { account, inside, organization, refused, script } = yield* stage
      yield* script.setNumbers("business-victim", ["phone-victim"])
      yield* script.setNumbers("business-closed", ["phone-1"])
      yield* script.closeAccount("token-1", "business-closed")
      const moved = (messagingAccountId: string | null) => ({ messagingAccountId })
      assert.strictEqual(yield* refused(moved("business-victim")), "number_elsewhere /messagingAccountId")
      assert.strictEqual(yield* refused(moved("business-closed")), "account_inaccessible /messagingAccountId")
      assert.isNull((yield* getChatAccount({ id: account.id }).pipe(inside)).messagingAccountId)
      yield* script.keepTemplate(keptByProvider())
      const change = updateChatAccount({ id: account.id, ...moved("messaging-1"), ifVersion: null }).pipe(inside)
      const { answer, audit } = yield* traced(organization, change)
      assert.strictEqual(answer.messagingAccountId, "messaging-1")
      assert.deepInclude({ ...audit[0]?.after }, { messagingAccountId: "messaging-1" })
      yield* TestClock.adjust("5 seconds")
      yield* refreshTemplates
      const query = { chatAccountId: account.id, status: null, name: null }
      const { data } = yield* listMessageTemplates({ ...query, page: { limit: 10, cursor: null } }).pipe(inside)
      assert.lengthOf(data, 1)
      assert.isNull(
        (yield* updateChatAccount({ id: account.id, ...moved(null), ifVersion: null }).pipe(inside)).messagingAccountId
      )
    }))

  test("takes a new access token only with access to its business accounts", () =>
    Effect.gen(function* () {
      const { account, inside, refused, script } = yield* stage
      const accessToken = Redacted.make("token-2")
      yield* script.closeAccount("token-2", "business-1")
      assert.strictEqual(yield* refused({ accessToken }), "account_inaccessible /accessToken")
      yield* script.setToken("token-3", { kind: "system_user", appId: "app-1", scopes: ["send"], expiresAt: null })
      assert.strictEqual(yield* refused({ accessToken: Redacted.make("token-3") }), "scopes_missing /accessToken")
      yield* updateChatAccount({ id: account.id, messagingAccountId: "messaging-1", ifVersion: null }).pipe(inside)
      yield* script.closeAccount("token-4", "messaging-1")
      assert.strictEqual(yield* refused({ accessToken: Redacted.make("token-4") }), "account_inaccessible /accessToken")
      const line = Effect.gen(function* () {
        return yield* openProviderConnection(yield* (yield* ChatAccounts).get(account.id))
      }).pipe(inside)
      assert.strictEqual(Redacted.value((yield* line).accessToken), "token-1")
      yield* updateChatAccount({ id: account.id, accessToken: Redacted.make("token-5"), ifVersion: null }).pipe(inside)
      assert.strictEqual(Redacted.value((yield* line).accessToken), "token-5")
    }))
})

describe("the access token of a number", () => {
  const token = { kind: "system_user", appId: "app-1", scopes: ["manage", "send"], expiresAt: null } as const

  test("is refused without a needed permission, of another app, or after its end", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const attempt = whyOf(connectChatAccount({ ...ownNumber, appId: "app-1" })).pipe(inside)
      yield* script.setToken("token-1", { ...token, scopes: ["send"] })
      assert.strictEqual(yield* attempt, "ChatTokenUnsuitable /accessToken scopes_missing")
      yield* script.setToken("token-1", { ...token, appId: "app-2" })
      assert.strictEqual(yield* attempt, "ChatTokenUnsuitable /accessToken another_app")
      yield* script.setToken("token-1", { ...token, expiresAt: yield* DateTime.now })
      assert.strictEqual(yield* attempt, "ChatTokenUnsuitable /accessToken expired")
      yield* script.setToken("token-1", token)
      assert.strictEqual(yield* attempt, "ok")
    }))

  test("is described on the checklist, which warns before its end", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const expiresAt = DateTime.add(yield* DateTime.now, { days: 60 })
      yield* script.setToken("token-1", { ...token, expiresAt })
      const { id } = yield* connectChatAccount(ownNumber).pipe(inside)
      const checklist = yield* getOnboarding({ id }).pipe(inside)
      assert.deepStrictEqual({ ...checklist.token }, { ...token, expiresAt })
      const stateAt = Effect.map(statesOf(organization, id), (states) => states["token"])
      assert.strictEqual(yield* stateAt, "done")
      yield* TestClock.adjust("55 days")
      assert.strictEqual(yield* stateAt, "waiting")
      yield* TestClock.adjust("6 days")
      assert.strictEqual(yield* stateAt, "failed")
    }))
})

describe("the subscription of an app", () => {
  test("starts with the connection, keeps another callback, and loses it on request", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { id, webhookUrl } = yield* connectChatAccount({
        ...ownNumber,
        appId: "app-1",
        overrideCallback: true
      }).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, ["subscribe business-1", `subscribe business-1 to ${webhookUrl}`])
      yield* subscribeChatAccount({ id }).pipe(inside)
      assert.lengthOf(yield* script.steps, 2)
      assert.strictEqual((yield* stepOf(organization, id, "app_subscribed"))?.state, "done")
      yield* subscribeChatAccount({ id, overrideCallback: false }).pipe(inside)
      assert.strictEqual((yield* script.steps).at(-1), "subscribe business-1")
      yield* script.refuseStep("permission_missing", 200)
      assert.strictEqual(
        yield* whyOf(subscribeChatAccount({ id })).pipe(inside),
        "OnboardingRefused permission_missing"
      )
      assert.strictEqual((yield* stepOf(organization, id, "app_subscribed"))?.reason, "permission_missing")
      yield* checkChatAccount({ id }).pipe(inside)
      assert.strictEqual((yield* stepOf(organization, id, "app_subscribed"))?.state, "done")
    }))

  test("keeps the callback of its business account when another number is connected", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const own = { ...ownNumber, appId: "app-1" }
      const first = yield* connectChatAccount({ ...own, overrideCallback: true }).pipe(inside)
      const before = yield* script.steps
      const second = yield* connectChatAccount({ ...own, externalPhoneId: "phone-2" }).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, before)
      const { get } = yield* ChatAccounts
      const stored = Effect.map(
        Effect.forEach([first.id, second.id], (id) => inside(get(id))),
        (accounts) => accounts.map(({ onboarding }) => [onboarding.callbackUrl, onboarding.subscribedAt !== null])
      )
      assert.deepStrictEqual(yield* stored, [
        [first.webhookUrl, true],
        [first.webhookUrl, true]
      ])
      yield* checkChatAccount({ id: first.id }).pipe(inside)
      assert.deepStrictEqual((yield* stored)[0], [first.webhookUrl, true])
      yield* connectChatAccount({ ...own, externalAccountId: "business-2", externalPhoneId: "phone-3" }).pipe(inside)
      assert.deepStrictEqual((yield* script.steps).slice(before.length), ["subscribe business-2"])
    }))

  test("replaces the callback of an unknown app on request only", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setCallback("business-1", "https://other.example/hook")
      const { id, webhookUrl } = yield* connectChatAccount(ownNumber).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, [])
      const open = yield* stepOf(organization, id, "app_subscribed")
      assert.deepInclude({ ...open }, { state: "failed", reason: "callback_unclear" })
      const unchosen = whyOf(subscribeChatAccount({ id })).pipe(inside)
      assert.strictEqual(yield* unchosen, "OnboardingRefused callback_unclear")
      assert.deepStrictEqual(yield* script.steps, [])
      yield* subscribeChatAccount({ id, overrideCallback: true }).pipe(inside)
      assert.deepStrictEqual(yield* script.steps, [`subscribe business-1 to ${webhookUrl}`])
      assert.strictEqual((yield* stepOf(organization, id, "app_subscribed"))?.state, "done")
    }))

  test("knows its address on this machine at each port, because commands do not know the port of the service", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { id, webhookUrl } = yield* connectChatAccount({ ...ownNumber, appId: "app-1" }).pipe(inside)
      const stateAt = Effect.fnUntraced(function* (publicUrl: string, reported: string) {
        const app = (webhookUrl ?? "").replace("https://parley.test", reported)
        yield* script.setDetails("phone-1", { webhookUrls: { number: null, businessAccount: null, app } })
        const settings = Effect.provideService(ChatSettings, { publicUrl, platformApp: null })
        yield* checkChatAccount({ id }).pipe(settings, inside)
        return (yield* stepOf(organization, id, "webhook_address").pipe(settings))?.state
      })
      assert.strictEqual(yield* stateAt("http://localhost:8787", "http://127.0.0.1:9000"), "done")
      assert.strictEqual(yield* stateAt("http://localhost:8787", "https://parley.test"), "unknown")
      assert.strictEqual(yield* stateAt("https://parley.test", "https://parley.test:9000"), "unknown")
    }))

  test("routes the events of one number, and shows where they go", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      yield* script.setDetails("phone-1", {
        webhookUrls: { number: null, businessAccount: null, app: "https://other.example/app" }
      })
      const { id, webhookUrl } = yield* connectChatAccount({ ...ownNumber, appId: "app-1" }).pipe(inside)
      const address = Effect.map(stepOf(organization, id, "webhook_address"), (step) => step?.state)
      assert.strictEqual(yield* address, "unknown")
      const routed = yield* subscribeChatAccount({ id, overrideNumberCallback: true }).pipe(inside)
      assert.strictEqual((yield* script.steps).at(-1), `callback phone-1 to ${webhookUrl}`)
      assert.deepStrictEqual(
        [{ ...routed.number?.webhookUrls }, yield* address],
        [{ number: webhookUrl, businessAccount: null, app: "https://other.example/app" }, "done"]
      )
      yield* checkChatAccount({ id }).pipe(inside)
      assert.strictEqual(yield* address, "done")
      yield* script.setDetails("phone-1", {
        webhookUrls: { number: "https://other.example/number", businessAccount: null, app: webhookUrl }
      })
      yield* checkChatAccount({ id }).pipe(inside)
      const elsewhere = yield* stepOf(organization, id, "webhook_address")
      assert.strictEqual(elsewhere?.state, "failed")
      assert.include(elsewhere?.action ?? "", "overrideNumberCallback: true")
      yield* subscribeChatAccount({ id, overrideNumberCallback: false }).pipe(inside)
      assert.strictEqual(yield* address, "done")
    }))

  test("removes its number callback with the account, and no callback of others", () =>
    Effect.gen(function* () {
      const { inside, script } = yield* givenStage
      const { id } = yield* connectChatAccount({ ...ownNumber, appId: "app-1" }).pipe(inside)
      yield* subscribeChatAccount({ id, overrideNumberCallback: true }).pipe(inside)
      yield* removeChatAccount({ id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual((yield* script.steps).slice(-2), ["callback phone-1", "unsubscribe business-1"])
      yield* script.setDetails("phone-1", {
        webhookUrls: { number: "https://other.example/number", businessAccount: null, app: null }
      })
      const again = yield* connectChatAccount({ ...ownNumber, appId: "app-1" }).pipe(inside)
      yield* removeChatAccount({ id: again.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual((yield* script.steps).slice(-2), ["subscribe business-1", "unsubscribe business-1"])
    }))

  test("ends with the last number of its business account, and a failure does not keep the account", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const first = yield* givenConnected(organization)
      const second = yield* givenConnected(organization, { externalPhoneId: "phone-2" })
      const unsubscribed = Effect.map(script.steps, (steps) => steps.filter((step) => step.startsWith("unsubscribe")))
      yield* removeChatAccount({ id: first.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* unsubscribed, [])
      yield* script.refuseStep("other", 1)
      yield* removeChatAccount({ id: second.id, ifVersion: null }).pipe(inside)
      assert.deepStrictEqual(yield* unsubscribed, ["unsubscribe business-1"])
      assert.strictEqual(yield* whyOf(getChatAccount({ id: second.id })).pipe(inside), "NotFound")
    }))
})

describe("the checklist of a number", () => {
  test("shows a missing payment method and a declined display name after a check", () =>
    Effect.gen(function* () {
      const { inside, organization, script } = yield* givenStage
      const { id } = yield* givenConnected(organization)
      yield* script.setDetails("phone-1", {
        nameStatus: "declined",
        health: [
          {
            kind: "business_account",
            externalId: "business-1",
            canSend: "blocked",
            issues: [{ code: 141_006, reason: "No payment method.", solution: "Add one." }],
            limits: []
          }
        ]
      })
      yield* checkChatAccount({ id }).pipe(inside)
      const checklist = yield* getOnboarding({ id }).pipe(inside)
      assert.isFalse(checklist.isComplete)
      assert.deepInclude(yield* statesOf(organization, id), { payment_method: "failed", display_name: "failed" })
      assert.deepInclude(
        { ...(yield* stepOf(organization, id, "payment_method")) },
        {
          providerCode: 141_006,
          providerReason: "No payment method.",
          link: "https://provider.example/business-1/payment_method"
        }
      )
    }))

  test("does not exist for an account with its own URL", () =>
    Effect.gen(function* () {
      const { inside } = yield* givenStage
      const { id } = yield* connectChatAccount({
        provider: "webhook",
        displayName: "Shop",
        url: "https://shop.example/chat"
      }).pipe(inside)
      assert.strictEqual(yield* whyOf(getOnboarding({ id })).pipe(inside), "UnsupportedByChannel")
    }))

  test("names the messaging account of a number that has one, and takes its events", () =>
    Effect.gen(function* () {
      const { inside } = yield* givenStage
      const { id } = yield* connectChatAccount({ ...ownNumber, messagingAccountId: "messaging-1" }).pipe(inside)
      const account = yield* Effect.flatMap(ChatAccounts, (accounts) => accounts.get(id)).pipe(inside)
      const line = yield* openProviderConnection(account).pipe(inside)
      assert.strictEqual(line.messagingAccountId, "messaging-1")
      const update = {
        kind: "number",
        phoneId: null,
        displayPhone: null,
        quality: "red",
        messagingLimit: null
      } as const
      yield* transact(applyNumberUpdates("whatsapp", [{ ...update, businessId: "messaging-1" }])).pipe(inside)
      assert.strictEqual((yield* getChatAccount({ id }).pipe(inside)).qualityRating, "red")
    }))
})
