import { NodeHttpClient } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { layer as whatsApp } from "@parley/provider-adapters/chat/whatsapp"
import { ChatSimulator, layer as simulator } from "@parley/simulators/chat"
import { TestKit } from "@parley/testkit"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { at, idsOf, textAt } from "./harness/answers.ts"
import { Address, callPort, layerListening } from "./harness/sockets.ts"
import { givenTenant, type Tenant } from "./harness/tenants.ts"

const [appSecret = Redacted.make("")] = TestKit.testPlatformApp.appSecrets
const app = { appId: TestKit.testPlatformApp.appId, appSecret: Redacted.value(appSecret) }

const phoneId = "200000000000077"
const businessId = "100000000000077"
const customer = "+4915123456789"

const provider = simulator({ app, numbers: [], reviewMillis: 0, receipts: { sent: 1, delivered: 2, read: null } })

const ports = Layer.unwrap(
  Effect.map(ChatSimulator, ({ url }) =>
    Layer.merge(TestKit.layer, whatsApp({ baseUrl: url, app: { appId: app.appId, appSecret } }))
  )
).pipe(Layer.provide(NodeHttpClient.layerUndici), Layer.provideMerge(provider))

/** Calls the service as the owner of the organization. */
const asOwner = ({ organization, owner }: Tenant, port: number) =>
  Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
    const call = { token: owner.token, organization: organization.id, ...(body !== undefined && { body }) }
    return yield* callPort(port, method, `/api/v1${path}`, call)
  })

/** Repeats a call until its answer is as expected. */
const until = <A, E, R>(effect: Effect.Effect<A, E, R>, isDone: (answer: A) => boolean) =>
  Effect.repeat(effect, { until: isDone, schedule: Schedule.spaced("10 millis") }).pipe(Effect.timeout("20 seconds"))

