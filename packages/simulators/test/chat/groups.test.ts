import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { Effect } from "effect"
import {
  ada,
  at,
  bob,
  call,
  kept,
  listAt,
  pass,
  phoneId,
  sendPath,
  simulator,
  statusesOf,
  valuesOf
} from "./harness.ts"

const started = Effect.map(simulator({ ...kept, pairMillis: 0 }), (provider) => {
  provider.act({ act: "set_number", phoneId, isOfficial: true })
  return provider
})

const create = (provider: RunningChatSimulator, isApprovalRequired = false): string =>
  provider.act({ act: "create_group", phoneId, subject: "Staff", isApprovalRequired }) ?? ""

const join = (provider: RunningChatSimulator, groupId: string, customer: string) =>
  provider.act({ act: "join_group", phoneId, groupId, customer })

const send = (provider: RunningChatSimulator, groupId: string, content: object) =>
  Effect.map(
    call(provider, sendPath, { messaging_product: "whatsapp", recipient_type: "group", to: groupId, ...content }),
    ({ code }) => code
  )

const text = { type: "text", text: { body: "Good morning, all" } }

const countOf = (provider: RunningChatSimulator, groupId: string) =>
  Effect.map(call(provider, `/${groupId}?fields=total_participant_count`), ({ body }) =>
    Number(at(JSON.parse(body), "total_participant_count"))
  )

const decide = (provider: RunningChatSimulator, groupId: string, method: string, ids: ReadonlyArray<string>) =>
  Effect.map(
    call(
      provider,
      `/${groupId}/join_requests`,
      { messaging_product: "whatsapp", join_requests: ids },
      undefined,
      method
    ),
    ({ body, status }) => ({ status, answer: JSON.parse(body) })
  )

const requestsOf = (provider: RunningChatSimulator, groupId: string) =>
  Effect.map(call(provider, `/${groupId}/join_requests`), ({ body }) =>
    listAt(JSON.parse(body), "data").map((each) => String(at(each, "join_request_id")))
  )

describe("A group", () => {
  it.live("has at most eight customers", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider)
      for (let index = 0; index < 9; index += 1) join(provider, groupId, `1555000000${index}`)
      assert.strictEqual(yield* countOf(provider, groupId), 8)
      provider.act({ act: "leave_group", phoneId, groupId, customer: "15550000000" })
      join(provider, groupId, "15550000008")
      assert.strictEqual(yield* countOf(provider, groupId), 8)
    })
  )

  it.live("lets a customer in after an approval, if it asks for one", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider, true)
      for (const customer of [ada, bob, "15550000000"]) join(provider, groupId, customer)
      assert.strictEqual(yield* countOf(provider, groupId), 0)
      const [first = "", second = "", third = ""] = yield* requestsOf(provider, groupId)
      const approved = yield* decide(provider, groupId, "POST", [first])
      assert.deepStrictEqual([approved.status, approved.answer.approved_join_requests], [200, [first]])
      const rejected = yield* decide(provider, groupId, "DELETE", [second])
      assert.deepStrictEqual([rejected.status, rejected.answer.rejected_join_requests], [200, [second]])
      const partial = yield* decide(provider, groupId, "POST", [second, third])
      assert.deepStrictEqual([partial.status, partial.answer.approved_join_requests], [206, [third]])
      assert.strictEqual(at(partial.answer, "failed_join_requests", 0, "errors", 0, "code"), 131_213)
      assert.deepStrictEqual(yield* requestsOf(provider, groupId), [])
      assert.strictEqual(yield* countOf(provider, groupId), 2)
    })
  )

  it.live("approves no request over its limit", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider, true)
      for (let index = 0; index < 9; index += 1) join(provider, groupId, `1555000000${index}`)
      const { answer, status } = yield* decide(provider, groupId, "POST", yield* requestsOf(provider, groupId))
      assert.deepStrictEqual([status, answer.approved_join_requests.length], [206, 8])
      assert.strictEqual(at(answer, "failed_join_requests", 0, "errors", 0, "code"), 131_204)
    })
  )

  it.live("takes no messages and customers while it is suspended", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider)
      join(provider, groupId, ada)
      assert.isNull(yield* send(provider, groupId, text))
      provider.act({ act: "group_event", phoneId, groupId, event: "group_suspend" })
      join(provider, groupId, bob)
      assert.strictEqual(yield* send(provider, groupId, text), 131_207)
      assert.strictEqual((yield* call(provider, `/${groupId}`, { subject: "All" })).code, 131_207)
      provider.act({ act: "group_event", phoneId, groupId, event: "group_suspend_cleared" })
      assert.isNull(yield* send(provider, groupId, text))
      assert.strictEqual(yield* countOf(provider, groupId), 1)
    })
  )

  it.live("does not let a removed customer in again", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider)
      join(provider, groupId, ada)
      const participants = [{ user: `+${ada}` }]
      const body = { messaging_product: "whatsapp", participants }
      yield* call(provider, `/${groupId}/participants`, body, undefined, "DELETE")
      join(provider, groupId, ada)
      assert.strictEqual(yield* countOf(provider, groupId), 0)
    })
  )

  it.live("takes texts, media and their templates only", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider)
      join(provider, groupId, ada)
      const action = { buttons: [{ type: "reply", reply: { id: "1", title: "Yes" } }] }
      const interactive = { type: "button", body: { text: "Choose" }, action }
      assert.strictEqual(yield* send(provider, groupId, { type: "interactive", interactive }), 131_051)
      const components = [{ type: "BODY" }, { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE" }] }]
      yield* call(provider, "/100000000000001/message_templates", {
        name: "login_code",
        language: "en_US",
        category: "AUTHENTICATION",
        components
      })
      yield* pass(provider, 1_000)
      const template = { name: "login_code", language: { code: "en_US" } }
      assert.strictEqual(yield* send(provider, groupId, { type: "template", template }), 131_051)
    })
  )

  it.live("belongs to an official account outside of the WhatsApp Business app", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const body = { messaging_product: "whatsapp", subject: "Staff" }
      assert.isNull((yield* call(provider, `/${phoneId}/groups`, body)).code)
      const app = { phoneId, businessId: "100000000000001", displayPhone: bob, accessToken: "simulator-token" }
      provider.addNumber(app, "coexistence")
      provider.act({ act: "set_number", phoneId, isOfficial: true })
      assert.strictEqual((yield* call(provider, `/${phoneId}/groups`, body)).code, 131_215)
    })
  )

  it.live("is the recipient of sent and failed messages", () =>
    Effect.gen(function* () {
      const provider = yield* started
      const groupId = create(provider)
      for (const customer of [ada, bob]) join(provider, groupId, customer)
      yield* send(provider, groupId, text)
      yield* pass(provider, 1_000)
      provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_049 } })
      yield* send(provider, groupId, text)
      yield* pass(provider, 1_000)
      const states = statusesOf(provider).map((status) => [
        at(status, "status"),
        at(status, "recipient_id") === groupId,
        at(status, "recipient_participant_id")
      ])
      assert.deepStrictEqual(states, [
        ["sent", true, undefined],
        ["delivered", true, ada],
        ["delivered", true, bob],
        ["read", true, ada],
        ["read", true, bob],
        ["failed", true, undefined]
      ])
      assert.lengthOf(valuesOf(provider, "messages"), 4)
    })
  )
})
