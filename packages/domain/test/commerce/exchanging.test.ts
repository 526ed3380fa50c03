import { assert, describe } from "@effect/vitest"
import { AfterCommitHooks } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import {
  completeStoreConnection,
  getStoreConnection,
  readShopDomain,
  type Shop,
  type ShopDomain,
  startStoreAuthorization,
  type StoreFailure,
  type StorePlatform,
  StorePlatforms,
  StoreRefused,
  StoreUnreachable
} from "@parley/domain/commerce"
import { asOwnerOf, codeChallenge, codeVerifier, givenOrganization, receiveCode, StoreScript } from "@parley/testkit"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../tagOf.ts"
import { test } from "./stage.ts"

const shopDomain = readShopDomain("bakery.myshopify.com") as ShopDomain

const bakery: Shop = { shopId: "1", shopDomain, name: "Bakery", currency: "EUR", country: "DE" }

/** A journey to the shop with a parked code. */
const parked = Effect.fnUntraced(function* (organization: Organization) {
  const { authorizeUrl, storeConnectionId: id } = yield* startStoreAuthorization({
    shop: shopDomain,
    codeChallenge
  }).pipe(asOwnerOf(organization))
  const code = yield* receiveCode(yield* (yield* StoreScript).agree(authorizeUrl))
  const complete = completeStoreConnection({ id, code, codeVerifier: Redacted.make(codeVerifier) }).pipe(
    asOwnerOf(organization)
  )
  const status = Effect.map(getStoreConnection({ id }).pipe(asOwnerOf(organization)), (found) => found.status)
  return { complete, status }
})

const given = Effect.gen(function* () {
  yield* (yield* StoreScript).addShop(bakery)
  const organization = yield* givenOrganization({ plan: "scale" })
  return { organization, ...(yield* parked(organization)) }
})

/** Runs the effect with a platform that runs `before` at the start of each call. */
const withCalls =
  (before: Effect.Effect<void, StoreFailure>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.updateService(effect, StorePlatforms, (platforms) => {
      const platform = platforms.get("shopify") ?? assert.fail()
      const changed: StorePlatform = {
        ...platform,
        exchange: (shop, code) => Effect.andThen(before, platform.exchange(shop, code)),
        shop: (access) => Effect.andThen(before, platform.shop(access))
      }
      return new Map([["shopify", changed]])
    })

/** Starts the completing call, and waits until its exchange runs. The exchange waits for `end`. */
const exchanging = Effect.fnUntraced(function* <A, E, R>(complete: Effect.Effect<A, E, R>) {
  const [started, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void, StoreFailure>()]
  const hold = Effect.andThen(Deferred.succeed(started, undefined), Deferred.await(end))
  const fiber = yield* Effect.forkChild(complete.pipe(withCalls(hold)), { startImmediately: true })
  yield* Deferred.await(started)
  return { fiber, end }
})

describe("the exchange of a shop's code", () => {
  test("calls the provider outside of a unit of work", () =>
    Effect.gen(function* () {
      const { complete, status } = yield* given
      let calls = 0
      const outside = Effect.map(AfterCommitHooks, (hooks) => {
        assert.isNull(hooks)
        calls += 1
      })
      yield* complete.pipe(withCalls(outside))
      assert.deepStrictEqual([calls, yield* status], [2, "connected"])
    }))

  test("runs once at a time for a shop, over all organizations", () =>
    Effect.gen(function* () {
      const { complete, organization, status } = yield* given
      const again = yield* parked(organization)
      const elsewhere = yield* parked(yield* givenOrganization({ plan: "scale" }))
      const { end, fiber } = yield* exchanging(complete)
      for (const other of [complete, again.complete, elsewhere.complete]) {
        assert.strictEqual(yield* tagOf(other), "StoreExchangeInProgress")
      }
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* status, "connected")
      assert.strictEqual(yield* tagOf(complete), "StoreCodeInvalid")
      assert.strictEqual(yield* tagOf(elsewhere.complete), "StoreConnectedElsewhere")
      assert.strictEqual(yield* tagOf(again.complete), "ok")
    }))

  test("leaves the code valid after a transient failure, and spends it after another one", () =>
    Effect.gen(function* () {
      const { complete, organization, status } = yield* given
      assert.strictEqual(
        yield* tagOf(complete.pipe(withCalls(Effect.fail(new StoreUnreachable())))),
        "StoreUnreachable"
      )
      assert.strictEqual(yield* status, "pending")
      const refusal = new StoreRefused({ remedy: "give_up", code: "invalid", reason: "No.", retryAfterMillis: null })
      assert.strictEqual(yield* tagOf(complete.pipe(withCalls(Effect.fail(refusal)))), "StoreRefused")
      assert.strictEqual(yield* tagOf(complete), "StoreCodeInvalid")
      assert.strictEqual(yield* tagOf((yield* parked(organization)).complete), "ok")
    }))

  test("leaves the code valid after an interruption, and after a timeout of the provider", () =>
    Effect.gen(function* () {
      const { complete, status } = yield* given
      const first = yield* exchanging(complete)
      yield* Fiber.interrupt(first.fiber)
      const second = yield* exchanging(complete)
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* tagOf(complete), "StoreExchangeInProgress")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* tagOf(Fiber.join(second.fiber)), "StoreUnreachable")
      assert.strictEqual(yield* tagOf(complete), "ok")
      assert.strictEqual(yield* status, "connected")
    }))
})
