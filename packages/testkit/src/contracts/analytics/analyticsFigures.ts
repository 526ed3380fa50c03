import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { type BroadcastId, RecipientLedger } from "@parley/domain/campaigns"
import {
  RollupStore,
  AnalyticsFigures,
  type DayTally,
  type FigureSum,
  type CountedRecord,
  countOne,
  type Tally,
  wholeOrganization
} from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { givenBroadcast, morning, newBroadcast } from "../campaigns/given.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenOrganization, givenUser, inside } from "../given.ts"
import { givenConnection, newOrder, putOrders } from "../commerce/given.ts"

const account = "01990000-0000-7000-8000-000000000001"

const tally = (quarter: number, amount: number, overrides: Partial<Tally> = {}): Tally => ({
  scope: wholeOrganization,
  figure: "reply",
  quarter,
  step: 0,
  amount,
  ...overrides
})

const day = (date: string, amount: number, overrides: Partial<DayTally> = {}): DayTally => ({
  scope: wholeOrganization,
  date,
  figure: "reply",
  step: 0,
  amount,
  ...overrides
})

const shown = (sums: ReadonlyArray<FigureSum & { readonly date?: string; readonly range?: number }>) =>
  sums
    .flatMap(({ amounts, date, figure, range, steps }) =>
      steps.map((step, index) => `${date ?? range} ${figure} ${step}: ${amounts[index]}`)
    )
    .toSorted()

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const analyticsFigures: StorageContract = {
  port: "AnalyticsFigures",
  promises: (it) => {
    it.effect("adds up days by figures and steps, of one version and scope", () =>
      Effect.gen(function* () {
        yield* transact(
          (yield* RollupStore).add(
            1,
            [],
            [
              day("2026-03-01", 3, { step: 7 }),
              day("2026-03-01", 1, { step: 140 }),
              day("2026-03-02", 2),
              day("2026-03-02", 5, { figure: "contacts.new" }),
              day("2026-03-03", 9),
              day("2026-03-02", 8, { scope: account })
            ]
          )
        )
        const figures = yield* AnalyticsFigures
        assert.deepStrictEqual(shown(yield* figures.days(1, wholeOrganization, null, "2026-03-01", "2026-03-02")), [
          "2026-03-01 reply 140: 1",
          "2026-03-01 reply 7: 3",
          "2026-03-02 contacts.new 0: 5",
          "2026-03-02 reply 0: 2"
        ])
        assert.deepStrictEqual(
          shown(yield* figures.days(1, wholeOrganization, ["contacts.new"], "2026-03-01", "2026-03-09")),
          ["2026-03-02 contacts.new 0: 5"]
        )
        assert.deepStrictEqual(shown(yield* figures.days(1, account, ["reply"], "2026-03-01", "2026-03-09")), [
          "2026-03-02 reply 0: 8"
        ])
        assert.isEmpty(yield* figures.days(2, wholeOrganization, null, "2026-03-01", "2026-03-09"))
      }).pipe(inNewOrganization)
    )

    it.effect("sums ranges of quarter hours and omits zeros", () =>
      Effect.gen(function* () {
        yield* transact(
          (yield* RollupStore).add(
            1,
            [
              tally(3, 2),
              tally(4, 1),
              tally(5, 4, { step: 9 }),
              tally(6, 2),
              tally(7, -2),
              tally(4, 8, { scope: account })
            ],
            []
          )
        )
        const figures = yield* AnalyticsFigures
        const ranges = [
          { from: 3, to: 5 },
          { from: 5, to: 6 },
          { from: 6, to: 8 },
          { from: 9, to: 9 }
        ]
        assert.deepStrictEqual(shown(yield* figures.ranges(1, wholeOrganization, null, ranges)), [
          "0 reply 0: 3",
          "1 reply 9: 4"
        ])
        assert.isEmpty(yield* figures.ranges(1, wholeOrganization, ["contacts.new"], ranges))
        assert.isEmpty(yield* figures.ranges(1, wholeOrganization, null, []))
      }).pipe(inNewOrganization)
    )

    it.effect("adds up all there was on earlier days, of some figures", () =>
      Effect.gen(function* () {
        yield* transact(
          (yield* RollupStore).add(
            1,
            [],
            [
              day("2025-12-30", 2),
              day("2026-03-01", -1),
              day("2026-03-02", 4),
              day("2025-12-30", 7, { figure: "contacts.new" }),
              day("2026-03-01", 9, { scope: account })
            ]
          )
        )
        const figures = yield* AnalyticsFigures
        const before = (date: string) => figures.before(1, wholeOrganization, ["reply"], date)
        assert.deepStrictEqual(yield* before("2026-03-02"), new Map([["reply", 1]]))
        assert.deepStrictEqual(yield* before("2026-03-01"), new Map([["reply", 2]]))
        assert.strictEqual((yield* before("2025-12-30")).size, 0)
      }).pipe(inNewOrganization)
    )

    it.effect("adds up figures by the hours of the local week", () =>
      Effect.gen(function* () {
        // The first quarter hour of Monday, 5 January 1970, and the last one before it.
        const monday = 4 * 96
        yield* transact(
          (yield* RollupStore).add(
            1,
            [
              tally(monday - 1, 2),
              tally(monday, 3),
              tally(monday + 3, 1, { figure: "contacts.new" }),
              tally(monday + 4, 5),
              tally(monday + 7 * 96, 4),
              tally(monday + 14 * 96, 9),
              tally(monday, 8, { scope: account })
            ],
            []
          )
        )
        const figures = yield* AnalyticsFigures
        const hours = (shift: number) =>
          Effect.map(
            figures.weekHours(
              1,
              wholeOrganization,
              ["reply", "contacts.new"],
              [
                { from: monday - 1, to: monday + 4, shift },
                { from: monday + 4, to: monday + 14 * 96, shift }
              ]
            ),
            (rows) => rows.map(({ amount, hour }) => `${hour}: ${amount}`).toSorted()
          )
        assert.deepStrictEqual(yield* hours(0), ["0: 8", "167: 2", "1: 5"].toSorted())
        assert.deepStrictEqual(yield* hours(1), ["0: 9", "1: 6"])
        assert.isEmpty(yield* figures.weekHours(1, wholeOrganization, ["reply"], []))
      }).pipe(inNewOrganization)
    )

    it.effect("adds up what people did, and nothing of accounts", () =>
      Effect.gen(function* () {
        const [ada, bob] = [(yield* givenUser()).id, (yield* givenUser()).id]
        yield* transact(
          (yield* RollupStore).add(
            1,
            [],
            [
              day("2026-03-01", 3, { scope: ada, step: 7 }),
              day("2026-03-02", 2, { scope: ada, step: 9 }),
              day("2026-03-02", 1, { scope: ada, figure: "resolution", step: 140 }),
              day("2026-03-02", 4, { scope: bob }),
              day("2026-03-03", 9, { scope: bob }),
              day("2026-03-02", 8, { scope: account }),
              day("2026-03-02", 20)
            ]
          )
        )
        const figures = yield* AnalyticsFigures
        const people = yield* figures.people(1, ["reply"], "2026-03-01", "2026-03-02")
        assert.deepStrictEqual(
          people.map(({ amount, figure, userId }) => `${userId} ${figure} ${amount}`).toSorted(),
          [`${ada} reply 5`, `${bob} reply 4`].toSorted()
        )
        const steps = yield* figures.stepsOf(1, [ada], ["reply", "resolution"], "2026-03-01", "2026-03-02")
        assert.deepStrictEqual(shown(steps.map((row) => ({ ...row, date: row.userId }))), [
          `${ada} reply 7: 3`,
          `${ada} reply 9: 2`,
          `${ada} resolution 140: 1`
        ])
        assert.isEmpty(yield* figures.stepsOf(1, [], ["reply"], "2026-03-01", "2026-03-02"))
      }).pipe(inNewOrganization)
    )

    it.effect("adds up the orders that are attributed to a broadcast by the variant of their contact", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const [figures, rollups, ledger] = [yield* AnalyticsFigures, yield* RollupStore, yield* RecipientLedger]
        const id = yield* within(
          Effect.gen(function* () {
            const contacts = [freshId(ContactId), freshId(ContactId), freshId(ContactId)]
            const given = Effect.fnUntraced(function* () {
              const { id } = yield* givenBroadcast(newBroadcast({ status: "sending", startedAt: morning }))
              const recipients = contacts.map((contactId, place) => {
                const variant = place === 0 ? "a" : "b"
                return { contactId, address: null, variant, dueAt: null, left: null } as const
              })
              yield* transact(ledger.list(id, recipients))
              return id
            })
            const [id, other] = [yield* given(), yield* given()]
            const connection = yield* givenConnection()
            const orders = [...contacts, contacts[2] ?? null, null].map((contactId) =>
              newOrder(connection, { placedAt: DateTime.add(morning, { hours: 1 }) }, { contactId })
            )
            yield* putOrders(...orders)
            const credited = (broadcastId: BroadcastId, amount: number) => [
              countOne("commerce.orders", 1, [wholeOrganization]),
              countOne("commerce.attributedOrders.EUR", 1, [wholeOrganization, broadcastId]),
              countOne("commerce.attributed.EUR", 1, [wholeOrganization, broadcastId], amount),
              countOne("commerce.attributed.EUR", 9, [wholeOrganization, broadcastId], -5)
            ]
            const [first, second, third, fourth, nobodys] = orders.map((order) => order.id)
            const counted: CountedRecord = new Map([
              [first ?? "", credited(id, 100)],
              [second ?? "", credited(id, 200)],
              [third ?? "", credited(id, 300)],
              [fourth ?? "", credited(other, 400)],
              [nobodys ?? "", credited(id, 500)]
            ])
            yield* transact(rollups.keep(1, counted))
            return id
          })
        )
        const sums = Effect.map(figures.variantTotals(1, id, "commerce.attributed"), (rows) =>
          rows.map(({ amount, figure, variant }) => `${variant} ${figure} ${amount}`).toSorted()
        )
        assert.deepStrictEqual(yield* within(sums), [
          "a commerce.attributed.EUR 95",
          "a commerce.attributedOrders.EUR 1",
          "b commerce.attributed.EUR 490",
          "b commerce.attributedOrders.EUR 2"
        ])
        assert.isEmpty(yield* within(figures.variantTotals(2, id, "commerce.attributed")))
        assert.isEmpty(yield* inside(yield* givenOrganization())(sums))
      })
    )

    it.effect("shows each organization its own", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const rollups = yield* RollupStore
        yield* within(transact(rollups.add(1, [tally(3, 2)], [day("2026-03-01", 3)])))
        const figures = yield* AnalyticsFigures
        assert.isEmpty(yield* elsewhere(figures.days(1, wholeOrganization, null, "2026-03-01", "2026-03-09")))
        assert.isEmpty(yield* elsewhere(figures.ranges(1, wholeOrganization, null, [{ from: 0, to: 9 }])))
        assert.strictEqual((yield* elsewhere(figures.before(1, wholeOrganization, ["reply"], "2026-03-09"))).size, 0)
      })
    )
  }
}

export const analyticsFiguresContract = runContract(analyticsFigures)
