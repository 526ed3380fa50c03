import { assert, describe } from "@effect/vitest"
import {
  renewIdleTokens,
  type StoreConnectionId,
  StoreConnections,
  type StorePlatform,
  StorePlatforms,
  StoreRefused,
  StoreUnreachable,
  withShop
} from "@parley/domain/commerce"
import { asOperatorOf, givenOrganization, givenShop, type Of, StoreScript } from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { traced } from "../crm/traces.ts"
import { test } from "./stage.ts"

const refused = new StoreRefused({ remedy: "reauthorize", code: "401", reason: "No.", retryAfterMillis: null })

const givenStage = Effect.gen(function* () {
  const organization = yield* givenOrganization()
  return { organization, connection: yield* givenShop(organization), script: yield* StoreScript }
})

const tokenOf = (organization: Of, id: StoreConnectionId) =>
  withShop(id, ({ access, platform }) =>
    Effect.map(platform.shop(access), () => Redacted.value(access.accessToken))
  ).pipe(asOperatorOf(organization))

describe("the access to a shop", () => {
  test("is renewed five minutes before it ends, once for all who ask", () =>
    Effect.gen(function* () {
      const { connection, organization, script } = yield* givenStage
      const first = yield* tokenOf(organization, connection.id)
      yield* TestClock.adjust("54 minutes")
      assert.strictEqual(yield* tokenOf(organization, connection.id), first)
      assert.strictEqual(yield* script.calls("refresh"), 0)
      yield* TestClock.adjust("1 minute")
      const tokens = yield* Effect.replicateEffect(tokenOf(organization, connection.id), 20, {
        concurrency: "unbounded"
      })
      assert.strictEqual(new Set(tokens).size, 1)
      assert.notStrictEqual(tokens[0], first)
      assert.strictEqual(yield* script.calls("refresh"), 1)
    }))

  test("is renewed once when the shop refuses it before its time", () =>
    Effect.gen(function* () {
      const { connection, organization, script } = yield* givenStage
      const first = yield* tokenOf(organization, connection.id)
      yield* script.next(refused, "shop")
      assert.notStrictEqual(yield* tokenOf(organization, connection.id), first)
      assert.strictEqual(yield* script.calls("refresh"), 1)
    }))

  test("is kept where the provider is away, and renewed with the same refresh token when it is back", () =>
    Effect.gen(function* () {
      const { connection, organization, script } = yield* givenStage
      const connections = yield* StoreConnections
      const secrets = connections.secrets(connection.id).pipe(asOperatorOf(organization))
      const before = yield* secrets
      yield* TestClock.adjust("1 hour")
      yield* script.next(new StoreUnreachable(), "refresh")
      assert.strictEqual((yield* Effect.flip(tokenOf(organization, connection.id)))._tag, "StoreUnreachable")
      assert.deepStrictEqual(yield* secrets, before)
      yield* tokenOf(organization, connection.id)
      assert.notDeepEqual(yield* secrets, before)
      assert.strictEqual(yield* script.calls("refresh"), 2)
    }))

  test("is lost after the shop ended it: no further request is made, and an event is published", () =>
    Effect.gen(function* () {
      const { connection, organization, script } = yield* givenStage
      yield* script.revoke(connection.shopDomain)
      const { answer, events } = yield* traced(organization, Effect.flip(tokenOf(organization, connection.id)))
      assert.strictEqual(answer._tag, "StoreRefused")
      const { id } = connection
      assert.deepStrictEqual(events, [
        { type: "store_connection.status_changed", storeConnectionId: id, from: "connected", to: "error" }
      ])
      const connections = yield* StoreConnections
      const after = yield* connections.get(id).pipe(asOperatorOf(organization))
      assert.deepInclude({ ...after }, { status: "error" })
      assert.strictEqual(after.lastError?.code, "access_lost")
      assert.isNull(yield* connections.secrets(id).pipe(asOperatorOf(organization)))
      const calls = yield* script.calls("refresh")
      const error = yield* Effect.flip(tokenOf(organization, id))
      assert.deepInclude({ ...error }, { _tag: "StoreNotConnected", storeStatus: "error" })
      assert.strictEqual(yield* script.calls("refresh"), calls)
    }))

  test("is not used any more once it is renewed for less than is needed, until the shop agrees to all again", () =>
    Effect.gen(function* () {
      const { connection, organization } = yield* givenStage
      const memory = yield* Effect.fromNullishOr((yield* StorePlatforms).get("shopify"))
      const agreedTo = (scopes: ReadonlyArray<string>): StorePlatform => ({
        ...memory,
        refresh: (shopDomain, token) => Effect.map(memory.refresh(shopDomain, token), (grant) => ({ ...grant, scopes }))
      })
      const using = (scopes: ReadonlyArray<string>) =>
        Effect.provideService(StorePlatforms, new Map([["shopify", agreedTo(scopes)]]))
      const now = Effect.flatMap(StoreConnections, (connections) => connections.get(connection.id)).pipe(
        asOperatorOf(organization)
      )
      const renew = Effect.andThen(TestClock.adjust("8 days"), renewIdleTokens).pipe(asOperatorOf(organization))
      yield* TestClock.adjust("1 hour")
      const less = ["read_customers", "read_products"]
      const error = yield* Effect.flip(tokenOf(organization, connection.id).pipe(using(less)))
      assert.deepInclude({ ...error }, { _tag: "StoreNotConnected", storeStatus: "error" })
      const after = yield* now
      assert.deepInclude({ ...after }, { status: "error", scopes: less })
      assert.deepInclude({ ...after.lastError }, { code: "scopes_missing" })
      const { events } = yield* traced(organization, renew.pipe(using(less)))
      assert.deepStrictEqual(events, [])
      yield* renew
      assert.deepInclude({ ...(yield* now) }, { status: "connected", lastError: null })
    }))

  test("is lost when the shop refuses a token that is new", () =>
    Effect.gen(function* () {
      const { connection, organization, script } = yield* givenStage
      yield* script.next(refused, "shop")
      yield* script.next(refused, "shop")
      assert.strictEqual((yield* Effect.flip(tokenOf(organization, connection.id)))._tag, "StoreRefused")
      const after = yield* (yield* StoreConnections).get(connection.id).pipe(asOperatorOf(organization))
      assert.strictEqual(after.lastError?.code, "access_lost")
      assert.strictEqual(yield* script.calls("refresh"), 1)
    }))

  test("is renewed after a week without use", () =>
    Effect.gen(function* () {
      const { organization, script } = yield* givenStage
      const sweep = renewIdleTokens.pipe(asOperatorOf(organization))
      yield* TestClock.adjust("7 days")
      yield* sweep
      assert.strictEqual(yield* script.calls("refresh"), 0)
      yield* TestClock.adjust("1 hour")
      yield* sweep
      yield* sweep
      assert.strictEqual(yield* script.calls("refresh"), 1)
    }))
})
