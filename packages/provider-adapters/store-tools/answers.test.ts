// Checks every answer of the simulator with the schema that Shopify publishes, for each version.
import { NodeHttpClient, NodeServices } from "@effect/platform-node"
import { assert, layer } from "@effect/vitest"
import type { ShopAccess } from "@parley/domain/commerce"
import { type ApiVersion, StoreSimulator } from "@parley/simulators/store"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { definitionsOf } from "../../simulators/src/store/apiVersions.ts"
import { apiVersions, uninstallDocument } from "../src/stores/shopify/assumptions.ts"
import * as documents from "../src/stores/shopify/documents.ts"
import { connect, domain, simulated } from "../test/stores/simulated.ts"
import { asked, kinds, omissions } from "./questions.ts"

interface Asked {
  readonly document: string
  readonly variables?: object
}

const Answer = Schema.Struct({
  data: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown))),
  errors: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  extensions: Schema.optionalKey(Schema.Unknown)
})
const decodeAnswer = Schema.decodeUnknownSync(Schema.fromJsonString(Answer))

/** Asks the simulator, and keeps each answer. */
const recording = (access: ShopAccess, version: ApiVersion) =>
  Effect.gen(function* () {
    const { url } = yield* StoreSimulator
    const client = yield* HttpClient.HttpClient
    const answers: Array<{
      readonly document: string
      readonly data: unknown
      readonly errors: ReadonlyArray<unknown>
    }> = []
    const ask = ({ document, variables = {} }: Asked) =>
      HttpClientRequest.post(`${url}/${domain}/admin/api/${version}/graphql.json`).pipe(
        HttpClientRequest.setHeader("x-shopify-access-token", Redacted.value(access.accessToken)),
        HttpClientRequest.bodyJsonUnsafe({ query: document, variables }),
        client.execute,
        Effect.flatMap(({ text }) => text),
        Effect.orDie,
        Effect.map((text) => {
          const { data = null, errors = [] } = decodeAnswer(text)
          answers.push({ document, data, errors })
          return data
        })
      )
    return { answers, ask }
  })

const Everything = Schema.Array(Schema.Struct({ type: Schema.NullOr(Schema.String), document: Schema.String }))
const Checked = Schema.Struct({ faults: Schema.Array(Schema.String), checked: Schema.Int })
const Started = Schema.Struct({
  bulkOperationRunQuery: Schema.Struct({ bulkOperation: Schema.Struct({ id: Schema.String }) })
})
const Finished = Schema.Struct({ bulkOperation: Schema.Struct({ url: Schema.NullOr(Schema.String) }) })

/** Brings records of a shop into every state that the simulator has. */
const inEveryState = Effect.map(StoreSimulator, (simulator) => {
  const [first, second, third, fourth] = [...simulator.books(domain).orders()].map(({ externalId }) =>
    Number(externalId)
  )
  const [customer, other] = [...simulator.books(domain).customers()].map(({ externalId }) => Number(externalId))
  const shop = domain
  for (const sms of ["SUBSCRIBED", "UNSUBSCRIBED", "NOT_SUBSCRIBED", "PENDING"] as const) {
    simulator.act({
      kind: "add_customer",
      shop,
      phone: `+4915129${sms.length}00001`,
      email: `${sms}@example.com`,
      sms,
      emails: sms
    })
  }
  simulator.act({ kind: "fulfil", shop, order: first ?? 0, status: "CONFIRMED", partial: true })
  simulator.act({ kind: "fulfil", shop, order: second ?? 0, status: "FAILURE" })
  simulator.act({ kind: "refund", shop, order: third ?? 0, amount: 1, returned: true })
  simulator.act({ kind: "cancel", shop, order: fourth ?? 0 })
  simulator.act({ kind: "merge_customers", shop, kept: customer ?? 0, merged: other ?? 0 })
  for (const status of ["ARCHIVED", "DRAFT", "UNLISTED"] as const) {
    const product = simulator.act({ kind: "add_product", shop, title: `A ${status} thing`, price: 100, variants: 3 })
    simulator.act({ kind: "change_product", shop, product, status })
  }
  simulator.act({ kind: "delete_product", shop, product: Number([...simulator.books(shop).products()][0]?.externalId) })
  simulator.turns(shop, 100)
})

const gids = Effect.map(StoreSimulator, (simulator) => {
  const books = simulator.books(domain)
  const of = (type: string, rows: Iterable<{ readonly externalId: string }>) =>
    [...rows].slice(-10).map(({ externalId }) => `gid://shopify/${type}/${externalId}`)
  return {
    products: of("Product", books.products()),
    customers: of("Customer", books.customers()),
    orders: of("Order", books.orders()),
    carts: of("AbandonedCheckout", books.carts())
  }
})

