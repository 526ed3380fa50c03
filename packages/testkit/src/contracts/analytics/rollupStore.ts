import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ConversationId } from "@parley/domain/messaging"
import { RollupStore, type Count, type DayTally, type Tally, wholeOrganization } from "@parley/domain/analytics"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { morning } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"

const zone = "Europe/Berlin"
const account = "01990000-0000-7000-8000-000000000001"
const one = "01990000-0000-7000-8000-00000000000a"
const other = "01990000-0000-7000-8000-00000000000b"

const count = (figure: string, amount: number): Count => ({
  figure,
  quarter: 7,
  step: 0,
  amount,
  scopes: [wholeOrganization]
})

const tally = (quarter: number, amount: number, overrides: Partial<Tally> = {}): Tally => ({
  scope: wholeOrganization,
  figure: "contacts.new",
  quarter,
  step: 0,
  amount,
  ...overrides
})

const day = (date: string, amount: number, overrides: Partial<DayTally> = {}): DayTally => ({
  scope: wholeOrganization,
  date,
  figure: "contacts.new",
  step: 0,
  amount,
  ...overrides
})

const rows = (tallies: ReadonlyArray<Tally | DayTally>) =>
  tallies
    .map((each) => `${"date" in each ? each.date : each.quarter} ${each.figure} ${each.step} ${each.amount}`)
    .toSorted()

const inNewOrganization = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(givenOrganization(), (organization) => inside(organization)(effect))

