import { assert } from "@effect/vitest"
import { InboundDeliveries } from "@parley/domain/platform"
import { ChatAccountId, type InboundEvent } from "@parley/domain/messaging"
import { type Ports, processDueDeliveries } from "@parley/domain/composition"
import { TestKit } from "@parley/testkit"
import { Effect, type Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { createHmac } from "node:crypto"
import { assertProblem, assertStatus, idsOf, pointersOf, rowsOf } from "../harness/answers.ts"
import { added, as, idOf } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import {
  deliver,
  delivery,
  freshSecret,
  givenConversation,
  givenMessage,
  givenNumber,
  newNumber,
  newSignup,
  signedDelivery,
  verifyTokenOf,
  written
} from "../harness/inbox.ts"
import { overHttp } from "../harness/service.ts"
import { freshId, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const prefixes = [{ prefix: "" }, { prefix: "/api/v1" }]

const handshake = (token: string, others: Record<string, string> = {}) =>
  new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "1158201444", ...others })

const platformToken = Redacted.value(TestKit.testPlatformApp.verifyToken)

const sign = (secret: string, text: string) => `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`

const stored = ({ organization }: Tenant) =>
  Effect.flatMap(InboundDeliveries, (deliveries) => deliveries.list(null, { limit: 100, after: null })).pipe(
    inside(organization)
  )

/** A number connected over HTTP, with the secrets it was connected with. */
const connected = Effect.fnUntraced(function* (tenant: Tenant) {
  const input = yield* newNumber
  const account = yield* added(tenant, "/chat_accounts", input)
  return { ...input, id: idOf(account), verifyToken: String(account.body.verifyToken) }
})

const somebodyWrote = Effect.fnUntraced(function* (
  account: { readonly externalAccountId: string; readonly externalPhoneId: string },
  text: string
) {
  return { ...(yield* written(account, text)), businessId: account.externalAccountId }
})

