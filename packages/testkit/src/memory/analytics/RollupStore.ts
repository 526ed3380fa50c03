import {
  RollupStore,
  type RollupState,
  type RollupComparison,
  type DayTally,
  type RollupVersion,
  type Tally
} from "@parley/domain/analytics"
import { Effect, HashMap, Layer, Option } from "effect"
import type { Tenant } from "../store/State.ts"
import { type RollupVersionRows, emptyRollupVersion } from "./state.ts"
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

const versionRowsOf = ({ rollupVersions }: Tenant, version: RollupVersion): RollupVersionRows =>
  Option.getOrElse(HashMap.get(rollupVersions, version), () => emptyRollupVersion)

const withVersionRows = (
  tenant: Tenant,
  version: RollupVersion,
  change: Partial<RollupVersionRows>
): Partial<Tenant> => ({
  rollupVersions: HashMap.set(tenant.rollupVersions, version, { ...versionRowsOf(tenant, version), ...change })
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
          const state: RollupState = rollupState ?? {
            version: 1,
            timezone,
            position: 0,
            recount: null,
            attributionHours: null,
            checkedAt: null
          }
          return [state, { rollupState: state }]
        }),
      save: (state) => store.writeTenant(() => [undefined, { rollupState: state }]),
      kept: (version, ids) =>
        store.readTenant((tenant) => {
          const { kept } = versionRowsOf(tenant, version)
          return new Map(
            ids.flatMap((id) =>
              Option.match(HashMap.get(kept, id), { onNone: () => [], onSome: (counts) => [[id, counts]] })
            )
          )
        }),
      keptParts: (version, ids) =>
        store.readTenant((tenant) => {
          const asked = new Set(ids)
          return new Map(
            HashMap.toEntries(versionRowsOf(tenant, version).kept).filter(([key]) =>
              asked.has(key.split("#")[0] ?? key)
            )
          )
        }),
      keep: (version, changes) =>
        store.writeTenant((tenant) => {
          const kept = [...changes].reduce(
            (all, [id, counts]) => (counts.length === 0 ? HashMap.remove(all, id) : HashMap.set(all, id, counts)),
            versionRowsOf(tenant, version).kept
          )
          return [undefined, withVersionRows(tenant, version, { kept })]
        }),
      activity: (version, contactIds) =>
        store.readTenant((tenant) =>
          HashMap.toValues(versionRowsOf(tenant, version).activity).filter(({ contactId }) =>
            contactIds.includes(contactId)
          )
        ),
      holders: (version, conversationIds) =>
        store.readTenant((tenant) => {
          const asked = new Set(conversationIds)
          const rows = HashMap.toValues(versionRowsOf(tenant, version).activity)
          return new Map(
            rows
              .filter(({ conversationId }) => asked.has(conversationId))
              .map((each) => [each.conversationId, each.contactId])
          )
        }),
      activeContacts: (version, after, limit) =>
        store.readTenant((tenant) => {
          const ids = HashMap.toValues(versionRowsOf(tenant, version).activity).map(({ contactId }) => contactId)
          return [...new Set(ids)]
            .filter((id) => after === null || id > after)
            .toSorted()
            .slice(0, limit)
        }),
      saveActivity: (version, activity) =>
        store.writeTenant((tenant) => [
          undefined,
          withVersionRows(tenant, version, {
            activity: activity.reduce(
              (rows, each) => HashMap.set(rows, `${each.conversationId} ${each.quarter}`, each),
              versionRowsOf(tenant, version).activity
            )
          })
        ]),
      removeActivity: (version, contactIds) =>
        store.writeTenant((tenant) => [
          undefined,
          withVersionRows(tenant, version, {
            activity: HashMap.filter(
              versionRowsOf(tenant, version).activity,
              ({ contactId }) => !contactIds.includes(contactId)
            )
          })
        ]),
      add: (version, quarters, days) =>
        store.writeTenant((tenant) => {
          const before = versionRowsOf(tenant, version)
          return [
            undefined,
            withVersionRows(tenant, version, {
              quarters: added(before.quarters, quarters, quarterKey),
              days: added(before.days, days, dayKey)
            })
          ]
        }),
      days: (version, scope, from, to) =>
        store.readTenant((tenant) =>
          some(versionRowsOf(tenant, version).days).filter(
            (day) => day.scope === scope && day.date >= from && day.date <= to
          )
        ),
      quarters: (version, scope, from, to) =>
        store.readTenant((tenant) =>
          some(versionRowsOf(tenant, version).quarters).filter(
            (tally) => tally.scope === scope && tally.quarter >= from && tally.quarter < to
          )
        ),
      extent: (version) =>
        store.readTenant((tenant) => {
          const quarters = HashMap.toValues(versionRowsOf(tenant, version).quarters).map(({ quarter }) => quarter)
          return quarters.length === 0 ? null : { first: Math.min(...quarters), last: Math.max(...quarters) }
        }),
      rebuildDays: (version, bounds) =>
        store.writeTenant((tenant) => {
          const days = HashMap.toValues(versionRowsOf(tenant, version).quarters).flatMap(({ quarter, ...tally }) => {
            const day = bounds.find(({ from, to }) => quarter >= from && quarter < to)
            return day === undefined ? [] : [{ ...tally, date: day.date }]
          })
          return [undefined, withVersionRows(tenant, version, { days: added(HashMap.empty(), days, dayKey) })]
        }),
      addErased: (tallies) =>
        store.writeTenant(({ analyticsErased }) => [
          undefined,
          { analyticsErased: added(analyticsErased, tallies, quarterKey) }
        ]),
      erased: () => store.readTenant(({ analyticsErased }) => HashMap.toValues(analyticsErased)),
      keepAttributions: (credits) =>
        store.writeTenant(({ keptAttributions }) => [
          undefined,
          {
            keptAttributions: Array.from(credits).reduce(
              (all, [id, broadcast]) => (HashMap.has(all, id) ? all : HashMap.set(all, id, broadcast)),
              keptAttributions
            )
          }
        ]),
      dropAttributions: (ids) =>
        store.writeTenant(({ keptAttributions }) => [
          undefined,
          { keptAttributions: HashMap.removeMany(keptAttributions, ids) }
        ]),
      compare: (version, other) =>
        store.readTenant((tenant): RollupComparison =>
          compared(some(versionRowsOf(tenant, version).days), some(versionRowsOf(tenant, other).days))
        ),
      remove: (version) =>
        store.writeTenant(({ rollupVersions }) => [
          undefined,
          { rollupVersions: HashMap.remove(rollupVersions, version) }
        ])
    })
  )
)
