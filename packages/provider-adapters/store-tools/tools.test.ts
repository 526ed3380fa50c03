import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { InboundDeliveries } from "@parley/domain/platform"
import { codeChallenge, codeVerifier, TestKit } from "@parley/testkit"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Layer, Redacted, Schema } from "effect"
import { call, Http } from "../../http-adapter/test/harness/Http.ts"
import { assertStatus, textAt } from "../../http-adapter/test/harness/answers.ts"
import { as } from "../../http-adapter/test/harness/crm.ts"
import { givenTenant, inside } from "../../http-adapter/test/harness/tenants.ts"
import { definitionsOf } from "../../simulators/src/store/apiVersions.ts"
import { apiVersions } from "../src/stores/shopify/assumptions.ts"
import {
  agree,
  app,
  connect,
  domain,
  parametersOf,
  platform,
  redirectUri,
  simulated
} from "../test/stores/simulated.ts"
import { asked, callsOf } from "./questions.ts"

const Library = Schema.Struct({
  authorizeUrl: Schema.String,
  accepted: Schema.Array(Schema.Unknown),
  delivered: Schema.Array(Schema.Boolean),
  hmac: Schema.String,
  signature: Schema.String
})

/** The service over HTTP, with the adapter and its own simulator. */
const served = Http.layer(Layer.merge(TestKit.layer, simulated({ attempts: 1 })))

const Verdict = Schema.Struct({ faults: Schema.Array(Schema.String), differences: Schema.Array(Schema.String) })

layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })("Shopify, as it says itself", (it) => {
  it.effect.each(apiVersions)(
    "has every document of the adapter, and the simulated part, in the schema of version %s",
    (apiVersion) =>
      Effect.gen(function* () {
        const question = { apiVersion, documents: callsOf(apiVersion), simulated: definitionsOf(apiVersion) }
        assert.deepStrictEqual(yield* asked("schemaProgram.mjs", question, Verdict), { faults: [], differences: [] })
      }),
    120_000
  )

  it.effect(
    "verifies what is signed here, and signs what is verified here",
    () =>
      Effect.gen(function* () {
        const simulator = yield* StoreSimulator
        const { authorizeUrl, decode, isSigned, readCallback, scopes, subscribe } = yield* platform
        const state = Redacted.make("a state")
        const ours = authorizeUrl(domain, state, redirectUri)
        const agreed = agree(simulator, ours)
        const denied = parametersOf(simulator.decide(ours, false))
        const { access } = yield* connect()
        yield* subscribe(access, "http://127.0.0.1:9/hook")
        simulator.turns(domain, 40)
        const deliveries = simulator.deliveries().map(({ body, headers }) => ({ body, headers }))
        assert.isAbove(deliveries.length, 40)

        const toSign = {
          code: "c ö+d/e=",
          host: "aG9zdA==",
          shop: domain,
          state: "s&=%",
          timestamp: agreed["timestamp"] ?? ""
        }
        const toDeliver = JSON.stringify({ id: 1, title: "Ça va ? 🥐" })
        const answer = yield* asked(
          "libraryProgram.mjs",
          {
            app: { clientId: app.clientId, clientSecret: Redacted.value(app.clientSecret) },
            scopes,
            shop: domain,
            redirectUri,
            callbacks: [agreed, denied, { ...agreed, code: "another" }],
            deliveries: [...deliveries, { ...deliveries[0], body: "{}" }],
            toSign,
            toDeliver
          },
          Library
        )

        const theirs = parametersOf(answer.authorizeUrl)
        for (const name of ["client_id", "redirect_uri"]) assert.strictEqual(theirs[name], parametersOf(ours)[name])
        assert.sameMembers((theirs["scope"] ?? "").split(","), [...scopes])
        assert.strictEqual(new URL(answer.authorizeUrl).pathname, "/admin/oauth/authorize")

        assert.deepStrictEqual(answer.accepted, [true, true, false])
        assert.deepStrictEqual(answer.delivered, [...deliveries.map(() => true), false])

        const callback = readCallback({ ...toSign, hmac: answer.hmac })
        assert.strictEqual(Redacted.value(callback?.code ?? Redacted.make("")), toSign.code)
        const request = {
          headers: {
            "x-shopify-hmac-sha256": answer.signature,
            "x-shopify-shop-domain": domain,
            "x-shopify-topic": "products/create"
          },
          body: Buffer.from(toDeliver)
        }
        assert.isTrue(isSigned(request))
        assert.strictEqual(decode("", request)?.shopDomain, domain)
      }).pipe(Effect.provide(simulated({ attempts: 1 }))),
    120_000
  )

  it.effect(
    "connects over HTTP with signatures of the provider's library, and delivers there",
    () =>
      Effect.gen(function* () {
        const simulator = yield* StoreSimulator
        const tenant = yield* givenTenant()
        const wanted = { provider: "shopify", shopDomain: domain, codeChallenge }
        const begun = yield* as(tenant)("POST", "/store_connections", wanted)
        assertStatus(begun, 201)
        const { hmac: _hmac, ...toSign } = agree(simulator, textAt(begun, "authorizeUrl"))
        const toDeliver = JSON.stringify({ id: 1, title: "Ça va ? 🥐" })
        const { hmac, signature } = yield* asked(
          "libraryProgram.mjs",
          {
            app: { clientId: app.clientId, clientSecret: Redacted.value(app.clientSecret) },
            scopes: ["read_customers", "read_orders", "read_products"],
            shop: domain,
            redirectUri,
            callbacks: [],
            deliveries: [],
            toSign,
            toDeliver
          },
          Library
        )
        const query = new URLSearchParams(
          Object.entries({ ...toSign, hmac }).map(([name, value]) => [name, value ?? ""])
        )
        const received = yield* call("GET", `/api/v1/integrations/storefront/callback?${query}`)
        assertStatus(received, 200)
        const completePath = `/store_connections/${textAt(begun, "id")}/complete`
        const connected = yield* as(tenant)("POST", completePath, { code: textAt(received, "code"), codeVerifier })
        assertStatus(connected, 200)
        assert.deepInclude(connected.body, { id: textAt(begun, "id"), status: "connected" })
        const headers = {
          "x-shopify-hmac-sha256": signature,
          "x-shopify-shop-domain": domain,
          "x-shopify-topic": "products/create"
        }
        const path = "/webhooks/storefront/shopify"
        assertStatus(yield* call("POST", path, { headers, text: toDeliver }), 200)
        assertStatus(yield* call("POST", path, { headers, text: `${toDeliver} ` }), 401)
        const kept = yield* (yield* InboundDeliveries)
          .list(null, { limit: 9, after: null })
          .pipe(inside(tenant.organization))
        assert.deepStrictEqual(
          kept.map(({ provider, source }) => [source, provider]),
          [["stores", "shopify"]]
        )
      }).pipe(Effect.provide(served)),
    120_000
  )
})