export const rollupStore: StorageContract = {
  port: "RollupStore",
  promises: (it) => {
    it.effect("has no rollup before the first lock, and rollups of the first zone from then on", () =>
      Effect.gen(function* () {
        const rollups = yield* RollupStore
        assert.isNull(yield* rollups.find())
        const state = yield* transact(rollups.lock(zone))
        assert.deepStrictEqual(state, {
          version: 1,
          timezone: zone,
          position: 0,
          recount: null,
          attributionHours: null,
          checkedAt: null
        })
        assert.deepStrictEqual(yield* transact(rollups.lock("Asia/Kolkata")), state)
        const changed = {
          version: 2,
          timezone: "Asia/Kolkata",
          position: 9,
          recount: { version: 3, position: 7 },
          attributionHours: 48,
          checkedAt: morning
        }
        yield* transact(rollups.save(changed))
        assert.deepStrictEqual(yield* rollups.find(), changed)
      }).pipe(inNewOrganization)
    )

    it.effect("stores the counted state of records, separately by version and organization", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const rollups = yield* RollupStore
        const counts = [count("messages.failed", 1)]
        yield* within(transact(rollups.keep(1, new Map([[one, counts]]))))
        yield* within(transact(rollups.keep(2, new Map([[other, counts]]))))
        yield* within(transact(rollups.keep(1, new Map([[one, [...counts, count("contacts.new", 2)]]]))))
        assert.deepStrictEqual(
          yield* within(rollups.kept(1, [one, other])),
          new Map([[one, [...counts, count("contacts.new", 2)]]])
        )
        assert.strictEqual((yield* elsewhere(rollups.kept(1, [one]))).size, 0)
        yield* within(transact(rollups.keep(1, new Map([[one, []]]))))
        assert.strictEqual((yield* within(rollups.kept(1, [one]))).size, 0)
        assert.strictEqual((yield* within(rollups.kept(2, [other, one]))).size, 1)
        const parts = new Map([
          [`${one}#1`, counts],
          [`${one}#2`, counts]
        ])
        yield* within(transact(rollups.keep(1, parts)))
        assert.deepStrictEqual(yield* within(rollups.kept(1, [one, `${one}#1`, `${one}#2`])), parts)
        assert.deepStrictEqual(yield* within(rollups.keptParts(1, [one])), parts)
        assert.strictEqual((yield* within(rollups.keptParts(1, []))).size, 0)
        yield* within(transact(rollups.keep(1, new Map([[`${one}#1`, []]]))))
        assert.deepStrictEqual([...(yield* within(rollups.kept(1, [...parts.keys()]))).keys()], [`${one}#2`])
      })
    )

    it.effect("adds to quarter hours and days of each scope, and omits zeros", () =>
      Effect.gen(function* () {
        const rollups = yield* RollupStore
        yield* transact(
          rollups.add(1, [tally(3, 2), tally(4, 1), tally(4, 5, { scope: account })], [day("2026-03-01", 3)])
        )
        yield* transact(rollups.add(1, [tally(3, -2), tally(4, 1), tally(9, 1, { step: 140 })], [day("2026-03-02", 1)]))
        yield* transact(rollups.add(2, [tally(3, 100)], [day("2026-03-01", 100)]))
        assert.deepStrictEqual(rows(yield* rollups.quarters(1, wholeOrganization, 3, 9)), ["4 contacts.new 0 2"])
        assert.deepStrictEqual(rows(yield* rollups.quarters(1, account, 0, 99)), ["4 contacts.new 0 5"])
        assert.deepStrictEqual(rows(yield* rollups.quarters(1, wholeOrganization, 9, 10)), ["9 contacts.new 140 1"])
        assert.deepStrictEqual(rows(yield* rollups.days(1, wholeOrganization, "2026-03-01", "2026-03-01")), [
          "2026-03-01 contacts.new 0 3"
        ])
        assert.deepStrictEqual(yield* rollups.extent(1), { first: 3, last: 9 })
        assert.isNull(yield* rollups.extent(7))
      }).pipe(inNewOrganization)
    )

    it.effect("keeps when contacts have written, in conversations that may become another contact's", () =>
      Effect.gen(function* () {
        const rollups = yield* RollupStore
        const [ada, ben] = [freshId(ContactId), freshId(ContactId)].toSorted()
        if (ada === undefined || ben === undefined) return
        const [talk, other] = [freshId(ConversationId), freshId(ConversationId)]
        const of = (contactId: ContactId, conversationId: ConversationId, quarter: number) => ({
          contactId,
          conversationId,
          quarter
        })
        const found = (contactIds: ReadonlyArray<ContactId>) =>
          Effect.map(rollups.activity(1, contactIds), (rows) =>
            rows.toSorted((a, b) => a.quarter - b.quarter).map((row) => ({ ...row }))
          )
        yield* transact(rollups.saveActivity(1, [of(ada, talk, 3), of(ada, talk, 4), of(ben, other, 5)]))
        yield* transact(rollups.saveActivity(2, [of(ben, talk, 3)]))
        assert.deepStrictEqual(yield* found([ada]), [of(ada, talk, 3), of(ada, talk, 4)])
        assert.deepStrictEqual(yield* rollups.activeContacts(1, null, 9), [ada, ben])
        assert.deepStrictEqual(yield* rollups.activeContacts(1, ada, 9), [ben])
        yield* transact(rollups.saveActivity(1, [of(ben, talk, 4)]))
        assert.deepStrictEqual(yield* found([ben]), [of(ben, talk, 4), of(ben, other, 5)])
        assert.deepStrictEqual(yield* rollups.holders(1, [other, freshId(ConversationId)]), new Map([[other, ben]]))
        yield* transact(rollups.removeActivity(1, [ben]))
        assert.deepStrictEqual(yield* found([ada, ben]), [of(ada, talk, 3)])
        yield* transact(rollups.remove(2))
        assert.isEmpty(yield* rollups.activity(2, [ben]))
        assert.isEmpty(yield* rollups.activity(1, []))
        yield* transact(rollups.saveActivity(1, []))
        yield* transact(rollups.removeActivity(1, []))
        assert.strictEqual((yield* rollups.holders(1, [])).size, 0)
      }).pipe(inNewOrganization)
    )

    it.effect("rebuilds the days of a version", () =>
      Effect.gen(function* () {
        const rollups = yield* RollupStore
        yield* transact(rollups.add(1, [tally(3, 2), tally(4, 1), tally(5, 4)], [day("2020-01-01", 7)]))
        const bounds = [
          { date: "2026-03-01", from: 0, to: 4 },
          { date: "2026-03-02", from: 4, to: 100 }
        ]
        yield* transact(rollups.rebuildDays(1, bounds))
        assert.deepStrictEqual(rows(yield* rollups.days(1, wholeOrganization, "2020-01-01", "2026-12-31")), [
          "2026-03-01 contacts.new 0 2",
          "2026-03-02 contacts.new 0 5"
        ])
      }).pipe(inNewOrganization)
    )

    it.effect("sums the counts of erased records", () =>
      Effect.gen(function* () {
        const rollups = yield* RollupStore
        assert.isEmpty(yield* rollups.erased())
        yield* transact(rollups.addErased([tally(3, 2), tally(4, 1)]))
        yield* transact(rollups.addErased([tally(3, 1)]))
        assert.deepStrictEqual(rows(yield* rollups.erased()), ["3 contacts.new 0 3", "4 contacts.new 0 1"])
      }).pipe(inNewOrganization)
    )

    it.effect("reports where the days of two versions differ, and removes one without the other", () =>
      Effect.gen(function* () {
        const rollups = yield* RollupStore
        yield* transact(
          rollups.add(1, [], [day("2026-03-01", 3), day("2026-03-02", 1), day("2026-03-02", 2, { scope: account })])
        )
        yield* transact(rollups.add(2, [], [day("2026-03-01", 3), day("2026-03-02", 5), day("2026-03-03", 4)]))
        assert.deepStrictEqual(yield* rollups.compare(1, 2), {
          days: 3,
          facts: 12,
          differences: [
            { date: "2026-03-02", figure: "contacts.new", kept: 3, counted: 5 },
            { date: "2026-03-03", figure: "contacts.new", kept: 0, counted: 4 }
          ]
        })
        yield* transact(rollups.keep(2, new Map([[one, [count("contacts.new", 1)]]])))
        yield* transact(rollups.remove(2))
        assert.strictEqual((yield* rollups.kept(2, [one])).size, 0)
        assert.isEmpty(yield* rollups.days(2, wholeOrganization, "2020-01-01", "2026-12-31"))
        assert.lengthOf(yield* rollups.days(1, wholeOrganization, "2020-01-01", "2026-12-31"), 2)
      }).pipe(inNewOrganization)
    )
  }
}

export const rollupStoreContract = runContract(rollupStore)
