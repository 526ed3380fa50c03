import {
  RollupStore,
  type RollupState,
  type RollupComparison,
  type DayTally,
  type RollupVersion,
  type Tally
} from "@parley/domain"
import { Effect, HashMap, Layer, Option } from "effect"
import { type AnalyticsEdition, emptyEdition, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { compared } from "./compared.ts"

const dayKey = ({ date, figure, scope, step }: DayTally) => `${scope} ${date} ${figure} ${step}`

const quarterKey = ({ figure, quarter, scope, step }: Tally) => `${scope} ${quarter} ${figure} ${step}`

const added = <Row extends { readonly amount: number }>(
  table: HashMap.HashMap<string, Row>,
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string
) =>
  rows.reduce((all, row) => {
    const key = keyOf(row)
    const before = Option.match(HashMap.get(all, key), { onNone: () => 0, onSome: ({ amount }) => amount })
    return HashMap.set(all, key, { ...row, amount: before + row.amount })
  }, table)

const editionOf = ({ analyticsEditions }: Tenant, edition: RollupVersion): AnalyticsEdition =>
  Option.getOrElse(HashMap.get(analyticsEditions, edition), () => emptyEdition)

const withEdition = (tenant: Tenant, edition: RollupVersion, change: Partial<AnalyticsEdition>): Partial<Tenant> => ({
  analyticsEditions: HashMap.set(tenant.analyticsEditions, edition, { ...editionOf(tenant, edition), ...change })
})

const some = <Row extends { readonly amount: number }>(table: HashMap.HashMap<string, Row>) =>
  HashMap.toValues(table).filter(({ amount }) => amount !== 0)

export const layer = Layer.effect(
  RollupStore,
  Effect.map(Store, (store) =>
    RollupStore.of({
      find: () => store.readTenant(({ rollupState }) => rollupState),
      lock: (timezone) =>
        store.writeTenant(({ rollupState }) => {
          const book: RollupState = rollupState ?? {
            edition: 1,
            timezone,
            position: 0,
            recount: null,
            attributionHours: null,
            checkedAt: null
          }
          return [book, { rollupState: book }]
        }),
      save: (book) => store.writeTenant(() => [undefined, { rollupState: book }]),
      kept: (edition, ids) =>
        store.readTenant((tenant) => {
          const { kept } = editionOf(tenant, edition)
          return new Map(
            ids.flatMap((id) =>
              Option.match(HashMap.get(kept, id), { onNone: () => [], onSome: (counts) => [[id, counts]] })
            )
          )
        }),
      keptParts: (edition, ids) =>
        store.readTenant((tenant) => {
          const asked = new Set(ids)
          return new Map(
            HashMap.toEntries(editionOf(tenant, edition).kept).filter(([key]) => asked.has(key.split("#")[0] ?? key))
          )
        }),
      keep: (edition, changes) =>
        store.writeTenant((tenant) => {
          const kept = [...changes].reduce(
            (all, [id, counts]) => (counts.length === 0 ? HashMap.remove(all, id) : HashMap.set(all, id, counts)),
            editionOf(tenant, edition).kept
          )
          return [undefined, withEdition(tenant, edition, { kept })]
        }),
      presence: (edition, contactIds) =>
        store.readTenant((tenant) =>
          HashMap.toValues(editionOf(tenant, edition).presence).filter(({ contactId }) =>
            contactIds.includes(contactId)
          )
        ),
      holders: (edition, conversationIds) =>
        store.readTenant((tenant) => {
          const asked = new Set(conversationIds)
          const rows = HashMap.toValues(editionOf(tenant, edition).presence)
          return new Map(
            rows
              .filter(({ conversationId }) => asked.has(conversationId))
              .map((each) => [each.conversationId, each.contactId])
          )
        }),
      present: (edition, after, limit) =>
        store.readTenant((tenant) => {
          const ids = HashMap.toValues(editionOf(tenant, edition).presence).map(({ contactId }) => contactId)
          return [...new Set(ids)]
            .filter((id) => after === null || id > after)
            .toSorted()
            .slice(0, limit)
        }),
      savePresence: (edition, presence) =>
        store.writeTenant((tenant) => [
          undefined,
          withEdition(tenant, edition, {
            presence: presence.reduce(
              (rows, each) => HashMap.set(rows, `${each.conversationId} ${each.quarter}`, each),
              editionOf(tenant, edition).presence
            )
          })
        ]),
      removePresence: (edition, contactIds) =>
        store.writeTenant((tenant) => [
          undefined,
          withEdition(tenant, edition, {
            presence: HashMap.filter(
              editionOf(tenant, edition).presence,
              ({ contactId }) => !contactIds.includes(contactId)
            )
          })
        ]),
      add: (edition, quarters, days) =>
        store.writeTenant((tenant) => {
          const before = editionOf(tenant, edition)
          return [
            undefined,
            withEdition(tenant, edition, {
              quarters: added(before.quarters, quarters, quarterKey),
              days: added(before.days, days, dayKey)
            })
          ]
        }),
      days: (edition, scope, from, to) =>
        store.readTenant((tenant) =>
          some(editionOf(tenant, edition).days).filter(
            (day) => day.scope === scope && day.date >= from && day.date <= to
          )
        ),
      quarters: (edition, scope, from, to) =>
        store.readTenant((tenant) =>
          some(editionOf(tenant, edition).quarters).filter(
            (tally) => tally.scope === scope && tally.quarter >= from && tally.quarter < to
          )
        ),
      extent: (edition) =>
        store.readTenant((tenant) => {
          const quarters = HashMap.toValues(editionOf(tenant, edition).quarters).map(({ quarter }) => quarter)
          return quarters.length === 0 ? null : { first: Math.min(...quarters), last: Math.max(...quarters) }
        }),
      cut: (edition, bounds) =>
        store.writeTenant((tenant) => {
          const days = HashMap.toValues(editionOf(tenant, edition).quarters).flatMap(({ quarter, ...tally }) => {
            const day = bounds.find(({ from, to }) => quarter >= from && quarter < to)
            return day === undefined ? [] : [{ ...tally, date: day.date }]
          })
          return [undefined, withEdition(tenant, edition, { days: added(HashMap.empty(), days, dayKey) })]
        }),
      addErased: (tallies) =>
        store.writeTenant(({ analyticsErased }) => [
          undefined,
          { analyticsErased: added(analyticsErased, tallies, quarterKey) }
        ]),
      erased: () => store.readTenant(({ analyticsErased }) => HashMap.toValues(analyticsErased)),
      keepCredits: (credits) =>
        store.writeTenant(({ analyticsCredits }) => [
          undefined,
          {
            analyticsCredits: Array.from(credits).reduce(
              (all, [id, broadcast]) => (HashMap.has(all, id) ? all : HashMap.set(all, id, broadcast)),
              analyticsCredits
            )
          }
        ]),
      dropCredits: (ids) =>
        store.writeTenant(({ analyticsCredits }) => [
          undefined,
          { analyticsCredits: HashMap.removeMany(analyticsCredits, ids) }
        ]),
      compare: (edition, other) =>
        store.readTenant((tenant): RollupComparison =>
          compared(some(editionOf(tenant, edition).days), some(editionOf(tenant, other).days))
        ),
      remove: (edition) =>
        store.writeTenant(({ analyticsEditions }) => [
          undefined,
          { analyticsEditions: HashMap.remove(analyticsEditions, edition) }
        ])
    })
  )
)