/** What the chat provider calls. */
export const chatWebhooksSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(prefixes)("the handshake answers the challenge as it is, at $prefix/webhooks/chat", ({ prefix }) =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* connected(tenant)
        for (const [path, token] of [
          [`${prefix}/webhooks/chat/${tenant.organization.id}`, account.verifyToken],
          [`${prefix}/webhooks/chat`, platformToken]
        ] as const) {
          const answer = yield* call("GET", `${path}?${handshake(token)}`)
          assertStatus(answer, 200)
          assert.strictEqual(answer.text, "1158201444")
          assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/)
          const odd = "<script>\"'%&+é"
          const raw = yield* call("GET", `${path}?${handshake(token, { "hub.challenge": odd, extra: "1" })}`)
          assert.deepStrictEqual([raw.status, raw.text], [200, odd])
          assert.strictEqual(raw.headers.get("x-content-type-options"), "nosniff")
          for (const wrong of [
            handshake("wrong"),
            handshake(""),
            handshake(token, { "hub.mode": "unsubscribe" }),
            new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": token }),
            new URLSearchParams({ "hub.mode": "subscribe", "hub.challenge": "1" }),
            new URLSearchParams()
          ]) {
            assertProblem(yield* call("GET", `${path}?${wrong}`), 403, "webhook_forbidden")
          }
        }
      })
    )

    it.effect("a verify token is good for its own organization only", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const account = yield* givenNumber(tenant.organization)
        const query = handshake(verifyTokenOf(account))
        for (const id of [other.organization.id, yield* freshId]) {
          assertProblem(yield* call("GET", `/webhooks/chat/${id}?${query}`), 403, "webhook_forbidden")
        }
        assertProblem(yield* call("GET", `/webhooks/chat?${query}`), 403, "webhook_forbidden")
        const noId = yield* call("GET", `/webhooks/chat/x?${query}`)
        assertProblem(noId, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(noId), ["/path/organization_id"])
      })
    )

    it.effect.each(prefixes)(
      "a signed delivery is stored for good before 200, at $prefix/webhooks/chat/:id",
      ({ prefix }) =>
        Effect.gen(function* () {
          const tenant = yield* givenTenant()
          const account = yield* givenNumber(tenant.organization)
          const request = yield* delivery([yield* somebodyWrote(account, "Hello?")], account)
          const answer = yield* call("POST", `${prefix}/webhooks/chat/${tenant.organization.id}`, request)
          assertStatus(answer, 200)
          assert.strictEqual(answer.text, "")
          assert.lengthOf(yield* stored(tenant), 1)
          // Deliveries have no token, and the service does not show their rate.
          assert.isNull(answer.headers.get("ratelimit"))
          yield* processDueDeliveries
          assert.lengthOf(idsOf(yield* as(tenant)("GET", "/conversations")), 1)
        })
    )

    it.effect("a delivery that comes again changes nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        const request = yield* delivery([yield* somebodyWrote(account, "Hello?")], account)
        for (let count = 0; count < 3; count++) {
          assertStatus(yield* call("POST", `/webhooks/chat/${tenant.organization.id}`, request), 200)
          yield* processDueDeliveries
        }
        const [conversation] = idsOf(yield* as(tenant)("GET", "/conversations"))
        assert.lengthOf(rowsOf(yield* as(tenant)("GET", `/conversations/${conversation}/messages`)), 1)
      })
    )

    it.effect("a delivery without a good signature is refused, and nothing of it is stored", () =>
      Effect.gen(function* () {
        const [tenant, other] = [yield* givenTenant(), yield* givenTenant()]
        const account = yield* connected(tenant)
        yield* connected(other)
        const text = JSON.stringify({ memory: [] })
        const good = sign(account.appSecret, text)
        const path = `/webhooks/chat/${tenant.organization.id}`
        const send = (signature: string | undefined, body = text, to = path) =>
          call("POST", to, {
            text: body,
            ...(signature !== undefined && { headers: { "x-hub-signature-256": signature } })
          })
        for (const wrong of [
          yield* send(undefined),
          yield* send(""),
          yield* send("sha256="),
          yield* send(good.slice(0, -1)),
          yield* send(good.replace("sha256=", "sha1=")),
          yield* send(sign(yield* freshSecret, text)),
          yield* send(sign("", text)),
          yield* send(good, `${text} `),
          yield* send(good, text, `/webhooks/chat/${other.organization.id}`),
          yield* send(good, text, `/webhooks/chat/${yield* freshId}`),
          yield* send(good, text, "/webhooks/chat")
        ]) {
          assertProblem(wrong, 401, "webhook_signature_invalid")
        }
        for (const each of [tenant, other]) assert.isEmpty(yield* stored(each))
        assertStatus(yield* send(good), 200)
      })
    )

    it.effect("a signature covers the received bytes for every content", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { appSecret } = yield* connected(tenant)
        for (const text of [
          '{ "memory" :\n [] , "x": 1.0, "é": "\\u00e9" }',
          "not JSON at all",
          "",
          "[".repeat(100_000),
          '{"a":"\u2028\u0000"}'
        ]) {
          const answer = yield* call("POST", `/webhooks/chat/${tenant.organization.id}`, {
            text,
            headers: { "x-hub-signature-256": sign(appSecret, text) }
          })
          assertStatus(answer, 200)
        }
        yield* processDueDeliveries
      })
    )

    it.effect("a new secret and the former one are both good for a day", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* connected(tenant)
        const appSecret = yield* freshSecret
        assertStatus(yield* as(tenant)("PATCH", `/chat_accounts/${account.id}`, { appSecret }), 200)
        for (const secret of [appSecret, account.appSecret]) {
          const text = JSON.stringify({ memory: [], secret: secret === appSecret })
          const headers = { "x-hub-signature-256": sign(secret, text) }
          assertStatus(yield* call("POST", `/webhooks/chat/${tenant.organization.id}`, { text, headers }), 200)
        }
        yield* TestClock.adjust("1 day")
        const statuses = yield* Effect.forEach([appSecret, account.appSecret], (secret) => {
          const text = JSON.stringify({ memory: [], later: secret === appSecret })
          const headers = { "x-hub-signature-256": sign(secret, text) }
          return call("POST", `/webhooks/chat/${tenant.organization.id}`, { text, headers })
        })
        assert.deepStrictEqual(
          statuses.map(({ status }) => status),
          [200, 401]
        )
      })
    )

    it.effect("a delivery is accepted with every media type, and an unreadable one is parked", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { appSecret } = yield* connected(tenant)
        const [platformSecret] = TestKit.testPlatformApp.appSecrets
        const types = ["text/plain", "application/x-www-form-urlencoded", "application/octet-stream", "*/*", "", "x"]
        for (const [index, type] of types.entries()) {
          const text = `no JSON ${index}`
          for (const [path, secret] of [
            [`/webhooks/chat/${tenant.organization.id}`, appSecret],
            [`/api/v1/webhooks/chat/${tenant.organization.id}`, appSecret],
            ["/webhooks/chat", Redacted.value(platformSecret)],
            ["/api/v1/webhooks/chat", Redacted.value(platformSecret)]
          ] as const) {
            const headers = { "content-type": type, "x-hub-signature-256": sign(secret, text) }
            assertStatus(yield* call("POST", path, { text, headers }), 200)
            const unsigned = yield* call("POST", path, { text: `${text}.`, headers })
            assertProblem(unsigned, 401, "webhook_signature_invalid")
          }
        }
        yield* processDueDeliveries
        const kept = yield* stored(tenant)
        assert.lengthOf(kept, types.length)
        for (const { reason, state } of kept) {
          assert.deepStrictEqual([state, reason], ["parked", "This is not a delivery of the provider whatsapp."])
        }
      })
    )

    it.effect("more than 3 MiB is refused, and 3 MiB, however deeply nested, is not", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { appSecret } = yield* connected(tenant)
        const send = (bytes: number) => {
          const text = `{"memory":${"[".repeat(64)}${"]".repeat(64)},"x":"${"x".repeat(bytes - 146)}"}`
          return call("POST", `/webhooks/chat/${tenant.organization.id}`, {
            text,
            headers: { "x-hub-signature-256": sign(appSecret, text) }
          })
        }
        const large = yield* send(3 * 1024 * 1024 + 1)
        assertProblem(large, 413, "payload_too_large")
        assert.strictEqual(large.body.max, 3 * 1024 * 1024)
        assertStatus(yield* send(3 * 1024 * 1024), 200)
      })
    )

    it.effect("a delivery through the platform app is split by the owners of its numbers", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenTenant(), yield* givenTenant()]
        const signups = [yield* newSignup, yield* newSignup] as const
        yield* added(one, "/chat/platform_app", signups[0])
        yield* added(other, "/chat/platform_app", signups[1])
        const events: Array<InboundEvent> = []
        for (const signup of signups) events.push(yield* somebodyWrote(signup, `To ${signup.externalPhoneId}`))
        events.push(yield* somebodyWrote(yield* newNumber, "To nobody"))
        assertStatus(yield* call("POST", "/webhooks/chat", yield* delivery(events, "platform app")), 200)
        yield* processDueDeliveries
        for (const [tenant, { externalPhoneId }] of [
          [one, signups[0]],
          [other, signups[1]]
        ] as const) {
          const list = yield* as(tenant)("GET", "/conversations")
          assert.lengthOf(idsOf(list), 1)
          assert.include(list.text, `To ${externalPhoneId}`)
        }
      })
    )

    it.effect("a key of idempotency is not for providers, and neither is a token", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        const key = { "idempotency-key": "once", authorization: "Bearer nonsense", "x-organization-id": "nonsense" }
        for (const words of ["One.", "Two."]) {
          const { headers, text } = yield* delivery([yield* somebodyWrote(account, words)], account)
          const answer = yield* call("POST", `/webhooks/chat/${tenant.organization.id}`, {
            text,
            headers: { ...headers, ...key }
          })
          assertStatus(answer, 200)
          assert.isNull(answer.headers.get("idempotency-replayed"))
        }
        assert.lengthOf(yield* stored(tenant), 2)
      })
    )

    it.effect("a receipt that one account delivers changes no message of another", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const connect = (displayName: string) =>
          added(tenant, "/chat_accounts", { provider: "webhook", displayName, url: "https://chat.shop.example/parley" })
        const [own, other] = [yield* connect("Shop"), yield* connect("Blog")]
        const conversation = yield* givenConversation(tenant.organization, {
          chatAccountId: ChatAccountId.make(idOf(own))
        })
        const message = yield* givenMessage(tenant.organization, conversation, {
          direction: "outbound",
          author: { kind: "operator", id: "test" },
          status: "sent"
        })
        const path = `/conversations/${conversation.id}/messages/${message.id}`
        const read = {
          kind: "receipt",
          phoneId: idOf(own),
          id: message.providerMessageId ?? message.id,
          at: message.at,
          status: "read",
          to: { phone: null, chatUser: null },
          reference: message.id,
          error: null
        } as const
        for (const [account, status] of [
          [other, "sent"],
          [own, "read"]
        ] as const) {
          const request = yield* signedDelivery([read], Redacted.make(String(account.body.signingSecret)))
          const to = `/webhooks/chat/${tenant.organization.id}/${idOf(account)}`
          assertStatus(yield* call("POST", to, request), 200)
          yield* processDueDeliveries
          assert.strictEqual((yield* as(tenant)("GET", path)).body.status, status)
        }
      })
    )

    it.effect("unknown parts of a delivery are stored without an error", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const account = yield* givenNumber(tenant.organization)
        const unknown = {
          kind: "unknown",
          businessId: account.externalAccountId,
          phoneId: account.externalPhoneId,
          field: "flows"
        } as const
        assertStatus(yield* deliver(tenant.organization, account, [unknown]), 200)
        const [kept] = yield* stored(tenant)
        assert.deepStrictEqual([kept?.state, kept?.events, kept?.unknown], ["applied", 1, 1])
      })
    )
  })