layer(NodeServices.layer, { excludeTestServices: true, timeout: "60 seconds" })(
  "The answers of the simulator, in the published schema of Shopify",
  (it) => {
    it.effect.each(apiVersions)(
      "have the published fields, types, nullability and enums in version %s",
      (apiVersion) =>
        Effect.gen(function* () {
          const { access } = yield* connect()
          const simulator = yield* StoreSimulator
          const { answers, ask } = yield* recording(access, apiVersion)
          yield* inEveryState
          const ids = yield* gids
          const exported: Array<{ readonly document: string; readonly lines: ReadonlyArray<unknown> }> = []

          let operation = ""
          yield* ask({ document: documents.shopDocument })
          for (const topic of ["ORDERS_CREATE", "ORDERS_CREATE", "CUSTOMERS_MERGE"]) {
            yield* ask({ document: documents.subscribeDocument, variables: { topic, uri: "http://127.0.0.1:9/hook" } })
          }
          yield* ask({ document: documents.subscriptionsDocument, variables: { after: null } })
          for (const kind of kinds) {
            for (const omitted of omissions) {
              const list = documents.listDocument(kind, omitted, apiVersion)
              yield* ask({ document: list, variables: { first: 8, after: null, query: null } })
              const read = documents.nodesDocument(kind, omitted, apiVersion)
              yield* ask({ document: read, variables: { ids: [...ids[kind].slice(0, 5), `${ids[kind][0]}999`] } })
              const document = documents.exportDocument(kind, omitted, apiVersion, null)
              const started = yield* ask({ document: documents.runExportDocument, variables: { query: document } })
              const { id } = (yield* Schema.decodeUnknownEffect(Started)(started)).bulkOperationRunQuery.bulkOperation
              operation = id
              yield* ask({ document: documents.exportStatusDocument, variables: { id } })
              simulator.advance(1_000)
              const status = yield* ask({ document: documents.exportStatusDocument, variables: { id } })
              const { url } = (yield* Schema.decodeUnknownEffect(Finished)(status)).bulkOperation
              const { text: file } = yield* HttpClient.get(url ?? "")
              const text = yield* file
              const lines = text.trim().split("\n")
              exported.push({ document, lines: lines.map((line): unknown => JSON.parse(line)) })
            }
            const id = ids[kind][0]
            if (documents.asking[kind].inner !== null) {
              yield* ask({ document: documents.innerDocument(kind), variables: { id, after: null } })
            }
            if (documents.asking[kind].whole !== "") {
              yield* ask({ document: documents.wholeDocument(kind), variables: { id } })
            }
          }

          const begun = answers.length
          const everything = yield* asked("everythingProgram.mjs", { simulated: definitionsOf(apiVersion) }, Everything)
          for (const { document, type } of everything) {
            const found = Object.values(ids).find(([first]) => first?.startsWith(`gid://shopify/${type}/`))
            const [id = operation] = found ?? []
            yield* ask({ document, variables: { first: 2, id, ids: found?.slice(0, 2) ?? [] } })
          }
          // Nothing is refused yet.
          assert.deepStrictEqual(
            answers.slice(begun).filter(({ errors }) => errors.length > 0),
            []
          )

          simulator.act({ kind: "protect", shop: domain, fields: ["name", "phone", "email", "address", "customer"] })
          for (const kind of kinds) {
            const document = documents.listDocument(kind, new Set(), apiVersion)
            yield* ask({ document, variables: { first: 5, after: null, query: null } })
          }
          simulator.act({ kind: "change_scopes", shop: domain, scopes: [] })
          for (const kind of kinds) {
            const document = documents.listDocument(kind, new Set(), apiVersion)
            yield* ask({ document, variables: { first: 5, after: null, query: null } })
          }
          yield* ask({ document: uninstallDocument })

          const { checked, faults } = yield* asked(
            "answersProgram.mjs",
            { apiVersion, answers, exports: exported },
            Checked
          )
          assert.deepStrictEqual(faults, [])
          assert.isAbove(checked, 200)
        }).pipe(
          Effect.provide(
            Layer.merge(
              NodeHttpClient.layerUndici,
              simulated({ attempts: 1, startAt: 1_790_000_000_000 }, { apiVersion })
            )
          )
        ),
      120_000
    )

    it.effect("are refused with another type, an unknown value, a missing field and a field that is too many", () =>
      Effect.gen(function* () {
        const document = documents.listDocument("customers", omissions[0] ?? new Set(), "2026-10")
        const customer = {
          id: "gid://shopify/Customer/1",
          firstName: "Ada",
          lastName: null,
          locale: "en",
          tags: [],
          updatedAt: "2026-11-01T00:00:00Z",
          defaultEmailAddress: null,
          defaultPhoneNumber: {
            phoneNumber: "+4915120000001",
            smsMarketingConsent: { state: "NEVER_SUBSCRIBED", updatedAt: null },
            whatsAppMarketingConsent: { state: "SUBSCRIBED", updatedAt: "2026-11-01T00:00:00Z" }
          },
          defaultAddress: null
        }
        const faultsOf = (input: object) =>
          Effect.map(
            asked(
              "answersProgram.mjs",
              {
                apiVersion: "2026-10",
                exports: [],
                answers: [
                  {
                    document,
                    errors: [],
                    data: {
                      shop: { currencyCode: "EUR" },
                      customers: {
                        nodes: [{ ...customer, ...input }],
                        pageInfo: { hasNextPage: false, endCursor: null }
                      }
                    }
                  }
                ]
              },
              Checked
            ),
            ({ faults }) => faults.map((fault) => fault.replace("Parley_customers.customers.nodes[].", ""))
          )
        assert.deepStrictEqual(yield* faultsOf({}), [])
        const consent = { smsMarketingConsent: { state: "NOT_SUBSCRIBED", updatedAt: null } }
        const broken = { id: "1", locale: null, tags: [1], updatedAt: "yesterday", numberOfOrders: "1" }
        assert.sameMembers(yield* faultsOf({ ...broken, defaultPhoneNumber: consent }), [
          'id: "1" is no ID',
          "locale: is null, and String! is not nullable",
          "tags[]: 1 is no String",
          'updatedAt: "yesterday" is no DateTime',
          "numberOfOrders: was not asked for",
          "defaultPhoneNumber.phoneNumber: is missing",
          "defaultPhoneNumber.smsMarketingConsent.state: NOT_SUBSCRIBED is no CustomerMarketingConsentState",
          "defaultPhoneNumber.whatsAppMarketingConsent: is missing"
        ])
      })
    )
  }
)
