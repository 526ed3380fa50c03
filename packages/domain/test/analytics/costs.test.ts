import { assert, describe, it } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import {
  ChatAccountId,
  type MessageCharge,
  MessageCharges,
  type MessageRate,
  RateCards
} from "@parley/domain/messaging"
import { type CostDimension, readCosts } from "@parley/domain/analytics"
import { asOperatorOf, givenNumber, givenOrganization, TestKit } from "@parley/testkit"
import { Arbitrary, DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"

const now = DateTime.makeUnsafe("2026-11-23T15:00:00Z")

const rates: ReadonlyArray<MessageRate> = [
  { country: "DE", category: "marketing", currency: "EUR", amount: 113_100, validFrom: "2026-01-01" },
  { country: "DE", category: "marketing", currency: "EUR", amount: 120_001, validFrom: "2026-11-20" },
  { country: null, category: "marketing", currency: "EUR", amount: 7, validFrom: "2026-01-01" },
  { country: "BR", category: "utility", currency: "EUR", amount: 6_800, validFrom: "2026-11-21" },
  { country: "DE", category: "marketing", currency: "USD", amount: 130_000, validFrom: "2026-01-01" }
]

type Facts = Pick<MessageCharge, "country" | "category" | "type" | "billable" | "deliveredAt">

const quarters = { minimum: -10 * 24 * 4, maximum: 4 }

const facts = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.schema(
      Schema.Struct({
        country: Schema.NullOr(Schema.Literals(["DE", "BR", "IN"])),
        category: Schema.NullOr(Schema.Literals(["marketing", "utility", "galactic"])),
        type: Schema.NullOr(Schema.Literals(["regular", "free_entry_point", "free_customer_service"])),
        billable: Schema.NullOr(Schema.Boolean),
        quarter: Schema.Int.check(Schema.isBetween(quarters))
      })
    ),
    ({ quarter, ...each }): Facts => ({ ...each, deliveredAt: DateTime.add(now, { minutes: quarter * 15 }) })
  ),
  { maxLength: 60 }
)

/** Cost of one message, from the rule and not from the code: `null` without a rate. */
const costByHand = ({ billable, category, country, deliveredAt, type }: Facts): number | "free" | null => {
  if (type === "free_entry_point" || type === "free_customer_service") return "free"
  if (type === null && billable === false) return "free"
  const day = DateTime.formatIso(deliveredAt).slice(0, 10)
  if (category === "marketing") {
    if (country !== "DE") return 7
    return day >= "2026-11-20" ? 120_001 : 113_100
  }
  return category === "utility" && country === "BR" && day >= "2026-11-21" ? 6_800 : null
}

const recount = (all: ReadonlyArray<Facts>) => {
  const costs = all.map(costByHand)
  return {
    currency: "EUR",
    amount: costs.reduce<number>((sum, cost) => (typeof cost === "number" ? sum + cost : sum), 0),
    messages: costs.length,
    free: costs.filter((cost) => cost === "free").length,
    withoutRate: costs.filter((cost) => cost === null).length
  }
}

const localDay = (at: DateTime.Utc, timezone: string) =>
  DateTime.formatIsoDate(DateTime.setZone(at, DateTime.zoneMakeNamedUnsafe(timezone)))

const given = Effect.fnUntraced(function* (timezone: string) {
  yield* TestClock.setTime(DateTime.toEpochMillis(now))
  const organization = yield* givenOrganization({ timezone, currency: "EUR" })
  const account = yield* givenNumber(organization)
  const other = yield* givenNumber(organization)
  yield* (yield* RateCards).put(rates)
  return { organization, account, other }
})

const record = (all: ReadonlyArray<Facts>, accountOf: (index: number) => ChatAccountId) =>
  Effect.flatMap(MessageCharges, (port) =>
    transact(
      port.record(
        all.map((each, index) => ({
          ...each,
          chatAccountId: accountOf(index),
          providerMessageId: `wamid.${index}`,
          messageId: null,
          pricedAt: each.deliveredAt
        }))
      )
    )
  )

const range = { from: "2026-11-16", to: "2026-11-23" }

