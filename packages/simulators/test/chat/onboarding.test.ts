import { assert, describe, it } from "@effect/vitest"
import type { NumberStage, RunningChatSimulator } from "@parley/simulators/chat"
import { defaultApp } from "@parley/simulators/chat"
import { Effect } from "effect"
import {
  ada,
  appSecret,
  at,
  call,
  changesOf,
  eventually,
  kept,
  pass,
  simulator,
  sink,
  statesOf,
  text,
  valuesOf
} from "./harness.ts"

const own = { businessId: "101000000000001", phoneId: "201000000000001", accessToken: "EAAsigned", code: "code" }
const send = (provider: RunningChatSimulator) => call(provider, `/${own.phoneId}/messages`, text(ada), own.accessToken)

const register = (provider: RunningChatSimulator, pin: unknown = "581063", more: object = {}) =>
  call(provider, `/${own.phoneId}/register`, { messaging_product: "whatsapp", pin, ...more }, own.accessToken)

const subscribe = (provider: RunningChatSimulator, body: object = {}) =>
  call(provider, `/${own.businessId}/subscribed_apps`, body, own.accessToken)

const exchange = (provider: RunningChatSimulator, code = own.code) =>
  call(provider, `/oauth/access_token?client_id=${defaultApp.appId}&client_secret=${defaultApp.appSecret}&code=${code}`)

const withNumber = (stage: NumberStage) =>
  Effect.map(simulator(kept), (provider) => {
    provider.addNumber({ ...own, displayPhone: "15550108888" }, stage)
    return provider
  })

describe("A number of a signup", () => {
  it.live("works after register and subscribed_apps, and not before", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const session = provider.signUp({ ...own, displayPhone: "15550108888" })
      assert.deepStrictEqual([session.event, session.data["waba_id"]], ["FINISH", own.businessId])
      const [added] = changesOf(provider)
      assert.notStrictEqual(added?.entry, own.businessId)
      assert.strictEqual(at(added?.value, "waba_info", "waba_id"), own.businessId)
      assert.include((yield* exchange(provider)).body, own.accessToken)
      assert.strictEqual((yield* send(provider)).code, 133_010)
      provider.write(own.phoneId, ada, { type: "text", text: "Hi" })
      assert.lengthOf(valuesOf(provider, "messages"), 0)
      assert.strictEqual((yield* register(provider)).status, 200)
      assert.strictEqual((yield* subscribe(provider)).status, 200)
      provider.write(own.phoneId, ada, { type: "text", text: "Hi" })
      assert.strictEqual((yield* send(provider)).status, 200)
      yield* pass(provider, 1_000)
      assert.deepStrictEqual(statesOf(provider), ["sent", "delivered", "read"])
      const fields = "status,platform_type,is_pin_enabled,health_status"
      const read = JSON.parse(
        (yield* call(provider, `/${own.phoneId}?fields=${fields}`, undefined, own.accessToken)).body
      )
      assert.deepStrictEqual([read.status, read.platform_type, read.is_pin_enabled], ["CONNECTED", "CLOUD_API", true])
      assert.deepStrictEqual(
        read.health_status.entities.map((entity: unknown) => at(entity, "entity_type")),
        ["PHONE_NUMBER", "WABA", "BUSINESS", "APP"]
      )
    })
  )

  it.live("has a code that is exchanged once, within 30 seconds", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.addSignupCode("one", own.businessId, "EAAone")
      provider.addSignupCode("two", own.businessId, "EAAtwo")
      yield* pass(provider, 30_000)
      assert.strictEqual((yield* exchange(provider, "one")).status, 200)
      assert.include((yield* exchange(provider, "one")).body, "has been used")
      yield* pass(provider, 1)
      assert.include((yield* exchange(provider, "two")).body, "has expired")
    })
  )

  it.live("is refused with a code for each error", () =>
    Effect.gen(function* () {
      const faults: ReadonlyArray<readonly [NumberStage, unknown, object, number]> = [
        ["verified", "12345", {}, 131_009],
        ["verified", null, {}, 100],
        ["verified", "581063", { messaging_product: "sms" }, 100],
        ["verified", "581063", { data_localization_region: "XX" }, 100],
        ["unverified", "581063", {}, 133_006],
        ["coexistence", "581063", {}, 100]
      ]
      for (const [stage, pin, more, code] of faults) {
        assert.strictEqual(
          (yield* register(yield* withNumber(stage), pin, more)).code,
          code,
          JSON.stringify([stage, pin])
        )
      }
      const banned = yield* withNumber("verified")
      banned.act({ act: "ban", businessId: own.businessId, state: "DISABLE" })
      assert.deepStrictEqual(yield* Effect.map(register(banned), ({ code, status }) => [status, code]), [403, 131_031])
    })
  )

  it.live("counts wrong PINs and registrations", () =>
    Effect.gen(function* () {
      const provider = yield* withNumber("verified")
      assert.strictEqual((yield* register(provider, "111111")).status, 200)
      const codes = yield* Effect.replicateEffect(register(provider, "222222"), 5)
      assert.deepStrictEqual(
        codes.map(({ code }) => code),
        [133_005, 133_005, 133_005, 133_005, 133_009]
      )
      yield* pass(provider, 301_000)
      assert.strictEqual((yield* register(provider, "111111")).status, 200)
      const calls = yield* Effect.replicateEffect(register(provider, "111111"), 4)
      assert.deepStrictEqual(
        calls.map(({ code }) => code),
        [null, null, null, 133_016]
      )
      yield* pass(provider, 72 * 3_600_000)
      assert.isNull((yield* register(provider, "111111")).code)
      const pin = yield* call(provider, `/${own.phoneId}`, { pin: "333333" }, own.accessToken)
      assert.strictEqual(pin.status, 200)
      assert.strictEqual(provider.number(own.phoneId).pin, "333333")
      assert.strictEqual((yield* register(provider, "111111")).code, 133_005)
      const deregistered = yield* call(provider, `/${own.phoneId}/deregister`, {}, own.accessToken)
      assert.strictEqual(deregistered.status, 200)
      assert.strictEqual((yield* send(provider)).code, 133_010)
    })
  )

  it.live("is added and verified by a code", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      const path = "/100000000000001/phone_numbers"
      const added = yield* call(provider, path, { cc: "1", phone_number: "4195551518", verified_name: "Lucky Shrub" })
      const id = String(JSON.parse(added.body).id)
      assert.strictEqual((yield* call(provider, `/${id}/verify_code`, { code: "1" })).code, 100)
      yield* call(provider, `/${id}/request_code?code_method=SMS&language=en_US`, {})
      const code = provider.number(id).verificationCode
      assert.strictEqual((yield* call(provider, `/${id}/verify_code?code=${code}`, {})).status, 200)
      const pin = { messaging_product: "whatsapp", pin: "123456" }
      assert.strictEqual((yield* call(provider, `/${id}/register`, pin)).status, 200)
      assert.include((yield* call(provider, path)).body, "+1 419-555-1518")
    })
  )
})

