import { assert, describe, it } from "@effect/vitest"
import type { RunningChatSimulator } from "@parley/simulators/chat"
import { type WhatsAppFact, whatsAppFacts } from "@parley/testkit/corpora/whatsapp"
import { Effect } from "effect"
import { at, pass, statusesOf } from "../harness.ts"
import { createTemplate, fact, factSimulator, post, request } from "./grounds.ts"
import { differences } from "./shape.ts"

type Failure = WhatsAppFact<"errors">
type Trigger = (provider: RunningChatSimulator) => Effect.Effect<{ readonly status: number; readonly body: unknown }>

const text = { messaging_product: "whatsapp", to: `+${fact.customer}`, type: "text", text: { body: "Hello" } }
const messages = `/${fact.phoneId}/messages`
const templates = `/${fact.businessId}/message_templates`

const calls = `/${fact.phoneId}/calls`
const settings = `/${fact.phoneId}/settings`
const enabled = { calling: { status: "ENABLED" } }
const connect = {
  messaging_product: "whatsapp",
  to: `+${fact.customer}`,
  action: "connect",
  session: { sdp_type: "offer", sdp: "v=0" }
}

const newGroup = (provider: RunningChatSimulator): string => {
  const groupId = provider.act({ act: "create_group", phoneId: fact.phoneId, subject: "New arrivals" }) ?? ""
  provider.act({ act: "join_group", phoneId: fact.phoneId, customer: fact.customer, groupId })
  return groupId
}

const removeFromGroup = (provider: RunningChatSimulator, groupId: string, users: ReadonlyArray<string>) =>
  request(
    provider,
    "DELETE",
    `/${groupId}/participants`,
    JSON.stringify({ messaging_product: "whatsapp", participants: users.map((user) => ({ user })) }),
    { "content-type": "application/json" }
  )

const submit =
  (...components: ReadonlyArray<object>): Trigger =>
  (provider) =>
    post(provider, templates, { name: "wrong", language: "en_US", category: "UTILITY", components })

const plain = { type: "BODY", text: "Hello" }

const exchange = (provider: RunningChatSimulator, code: string) => {
  const query = new URLSearchParams({ client_id: fact.app.appId, client_secret: fact.app.appSecret, code })
  return request(provider, "GET", `/oauth/access_token?${query}`, null)
}

