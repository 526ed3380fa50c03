import { assert, layer } from "@effect/vitest"
import type { PlanName } from "@parley/domain"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { ConfigProvider, Context, Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { openShop } from "../src/demo.ts"
import * as Ports from "../src/ports.ts"
import { makeShop } from "../src/shop.ts"

interface Call {
  readonly token?: string
  readonly body?: unknown
}

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown>
}

const readBody = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

/** The shop's API in this process, set up by these variables. */
class Shop extends Context.Service<
  Shop,
  {
    /** Opens a shop and signs its owner in. */
    readonly opened: (slug: string, plan: PlanName) => Effect.Effect<{ readonly path: string; readonly token: string }>
    readonly call: (method: string, path: string, call?: Call) => Effect.Effect<Answer>
  }
>()("@parley/example-embed-in-hono/test/Shop") {
  static readonly layer = (variables: Readonly<Record<string, string>>) =>
    Layer.effect(
      Shop,
      Effect.gen(function* () {
        const config = ConfigProvider.layer(ConfigProvider.fromUnknown(variables))
        const runtime = yield* Effect.acquireRelease(
          Effect.sync(() => ManagedRuntime.make(Ports.layer.pipe(Layer.provide(config)))),
          (runtime) => runtime.disposeEffect
        )
        const app = makeShop(runtime)
        const call = (method: string, path: string, { body, token }: Call = {}) =>
          Effect.promise(async () => {
            const response = await app.request(path, {
              method,
              headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
              ...(body !== undefined && { body: JSON.stringify(body) })
            })
            return { status: response.status, body: readBody(await response.json()) }
          })
        const opened = Effect.fnUntraced(function* (slug: string, plan: PlanName) {
          const owner = yield* Effect.promise(() => runtime.runPromise(openShop(slug, plan)))
          if (owner === null) return yield* Effect.die(new Error(`${slug} was open already`))
          const credentials = { email: owner.email, password: Redacted.value(owner.password) }
          const { body } = yield* call("POST", "/sign-in", { body: credentials })
          assert.deepStrictEqual(body.shops, [slug])
          return { path: `/shops/${slug}`, token: String(body.token) }
        })
        return Shop.of({ call, opened })
      })
    )
}

const thankCustomers = {
  name: "Thank customers",
  when: { event: "conversation.opened" },
  then: [{ type: "set_priority", priority: "high" }]
}

const suite = (name: string, adapter: Layer.Layer<Shop>) =>
  layer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(name, (it) => {
    it.effect("runs use cases as the person who signed in, in their shop", () =>
      Effect.gen(function* () {
        const shop = yield* Shop
        const { path, token } = yield* shop.opened("bakery", "growth")
        const made = yield* shop.call("POST", `${path}/automations`, { token, body: thankCustomers })
        assert.strictEqual(made.status, 201)
        const on = yield* shop.call("POST", `${path}/automations/${String(made.body.id)}/on`, { token })
        assert.deepStrictEqual([on.status, on.body.enabled], [200, true])
        const listed = yield* shop.call("GET", `${path}/automations`, { token })
        assert.deepStrictEqual(listed.body, { automations: [on.body], more: null })
      })
    )

    it.effect("says no in its own words", () =>
      Effect.gen(function* () {
        const shop = yield* Shop
        const { path, token } = yield* shop.opened("kiosk", "free")
        const refused = yield* shop.call("POST", `${path}/automations`, { token, body: { name: "Thank customers" } })
        assert.deepStrictEqual([refused.status, refused.body.no], [402, "FeatureNotInPlan"])
        const faulty = yield* shop.call("POST", `${path}/automations`, { token, body: { title: "No name" } })
        assert.deepStrictEqual([faulty.status, faulty.body.no], [422, "SchemaError"])
        const anonymous = yield* shop.call("GET", `${path}/plan`)
        assert.deepStrictEqual([anonymous.status, anonymous.body.no], [401, "Unauthenticated"])
        const wrong = yield* shop.call("POST", "/sign-in", {
          body: { email: "owner@kiosk.example", password: "guess" }
        })
        assert.deepStrictEqual([wrong.status, wrong.body.no], [401, "InvalidCredentials"])
      })
    )

    it.effect("hides other shops, including their existence", () =>
      Effect.gen(function* () {
        const shop = yield* Shop
        const { token } = yield* shop.opened("florist", "scale")
        yield* shop.opened("tailor", "scale")
        const theirs = yield* shop.call("GET", "/shops/tailor/automations", { token })
        const nobodys = yield* shop.call("GET", "/shops/nowhere/automations", { token })
        assert.deepStrictEqual([theirs.status, theirs.body], [nobodys.status, nobodys.body])
        assert.strictEqual(theirs.status, 404)
      })
    )
  })

suite("a shop that keeps everything in memory", Shop.layer({}))

suite(
  "a shop on PostgreSQL",
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* Effect.orDie(freshDatabase)
      const keys = yield* generateMasterKey("k1")
      return Shop.layer({ DATABASE_URL: Redacted.value(url), MASTER_KEYS: Redacted.value(keys) })
    })
  )
)