layer(layerListening(ports, { accessLog: false }), { excludeTestServices: true })("a live-like onboarding", (it) => {
  it.effect(
    "goes from the signup to a delivered template",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Address
        const simulated = yield* ChatSimulator
        const tenant = yield* givenTenant()
        const send = asOwner(tenant, port)
        simulated.setWebhook({ url: `http://127.0.0.1:${port}/webhooks/chat`, appSecret: app.appSecret })

        // Signup: the browser of the customer gets a code and a session event.
        const session = simulated.signUp({
          businessId,
          phoneId,
          displayPhone: "15550100077",
          verifiedName: "Corner Bakery",
          accessToken: "EAAjourney",
          code: "journey-code"
        })
        const connected = yield* send("POST", "/chat/platform_app", { code: "journey-code", session })
        assert.strictEqual(connected.status, 201, connected.text)
        const id = textAt(connected, "id")
        const pin = textAt(connected, "registrationPin")
        assert.match(pin, /^\d{6}$/u)
        assert.deepStrictEqual(
          [connected.body["status"], at(connected.body, "number", "platform"), simulated.number(phoneId).pin],
          ["connected", "cloud_api", pin]
        )
        const statesOf = Effect.map(send("GET", `/chat_accounts/${id}/onboarding`), ({ body }) =>
          Object.fromEntries(
            (body["steps"] as ReadonlyArray<{ step: string; state: string }>).map(({ state, step }) => [step, state])
          )
        )
        assert.deepStrictEqual(yield* statesOf, {
          code_exchanged: "done",
          token: "done",
          number_verified: "done",
          display_name: "done",
          registered: "done",
          app_subscribed: "done",
          // The address of the app in the simulator is not the public address of the service.
          webhook_address: "unknown",
          webhook_received: "waiting",
          payment_method: "done"
        })

        // A code works once.
        const again = yield* send("POST", "/chat/platform_app", { code: "journey-code", session: { ...session } })
        assert.strictEqual(again.body["code"], "signup_code_refused")

        // Template: created, submitted, approved.
        const template = yield* send("POST", "/message_templates", {
          chatAccountId: id,
          name: "order_ready",
          language: "en",
          category: "utility",
          components: { body: { text: "Your order is ready for collection." } }
        })
        assert.strictEqual(template.status, 201, template.text)
        const templateId = textAt(template, "id")
        assert.strictEqual((yield* send("POST", `/message_templates/${templateId}/submit`)).status, 200)
        yield* until(send("GET", `/message_templates/${templateId}`), ({ body }) => body["status"] === "approved")

        // First message: a template to a new contact.
        const contact = yield* send("POST", "/contacts", { name: "Marie", phone: customer })
        assert.strictEqual(contact.status, 201, contact.text)
        simulated.addCustomer(customer, "Marie")
        const conversation = yield* send("POST", "/conversations", {
          contactId: textAt(contact, "id"),
          chatAccountId: id
        })
        const messages = `/conversations/${textAt(conversation, "id")}/messages`
        const sent = yield* send("POST", messages, { kind: "template", template: { id: templateId } })
        assert.strictEqual(sent.status, 202, sent.text)
        yield* until(send("GET", messages), ({ body }) => at(body, "data", 0, "status") === "delivered")
        assert.lengthOf(idsOf(yield* send("GET", messages)), 1)
        assert.strictEqual((yield* statesOf)["webhook_received"], "done")
      }),
    60_000
  )

  it.effect(
    "registers with the PIN of the owner, and refuses another one",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Address
        const simulated = yield* ChatSimulator
        const send = asOwner(yield* givenTenant(), port)
        const owned = { businessId: "100000000000078", phoneId: "200000000000078" }
        simulated.addNumber({ ...owned, displayPhone: "15550100078", accessToken: "EAAowner" }, "verified")
        const connect = yield* send("POST", "/chat_accounts", {
          displayName: "Shop",
          externalAccountId: owned.businessId,
          externalPhoneId: owned.phoneId,
          accessToken: "EAAowner",
          appSecret: app.appSecret,
          appId: app.appId
        })
        assert.strictEqual(connect.status, 201, connect.text)
        const path = `/chat_accounts/${textAt(connect, "id")}`
        assert.strictEqual((yield* send("POST", `${path}/register`, { pin: "581063" })).status, 200)
        assert.strictEqual((yield* send("POST", `${path}/deregister`)).status, 200)
        const wrong = yield* send("POST", `${path}/register`, { pin: "000000" })
        assert.deepStrictEqual(
          [wrong.status, wrong.body["code"], wrong.body["reason"], wrong.body["providerCode"]],
          [422, "onboarding_refused", "pin_mismatch", 133_005]
        )
        const right = yield* send("POST", `${path}/register`, { pin: "581063" })
        assert.deepStrictEqual([right.status, right.body["status"]], [200, "connected"])
        const changed = yield* send("POST", `${path}/pin`, { pin: "150954" })
        assert.deepStrictEqual([changed.status, simulated.number(owned.phoneId).pin], [200, "150954"])
        const refused = yield* send("PATCH", path, { messagingAccountId: "100000000000999" })
        assert.deepStrictEqual(
          [refused.status, refused.body["code"], refused.body["pointer"]],
          [422, "chat_token_unsuitable", "/messagingAccountId"]
        )
        const bad = yield* send("POST", `${path}/pin`, { pin: "12345" })
        assert.deepStrictEqual([bad.status, at(bad.body, "errors", 0, "pointer")], [400, "/pin"])
      }),
    60_000
  )

  it.effect(
    "adds a number, verifies it by a code and registers it",
    () =>
      Effect.gen(function* () {
        const { port } = yield* Address
        const simulated = yield* ChatSimulator
        const send = asOwner(yield* givenTenant(), port)
        const sister = { businessId: "100000000000079", phoneId: "200000000000079" }
        simulated.addNumber({ ...sister, displayPhone: "15550100079", accessToken: "EAAsister" }, "verified")
        const connect = yield* send("POST", "/chat_accounts", {
          externalAccountId: sister.businessId,
          externalPhoneId: sister.phoneId,
          accessToken: "EAAsister",
          appSecret: app.appSecret,
          appId: app.appId
        })
        const addition = { phone: "+14155550199", verifiedName: "Lucky Shrub" }
        const added = yield* send("POST", `/chat_accounts/${textAt(connect, "id")}/numbers`, addition)
        assert.deepStrictEqual(
          [added.status, added.body["phone"], at(added.body, "number", "codeVerification")],
          [201, "+14155550199", "not_verified"]
        )
        const path = `/chat_accounts/${textAt(added, "id")}`
        const early = yield* send("POST", `${path}/register`, {})
        assert.deepStrictEqual([early.status, early.body["reason"]], [422, "number_not_verified"])
        assert.strictEqual((yield* send("POST", `${path}/request_code`, { method: "sms" })).status, 200)
        const wrong = yield* send("POST", `${path}/verify_code`, { code: "000000" })
        assert.deepStrictEqual([wrong.status, wrong.body["reason"]], [422, "code_wrong"])
        const code = simulated.number(textAt(added, "externalPhoneId")).verificationCode
        const verified = yield* send("POST", `${path}/verify_code`, { code })
        assert.deepStrictEqual([verified.status, at(verified.body, "number", "codeVerification")], [200, "verified"])
        const registered = yield* send("POST", `${path}/register`, {})
        assert.deepStrictEqual([registered.status, registered.body["status"]], [200, "connected"])
      }),
    60_000
  )
})