/** Failures with a cause of their own, by the name of the fact. */
const triggers: Readonly<Record<string, Trigger>> = {
  "error-190": (provider) => {
    provider.act({ act: "set_token", token: fact.token, expiresInMillis: -1 })
    return post(provider, messages, text)
  },
  "error-100-unknown-object": (provider) => post(provider, "/1/messages", text),
  "error-131215": (provider) =>
    post(provider, `/${fact.phoneId}/groups`, { messaging_product: "whatsapp", subject: "New arrivals" }),
  "error-138000": (provider) => post(provider, calls, connect),
  "error-138014": (provider) => {
    const restrictions = [{ type: "RESTRICTED_BUSINESS_INITIATED_CALLING", expiration: null }]
    provider.act({ act: "restrict", businessId: fact.businessId, restrictions })
    return Effect.andThen(post(provider, settings, enabled), post(provider, calls, connect))
  },
  "error-138015": (provider) => {
    provider.act({ act: "set_account", businessId: fact.businessId, messagingLimit: "TIER_250" })
    return post(provider, settings, enabled)
  },
  "error-138018": (provider) =>
    Effect.andThen(
      request(provider, "DELETE", `/${fact.businessId}/subscribed_apps`, null),
      post(provider, settings, enabled)
    ),
  "error-131202": (provider) =>
    removeFromGroup(provider, newGroup(provider), [`+${fact.customer}`, `+${fact.customer}`]),
  "error-131207": (provider) => {
    const groupId = newGroup(provider)
    provider.act({ act: "group_event", phoneId: fact.phoneId, groupId, event: "group_suspend" })
    return post(provider, messages, { ...text, recipient_type: "group", to: groupId })
  },
  "error-131212": (provider) => removeFromGroup(provider, newGroup(provider), ["+16505550000"]),
  "error-code-used": (provider) => exchange(provider, "used"),
  "error-code-expired": (provider) => {
    provider.addSignupCode("late", fact.businessId, "EAAsigned")
    provider.advance(30_001)
    return exchange(provider, "late")
  },
  "error-override-before-subscription": (provider) =>
    Effect.andThen(
      request(provider, "DELETE", `/${fact.businessId}/subscribed_apps`, null),
      post(provider, `/${fact.businessId}/subscribed_apps`, {
        override_callback_uri: "https://hooks.luckyshrub.com/whatsapp",
        verify_token: "vt-7Qe2"
      })
    ),
  "template-error-body-format": submit({ type: "BODY", text: "Hello {{2}} there", example: { body_text: [["a"]] } }),
  "template-error-edge-variable": submit({ type: "BODY", text: "Hello {{1}}", example: { body_text: [["a"]] } }),
  "template-error-exists": (provider) => Effect.andThen(createTemplate(provider, "wrong"), submit(plain)(provider)),
  "template-error-footer-format": submit(plain, { type: "FOOTER", text: "Bye {{1}}" }),
  "template-error-header-format": submit({ type: "HEADER", format: "TEXT", text: "{{1}} and {{2}}" }, plain),
  "template-error-header-handle": submit(
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["https://www.luckyshrub.com/aloe.png"] } },
    plain
  ),
  "template-error-limit": (provider) =>
    Effect.gen(function* () {
      provider.act({ act: "set_account", businessId: fact.businessId, businessVerification: "NOT_VERIFIED" })
      const create = (index: number) =>
        post(provider, templates, {
          name: `plain_${index}`,
          language: "en_US",
          category: "UTILITY",
          components: [{ type: "BODY", text: `Hello ${index}` }]
        })
      for (let index = 0; index < 250; index += 1) {
        if (index % 100 === 0) provider.advance(3_600_000)
        yield* create(index)
      }
      return yield* create(250)
    }),
  "template-error-name-being-deleted": (provider) =>
    createTemplate(provider, "wrong").pipe(
      Effect.andThen(request(provider, "DELETE", `${templates}?name=wrong`, null)),
      Effect.andThen(submit(plain)(provider))
    ),
  "template-error-too-long": submit({ type: "BODY", text: "x".repeat(1_025) }),
  "template-error-too-many-variables": submit({
    type: "BODY",
    text: "Hi {{1}}, {{2}}, {{3}}!",
    example: { body_text: [["a", "b", "c"]] }
  })
}

const asked =
  ({ code }: Failure): Trigger =>
  (provider) => {
    provider.misbehave({ on: "messages", what: { kind: "error", code } })
    return post(provider, messages, text)
  }

const inAnswer = (failure: Failure) =>
  Effect.gen(function* () {
    const { provider } = yield* factSimulator
    const trigger = triggers[failure.name] ?? asked(failure)
    const answer = yield* trigger(provider)
    assert.strictEqual(answer.status, failure.status, JSON.stringify(answer.body))
    assert.deepStrictEqual(differences(failure.body, answer.body), [])
    assert.strictEqual(at(answer.body, "error", "code"), failure.code)
    assert.strictEqual(at(answer.body, "error", "error_subcode"), at(failure.body, "error", "error_subcode"))
  })

const inWebhook = (failure: Failure) =>
  Effect.gen(function* () {
    const { provider } = yield* factSimulator
    provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: failure.code } })
    yield* post(provider, messages, text)
    yield* pass(provider, 100)
    const status = at(failure.body, "entry", 0, "changes", 0, "value", "statuses", 0)
    assert.deepStrictEqual(differences(status, statusesOf(provider)[0]), [])
    assert.strictEqual(at(statusesOf(provider)[0], "errors", 0, "code"), failure.code)
  })

/** Errors that arrive on an incoming message: the facts of webhooks contain their shape. */
const inMessages: ReadonlySet<string> = new Set(["failed-131060"])

describe("Each error of the WhatsApp facts", () => {
  for (const failure of whatsAppFacts("errors")) {
    if (inMessages.has(failure.name)) continue
    it.live(`${failure.name} has the form of the facts`, () =>
      failure.form === "answer" ? inAnswer(failure) : inWebhook(failure)
    )
  }
})
