import { assert, describe } from "@effect/vitest"
import { phoneCountry } from "@parley/domain/crm"
import { type ChargeTally, MessageCharges } from "@parley/domain/messaging"
import { asOperatorOf, type ReportedEvent } from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { test } from "./given.ts"
import { storyEnd } from "./story.ts"
import { givenNumber, receipt, tell } from "./whatsAppStage.ts"

const hours = (count: number) => DateTime.add(storyEnd, { hours: count })

const marketing = { billable: true, model: "PMP", category: "marketing", type: "regular" }

const charges = Effect.flatMap(MessageCharges, (port) =>
  port.tally({ kind: "period", from: hours(-100), to: hours(100), chatAccountId: null }, [])
)

/** Receipts of one message, each told in its own delivery, in several orders and repeated. */
const tallyInEachOrder = (events: (account: Parameters<typeof receipt>[0]) => ReadonlyArray<ReportedEvent>) =>
  Effect.forEach([0, 1, 2, 3], (turn) =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const given = events(account)
      const turned = [...given.slice(turn), ...given.slice(0, turn)]
      const result = turn % 2 === 0 ? turned : turned.toReversed()
      for (const event of result) yield* tell(organization, event)
      yield* tell(organization, ...result)
      const rows = yield* charges.pipe(asOperatorOf(organization))
      return rows.map(({ billable, category, country, messages, type }) => ({
        billable,
        category,
        country,
        messages,
        type
      }))
    })
  )

const plain = (changes: Partial<ChargeTally> = {}) => ({
  billable: true,
  category: "marketing",
  country: "DE",
  messages: 1,
  type: "regular",
  ...changes
})

const inEachOrder = (row: ReturnType<typeof plain>) => [[row], [row], [row], [row]]

describe("the charge of a message", () => {
  test("is stored once, although receipts repeat and come in any order", () =>
    Effect.gen(function* () {
      const found = yield* tallyInEachOrder((account) => [
        receipt(account, { id: "wamid.1", status: "sent", pricing: marketing, at: hours(-3) }),
        receipt(account, { id: "wamid.1", status: "delivered", at: hours(-2), pricing: marketing }),
        receipt(account, { id: "wamid.1", status: "read", at: hours(-1) }),
        receipt(account, { id: "wamid.1", status: "read", at: hours(-1), pricing: marketing })
      ])
      assert.deepStrictEqual(found, inEachOrder(plain()))
    }))

  test("does not exist before delivery, after a failure and without pricing", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const error = { code: 131_049, reason: "Limit", remedy: "skip_for_now" as const }
      yield* tell(
        organization,
        receipt(account, { id: "wamid.1", status: "sent", pricing: marketing }),
        receipt(account, { id: "wamid.2", status: "failed", pricing: marketing, error }),
        receipt(account, { id: "wamid.3", status: "delivered" })
      )
      assert.deepStrictEqual(yield* charges.pipe(asOperatorOf(organization)), [])
    }))

  test("keeps unknown terms, and has one spelling for hyphens and underscores", () =>
    Effect.gen(function* () {
      const { account, organization } = yield* givenNumber
      const to = { phone: null, chatUser: "BR.1349120865" }
      const of = (id: string, category: string, type: string) =>
        receipt(account, { id, to, pricing: { billable: null, model: null, category, type } })
      yield* tell(
        organization,
        of("wamid.1", "authentication-international", "regular"),
        of("wamid.2", "authentication_international", "regular"),
        of("wamid.3", "Galactic", "half_price")
      )
      const rows = yield* charges.pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        rows.map(({ category, country, messages, type }) => [country, category, type, messages]).toSorted(),
        [
          ["BR", "authentication_international", "regular", 2],
          ["BR", "galactic", "half_price", 1]
        ]
      )
    }))
})

describe("the country of a number", () => {
  test("follows from the number alone, or stays unknown", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(
        ["+491701234567", "+12025550123", "+14165550123", "+5511961234567", "+447400123456", "+99999"].map(
          phoneCountry
        ),
        ["DE", "US", "CA", "BR", "GB", null]
      )
    }))
})