describe("costs", () => {
  for (const timezone of ["UTC", "Asia/Kolkata", "America/Sao_Paulo"]) {
    it.effect.prop(`equal a recount of each message in ${timezone}`, { all: facts }, ({ all }) =>
      Effect.gen(function* () {
        const { account, organization, other } = yield* given(timezone)
        const accountOf = (index: number) => (index % 3 === 0 ? other.id : account.id)
        yield* record(all, accountOf).pipe(asOperatorOf(organization))
        const dayOf = ({ deliveredAt }: Facts) => localDay(deliveredAt, timezone)
        const mine = all
          .map((each, index) => ({ ...each, chatAccountId: accountOf(index) }))
          .filter((each) => dayOf(each) >= range.from && dayOf(each) <= range.to)
        const read = (by: CostDimension) => readCosts({ by, ...range }).pipe(asOperatorOf(organization))
        const keyOf: Readonly<Record<string, (each: (typeof mine)[number]) => string | null>> = {
          day: dayOf,
          category: ({ category }) => category,
          country: ({ country }) => country,
          chat_account: ({ chatAccountId }) => chatAccountId
        }
        for (const by of ["day", "category", "country", "chat_account"] as const) {
          const { rows, total } = yield* read(by)
          assert.deepStrictEqual(total, recount(mine))
          const groups = Map.groupBy(mine, keyOf[by] ?? (() => null))
          for (const { key, name, ...cost } of rows) {
            assert.deepStrictEqual(cost, recount(groups.get(key) ?? []), by)
            const named = by === "chat_account" ? [account, other].find(({ id }) => id === key)?.displayName : null
            assert.strictEqual(name, named, by)
          }
          const counted = rows.filter(({ messages }) => messages > 0)
          assert.strictEqual(counted.length, groups.size)
        }
        const { total } = yield* readCosts({ by: "week", ...range, chatAccountId: other.id }).pipe(
          asOperatorOf(organization)
        )
        assert.deepStrictEqual(total, recount(mine.filter(({ chatAccountId }) => chatAccountId === other.id)))
      }).pipe(Effect.provide(TestKit.layer))
    )
  }

  const message: Facts = {
    country: "DE",
    category: "marketing",
    type: "regular",
    billable: true,
    deliveredAt: DateTime.makeUnsafe("2026-11-20T00:00:00Z")
  }

  it.effect("follow rates that are imported later, in the requested currency only", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* given("UTC")
      const read = (currency?: string) =>
        readCosts({ by: "category", ...range, ...(currency !== undefined && { currency }) }).pipe(
          Effect.map(({ total: { amount, withoutRate } }) => [amount, withoutRate]),
          asOperatorOf(organization)
        )
      yield* record([message, message], () => account.id).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        [yield* read(), yield* read("USD"), yield* read("BRL")],
        [
          [240_002, 0],
          [260_000, 0],
          [0, 2]
        ]
      )
      yield* (yield* RateCards).put([
        { country: null, category: "marketing", currency: "BRL", amount: 1, validFrom: "2026-11-20" }
      ])
      assert.deepStrictEqual(yield* read("BRL"), [2, 0])
    }).pipe(Effect.provide(TestKit.layer))
  )

  it.effect("name each day of the range, and refuse unknown accounts and ranges", () =>
    Effect.gen(function* () {
      const { organization } = yield* given("UTC")
      const within = asOperatorOf(organization)
      const { rows } = yield* within(readCosts({ by: "day", from: "2026-11-22", to: "2026-11-23" }))
      const none = { name: null, currency: "EUR", amount: 0, messages: 0, free: 0, withoutRate: 0 }
      assert.deepStrictEqual(rows, [
        { key: "2026-11-22", ...none },
        { key: "2026-11-23", ...none }
      ])
      const months = yield* within(readCosts({ by: "month", from: "2026-09-15", to: "2026-11-01" }))
      assert.deepStrictEqual(
        months.rows.map(({ key }) => key),
        ["2026-09-15", "2026-10-01", "2026-11-01"]
      )
      const unknown = yield* nextId(ChatAccountId)
      const missing = yield* Effect.flip(within(readCosts({ by: "day", ...range, chatAccountId: unknown })))
      assert.strictEqual(missing._tag, "NotFound")
      const wrong = yield* Effect.flip(within(readCosts({ by: "day", from: "2026-11-24", to: "2026-11-24" })))
      assert.strictEqual(wrong._tag, "ValidationFailed")
    }).pipe(Effect.provide(TestKit.layer))
  )
})
