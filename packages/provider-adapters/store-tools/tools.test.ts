import { NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import { InboundDeliveries, type RecordKind } from "@parley/domain"
import { codeChallenge, codeVerifier, TestKit } from "@parley/testkit"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, FileSystem, Layer, Path, Redacted, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { call, Http } from "../../http-adapter/test/harness/Http.ts"
import { assertStatus, textAt } from "../../http-adapter/test/harness/answers.ts"
import { as } from "../../http-adapter/test/harness/crm.ts"
import { givenTenant, inside } from "../../http-adapter/test/harness/tenants.ts"
import { runTool } from "../../http-adapter/test/openapi/runTool.ts"
import { definitions } from "../../simulators/src/store/schema.ts"
import { apiVersion } from "../src/stores/shopify/assumptions.ts"
import { personal } from "../src/stores/shopify/collections.ts"
import * as documents from "../src/stores/shopify/documents.ts"
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

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Has a program of the tools answer something. */
const asked = Effect.fnUntraced(function* <A>(name: string, question: object, answer: Schema.Codec<A, unknown>) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-stores-" })
  const file = (yield* Path.Path).join(folder, "question.json")
  yield* fs.writeFileString(file, JSON.stringify(question))
  const { exit, faults, output } = yield* runTool(folder, process.execPath, [program(name), file])
  assert.strictEqual(exit, 0, faults)
  return yield* Schema.decodeEffect(Schema.fromJsonString(answer))(output)
})

const kinds: ReadonlyArray<RecordKind> = ["products", "customers", "orders", "carts"]
const nothing: ReadonlySet<string> = new Set()

/** Every call that the adapter makes, with all fields, and with those only that need no approval. */
const calls = [
  ...kinds.flatMap((kind) =>
    [nothing, personal].flatMap((omitted) => [
      { name: `${kind} listed`, document: documents.listDocument(kind, omitted) },
      { name: `${kind} read`, document: documents.nodesDocument(kind, omitted) },
      { name: `${kind} exported`, document: documents.exportDocument(kind, omitted, "created_at:>='2026-01-01'") }
    ])
  ),
  ...kinds
    .filter((kind) => documents.asking[kind].inner !== null)
    .map((kind) => ({ name: `${kind} inside`, document: documents.innerDocument(kind) })),
  ...kinds
    .filter((kind) => documents.asking[kind].whole !== "")
    .map((kind) => ({ name: `${kind} whole`, document: documents.wholeDocument(kind) })),
  { name: "shop", document: documents.shopDocument },
  { name: "export", document: documents.runExportDocument },
  { name: "export status", document: documents.exportStatusDocument },
  { name: "subscriptions", document: documents.subscriptionsDocument },
  { name: "subscribe", document: documents.subscribeDocument },
  { name: "uninstall", document: documents.uninstallDocument }
]

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
  it.effect(
    "has everything that the adapter asks for, and that is simulated, in the schema of its version",
    () =>
      Effect.gen(function* () {
        const question = { apiVersion, documents: calls, simulated: definitions }
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