describe("The webhook of an account", () => {
  it.live("is overridden for messages, after the app is subscribed", () =>
    Effect.gen(function* () {
      const [platform, elsewhere] = [yield* sink(), yield* sink()]
      const provider = yield* simulator({ webhook: { url: platform.url, appSecret } })
      provider.signUp({ ...own, displayPhone: "15550108888" })
      yield* register(provider)
      const override = { override_callback_uri: elsewhere.url, verify_token: "verify me" }
      assert.include((yield* subscribe(provider, override)).body, "Before override the current callback uri")
      yield* subscribe(provider)
      assert.strictEqual((yield* subscribe(provider, { ...override, verify_token: "wrong" })).code, 2_200)
      assert.strictEqual((yield* subscribe(provider, override)).status, 200)
      const listed = yield* call(provider, `/${own.businessId}/subscribed_apps`, undefined, own.accessToken)
      assert.include(listed.body, elsewhere.url)
      provider.write(own.phoneId, ada, { type: "text", text: "Hi" })
      provider.act({ act: "review", businessId: own.businessId, decision: "APPROVED" })
      yield* eventually(() => elsewhere.arrivals.length === 1)
      assert.include(elsewhere.arrivals[0]?.body, '"messages"')
      assert.isTrue(platform.arrivals.every(({ body }) => !body.includes('"messages"')))
      yield* subscribe(provider)
      provider.write(own.phoneId, ada, { type: "text", text: "Hi" })
      yield* eventually(() => platform.arrivals.some(({ body }) => body.includes('"messages"')))
      yield* call(provider, `/${own.businessId}/subscribed_apps`, undefined, own.accessToken, "DELETE")
      const before = provider.deliveries().length
      provider.write(own.phoneId, ada, { type: "text", text: "Hi" })
      assert.strictEqual(provider.deliveries().length, before)
    })
  )

  it.live("is set for the app with its token, for some fields", () =>
    Effect.gen(function* () {
      const { arrivals, url } = yield* sink()
      const provider = yield* simulator()
      const path = `/${defaultApp.appId}/subscriptions`
      const body = {
        object: "whatsapp_business_account",
        callback_url: url,
        verify_token: "verify me",
        fields: "messages"
      }
      assert.strictEqual((yield* call(provider, path, body)).code, 15)
      const token = `${defaultApp.appId}|${defaultApp.appSecret}`
      assert.strictEqual((yield* call(provider, path, body, token)).status, 200)
      provider.prefer("200000000000001", ada, "stop")
      provider.write("200000000000001", ada, { type: "text", text: "Hi" })
      yield* eventually(() => arrivals.length === 1)
      assert.include(arrivals[0]?.body, '"messages"')
    })
  )
})

describe("A token", () => {
  it.live("tells its accounts, and ends", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.signUp({ ...own, displayPhone: "15550108888", tokenLifeMillis: 60_000 })
      const path = `/debug_token?input_token=${own.accessToken}`
      const { data } = JSON.parse((yield* call(provider, path, undefined, own.accessToken)).body)
      assert.deepStrictEqual([data.is_valid, data.granular_scopes[0].target_ids], [true, [own.businessId]])
      provider.act({ act: "set_token", token: own.accessToken, scopes: ["whatsapp_business_management"] })
      yield* register(provider)
      assert.deepStrictEqual(yield* Effect.map(send(provider), ({ code, status }) => [status, code]), [403, 10])
      yield* pass(provider, 60_001)
      assert.deepStrictEqual(yield* Effect.map(send(provider), ({ code, status }) => [status, code]), [401, 190])
    })
  )

  it.live("has a limit of management calls in an hour", () =>
    Effect.gen(function* () {
      const provider = yield* simulator(kept)
      provider.signUp({ ...own, displayPhone: "15550108888" })
      const read = call(provider, `/${own.businessId}/phone_numbers`, undefined, own.accessToken)
      const answers = yield* Effect.replicateEffect(read, 201)
      assert.deepStrictEqual([answers[199]?.status, answers[200]?.status, answers[200]?.code], [200, 400, 80_007])
      yield* pass(provider, 3_600_000)
      assert.strictEqual((yield* read).status, 200)
    })
  )
})
