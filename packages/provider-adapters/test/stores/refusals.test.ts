import { assert, describe, it } from "@effect/vitest"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Redacted } from "effect"
import { connect, domain, platform, simulated } from "./simulated.ts"

const refusedWith = (status: number) =>
  Effect.gen(function* () {
    const simulator = yield* StoreSimulator
    const { access } = yield* connect()
    simulator.misbehave({ on: "graphql", what: { kind: "status", status } })
    return yield* Effect.flip((yield* platform).shop(access))
  }).pipe(Effect.provide(simulated()))

describe("What follows when a shop says no", () => {
  it.live("is classified by its status", () =>
    Effect.gen(function* () {
      for (const [status, remedy] of [
        [400, "give_up"],
        [401, "reauthorize"],
        [402, "retry"],
        [403, "missing_scope"],
        [404, "reauthorize"],
        [423, "retry"]
      ] as const) {
        assert.include(yield* refusedWith(status), { _tag: "StoreRefused", remedy, code: `http_${status}` })
      }
      for (const status of [500, 502, 503, 504]) {
        assert.strictEqual((yield* refusedWith(status))._tag, "StoreUnreachable")
      }
    })
  )

  it.live("is classified by the response body", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { shop } = yield* platform
      for (const kind of ["reset", "truncate", "hang"] as const) {
        simulator.misbehave({ on: "graphql", what: { kind } })
        assert.strictEqual((yield* Effect.flip(shop(access)))._tag, "StoreUnreachable", kind)
      }
      simulator.misbehave({ on: "graphql", what: { kind: "error", code: "INTERNAL_SERVER_ERROR" } })
      assert.include(yield* Effect.flip(shop(access)), { _tag: "StoreRefused", remedy: "retry" })
    }).pipe(Effect.provide(simulated({}, { timeout: "300 millis" })))
  )

  it.live("names the scope that is missing, and reads the rest", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { changedSince, read, shop } = yield* platform
      simulator.act({ kind: "change_scopes", shop: domain, scopes: ["read_products"] })
      yield* shop(access)
      const [product] = [...simulator.books(domain).products()]
      assert.lengthOf((yield* read(access, "products", [product?.externalId ?? ""])).records, 1)
      const since = product?.updatedAt
      assert.isDefined(since)
      if (since === undefined) return
      for (const kind of ["orders", "customers", "carts"] as const) {
        const error = yield* Effect.flip(changedSince(access, kind, since, null))
        assert.include(error, { _tag: "StoreRefused", remedy: "missing_scope", code: "ACCESS_DENIED" })
      }
    }).pipe(Effect.provide(simulated()))
  )

  it.live("never shows a token or a secret", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access, grant } = yield* connect()
      const { exchange, shop } = yield* platform
      const token = Redacted.value(grant.accessToken)
      simulator.misbehave({
        on: "graphql",
        what: { kind: "error", code: "OTHER", message: `You sent ${token} and shpat_0123456789abcdef.` }
      })
      const error = yield* Effect.flip(shop(access))
      assert.include(error, { reason: "You sent [secret] and [secret]." })
      simulator.misbehave({
        on: "token",
        what: { kind: "status", status: 400, body: '{"error":"no","error_description":"No simulator-client-secret."}' }
      })
      const refused = yield* Effect.flip(exchange(domain, Redacted.make("a code")))
      assert.include(refused, { code: "no", reason: "No [secret]." })
    }).pipe(Effect.provide(simulated()))
  )

  it.live("does not take an order for gone that it may not see", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { read } = yield* platform
      const [order] = [...simulator.books(domain).orders()]
      const id = order?.externalId ?? ""
      simulator.act({ kind: "delete_order", shop: domain, order: Number(id) })
      assert.deepStrictEqual(yield* read(access, "orders", [id]), { records: [], unreadable: [], gone: [] })
    }).pipe(Effect.provide(simulated()))
  )
})

describe("Personal data that was not approved", () => {
  it.live("is left out field by field, in pages, by ids and in exports", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { read } = yield* platform
      const exported = yield* platform
      const whole = yield* Effect.fromNullishOr(
        simulator
          .books(domain)
          .customers()
          .find(({ phones }) => phones.length > 0)
      )
      const id = whole.externalId
      for (const [fields, expected] of [
        [
          ["phone"],
          {
            ...whole,
            phones: [],
            smsConsent: { state: "unknown", at: null },
            chatConsent: { state: "unknown", at: null }
          }
        ],
        [["email"], { ...whole, email: null, emailConsent: { state: "unknown", at: null } }],
        [["name"], { ...whole, name: null }]
      ] as const) {
        simulator.act({ kind: "protect", shop: domain, fields })
        assert.deepStrictEqual((yield* read(access, "customers", [id])).records, [expected], fields.join())
        let checkpoint: string | null = null
        const found: Array<unknown> = []
        do {
          const page: { records: ReadonlyArray<unknown>; checkpoint: string | null } = yield* exported.export(
            access,
            "customers",
            checkpoint,
            null
          )
          found.push(...page.records)
          checkpoint = page.checkpoint
        } while (checkpoint !== null)
        assert.deepInclude(found, expected)
        assert.lengthOf(found, 30)
      }
    }).pipe(Effect.provide(simulated()))
  )

  it.live("takes nothing else of an order away", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { access } = yield* connect()
      const { read } = yield* platform
      simulator.act({ kind: "protect", shop: domain, fields: ["phone", "email", "address", "customer", "name"] })
      const orders = [...simulator.books(domain).orders()].slice(0, 5)
      const { records } = yield* read(
        access,
        "orders",
        orders.map(({ externalId }) => externalId)
      )
      assert.deepStrictEqual(
        records,
        orders.map((order) => ({ ...order, phone: null, email: null, externalCustomerId: null }))
      )
    }).pipe(Effect.provide(simulated()))
  )
})
