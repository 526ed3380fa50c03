import { assert, describe, it, layer } from "@effect/vitest"
import { PlanName, transact } from "@parley/domain/kernel"
import {
  withinLimit,
  withinLimitCounted,
  currentUsage,
  toEntitlements,
  requireCapacity,
  getEntitlements,
  Limit,
  plans
} from "@parley/domain/platform"
import { asOwnerOf, asOperatorOf, givenInvitation, givenMember, givenOrganization, TestKit } from "@parley/testkit"
import { DateTime, Effect, Ref, Schema } from "effect"
import { TestClock } from "effect/testing"
import { tagOf } from "../../tagOf.ts"

const anUsage = Schema.Struct({
  seats: Schema.Int,
  contacts: Schema.Int,
  chatAccounts: Schema.Int,
  storeConnections: Schema.Int,
  webhookSubscriptions: Schema.Int,
  plugins: Schema.Int,
  automations: Schema.Int,
  workflows: Schema.Int,
  broadcastRecipientsPerMonth: Schema.Int
})

const newYear = DateTime.makeUnsafe("2027-01-01T00:00:00Z")

describe("the product matrix", () => {
  it("gives every feature and every limit, once, on every plan", () => {
    const none = {
      seats: 0,
      contacts: 0,
      chatAccounts: 0,
      storeConnections: 0,
      webhookSubscriptions: 0,
      plugins: 0,
      automations: 0,
      workflows: 0,
      broadcastRecipientsPerMonth: 0
    }
    for (const plan of PlanName.literals) {
      const { features, limits } = toEntitlements(plan, none, newYear)
      assert.deepStrictEqual(
        features.map(({ availableIn, feature }) => [feature, ...availableIn]),
        [
          ["automations", "growth", "scale"],
          ["workflows", "scale"],
          ["plugins", "scale"]
        ]
      )
      assert.deepStrictEqual(
        limits.map(({ limit }) => limit),
        Array.from(Limit.literals)
      )
    }
  })

  it("lets a larger plan lack nothing that a smaller one has", () => {
    const [free, growth, scale] = [plans.free, plans.growth, plans.scale]
    for (const [smaller, larger] of [
      [free, growth],
      [growth, scale]
    ] as const) {
      assert.includeMembers(Array.from(larger.features), Array.from(smaller.features))
      for (const limit of Limit.literals) assert.isAtLeast(larger.limits[limit], smaller.limits[limit])
    }
  })

  it.prop(
    "says that there is room exactly while less is used than the plan allows",
    [Schema.Literals(PlanName.literals), anUsage],
    ([plan, usage]) => {
      for (const { allowed, limit, max, used, plans: each } of toEntitlements(plan, usage, newYear).limits) {
        assert.strictEqual(allowed, used < max)
        assert.deepStrictEqual([used, max], [usage[limit], plans[plan].limits[limit]])
        assert.strictEqual(each[plan], max)
      }
    }
  )

  it("resets monthly counts only", () => {
    const none = {
      seats: 0,
      contacts: 0,
      chatAccounts: 0,
      storeConnections: 0,
      webhookSubscriptions: 0,
      plugins: 0,
      automations: 0,
      workflows: 0,
      broadcastRecipientsPerMonth: 0
    }
    const { limits } = toEntitlements("free", none, newYear)
    assert.deepStrictEqual(
      limits.filter(({ resetsAt }) => resetsAt !== null).map(({ limit }) => limit),
      ["broadcastRecipientsPerMonth"]
    )
  })
})

layer(TestKit.layer)("getEntitlements", (it) => {
  it.effect("says what the plan has, and how much of it is used", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "growth" })
      yield* givenMember(organization, "owner")
      yield* givenInvitation(organization, `i@${organization.id}.test`)
      const { features, limits, plan } = yield* getEntitlements().pipe(asOperatorOf(organization))
      assert.strictEqual(plan, "growth")
      assert.deepStrictEqual(
        features.map(({ allowed, feature }) => [feature, allowed]),
        [
          ["automations", true],
          ["workflows", false],
          ["plugins", false]
        ]
      )
      const seats = limits.find(({ limit }) => limit === "seats")
      assert.deepStrictEqual([seats?.used, seats?.max, seats?.allowed], [2, 15, true])
    })
  )

  it.effect("reports the reset of monthly counts with the next month", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const resetsAt = Effect.map(getEntitlements().pipe(asOwnerOf(organization)), ({ limits }) =>
        limits.map(({ resetsAt }) => resetsAt && DateTime.formatIso(resetsAt)).filter((at) => at !== null)
      )
      for (const [now, next] of [
        ["2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z"],
        ["2026-12-01T00:00:00.000Z", "2027-01-01T00:00:00.000Z"],
        ["2028-02-29T12:00:00.000Z", "2028-03-01T00:00:00.000Z"]
      ] as const) {
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.makeUnsafe(now)))
        assert.deepStrictEqual(yield* resetsAt, [next])
      }
    })
  )
})

layer(TestKit.layer)("admitting", (it) => {
  it.effect("admits one more below the limit and none at it", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const written = yield* Ref.make(0)
      const admit = Ref.update(written, (count) => count + 1).pipe(
        withinLimit("seats"),
        transact,
        asOperatorOf(organization)
      )
      yield* Effect.replicateEffect(givenMember(organization), 2)
      assert.strictEqual(yield* tagOf(admit), "ok")
      assert.strictEqual(yield* tagOf(requireCapacity("seats").pipe(asOperatorOf(organization))), "ok")
      yield* givenMember(organization)
      assert.strictEqual(yield* tagOf(admit), "PlanLimitReached")
      assert.strictEqual(yield* tagOf(requireCapacity("seats").pipe(asOperatorOf(organization))), "PlanLimitReached")
      assert.strictEqual(yield* Ref.get(written), 1)
    })
  )

  it.effect("rolls back a write that exceeds a limit under its own lock", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "free" })
      const refused = yield* Effect.succeed({ count: 1_001 }).pipe(
        withinLimitCounted("contacts"),
        transact,
        Effect.flip,
        asOperatorOf(organization)
      )
      assert.deepInclude(refused, { _tag: "PlanLimitReached", limit: "contacts", current: 1_000, max: 1_000 })
    })
  )
})

layer(TestKit.layer)("currentUsage", (it) => {
  it.effect("is what the areas count, and nothing of what no area gives yet", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      yield* givenMember(organization)
      assert.deepStrictEqual(yield* currentUsage.pipe(asOperatorOf(organization)), {
        seats: 1,
        contacts: 0,
        chatAccounts: 0,
        storeConnections: 0,
        webhookSubscriptions: 0,
        plugins: 0,
        automations: 0,
        workflows: 0,
        broadcastRecipientsPerMonth: 0
      })
    })
  )
})
