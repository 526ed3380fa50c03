import type { UserId } from "@parley/domain/kernel"
import { isAccepted } from "@parley/domain/campaigns"
import {
  AnalyticsFigures,
  type RollupVersion,
  type FigureSum,
  type Tally,
  type VariantSum
} from "@parley/domain/analytics"
import { Effect, HashMap, Layer, Option } from "effect"
import { rowAt, type Tenant } from "../store/State.ts"
import type { BroadcastRecipientRow } from "../campaigns/state.ts"
import { emptyRollupVersion } from "./state.ts"
import { Store } from "../store/Store.ts"

const versionRowsOf = ({ rollupVersions }: Tenant, version: RollupVersion) =>
  Option.getOrElse(HashMap.get(rollupVersions, version), () => emptyRollupVersion)

const wasAccepted = ({ status }: BroadcastRecipientRow) => status !== "waiting" && isAccepted(status)

type Amount = Pick<Tally, "figure" | "step" | "amount" | "scope">

/** Groups the steps of each figure by row key. */
const grouped = <Row extends Amount, Key>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => Key
): ReadonlyArray<FigureSum & { readonly key: Key }> => {
  const groups = new Map<string, { readonly key: Key; readonly figure: string; readonly steps: Map<number, number> }>()
  for (const row of rows) {
    const { amount, figure, step } = row
    const key = keyOf(row)
    const group = groups.get(`${String(key)} ${figure}`) ?? { key, figure, steps: new Map<number, number>() }
    group.steps.set(step, (group.steps.get(step) ?? 0) + amount)
    groups.set(`${String(key)} ${figure}`, group)
  }
  return [...groups.values()].flatMap(({ figure, key, steps }) => {
    const some = [...steps].filter(([, amount]) => amount !== 0)
    if (some.length === 0) return []
    return [{ key, figure, steps: some.map(([step]) => step), amounts: some.map(([, amount]) => amount) }]
  })
}

const asked =
  (scope: string, figures: ReadonlyArray<string> | null) =>
  (row: Amount): boolean =>
    row.scope === scope && (figures === null || figures.includes(row.figure))

export const layer = Layer.effect(
  AnalyticsFigures,
  Effect.map(Store, (store) =>
    AnalyticsFigures.of({
      days: (version, scope, figures, from, to) =>
        store.readTenant((tenant) => {
          const rows = HashMap.toValues(versionRowsOf(tenant, version).days)
            .filter(asked(scope, figures))
            .filter(({ date }) => date >= from && date <= to)
          return grouped(rows, ({ date }) => date).map(({ key, ...sum }) => ({ ...sum, date: key }))
        }),
      ranges: (version, scope, figures, ranges) =>
        store.readTenant((tenant) => {
          const rows = HashMap.toValues(versionRowsOf(tenant, version).quarters).filter(asked(scope, figures))
          return ranges.flatMap(({ from, to }, range) =>
            grouped(
              rows.filter(({ quarter }) => quarter >= from && quarter < to),
              () => range
            ).map(({ key, ...sum }) => ({ ...sum, range: key }))
          )
        }),
      before: (version, scope, figures, date) =>
        store.readTenant((tenant) => {
          const rows = HashMap.toValues(versionRowsOf(tenant, version).days)
            .filter(asked(scope, figures))
            .filter((row) => row.date < date)
          const sums = new Map<string, number>()
          for (const { amount, figure } of rows) sums.set(figure, (sums.get(figure) ?? 0) + amount)
          return sums
        }),
      totals: (version, scopes, prefix) =>
        store.readTenant((tenant) => {
          const rows = HashMap.toValues(versionRowsOf(tenant, version).days).filter(
            ({ figure, scope }) => scopes.includes(scope) && figure.startsWith(prefix)
          )
          return grouped(rows, ({ scope }) => scope).flatMap(({ amounts, figure, key: scope }) => {
            const amount = amounts.reduce((sum, each) => sum + each, 0)
            return amount === 0 ? [] : [{ scope, figure, amount }]
          })
        }),
      variantTotals: (version, id, prefix) =>
        store.readTenant((tenant) => {
          const { kept } = versionRowsOf(tenant, version)
          const recipients = rowAt(tenant.broadcastRecipients, id) ?? []
          const sums = new Map<string, VariantSum>()
          for (const { contactId, id: orderId } of HashMap.toValues(tenant.storeOrders)) {
            const own = recipients
              .filter((row) => contactId !== null && row.contactId === contactId && row.variant !== null)
              .toSorted((one, other) => Number(wasAccepted(other)) - Number(wasAccepted(one)) || one.seq - other.seq)
            const variant = own[0]?.variant ?? null
            if (variant === null) continue
            for (const { amount, figure, scopes } of rowAt(kept, orderId) ?? []) {
              if (!scopes.includes(id) || !figure.startsWith(prefix)) continue
              const before = sums.get(`${variant} ${figure}`)?.amount ?? 0
              sums.set(`${variant} ${figure}`, { variant, figure, amount: before + amount })
            }
          }
          return [...sums.values()].filter(({ amount }) => amount !== 0)
        }),
      weekHours: (version, scope, figures, ranges) =>
        store.readTenant((tenant) => {
          const rows = HashMap.toValues(versionRowsOf(tenant, version).quarters).filter(asked(scope, figures))
          const hours = new Map<number, number>()
          for (const { from, shift, to } of ranges) {
            for (const { amount, quarter } of rows) {
              if (quarter < from || quarter >= to) continue
              const hour = (Math.floor((quarter + shift) / 4) + 72) % 168
              hours.set(hour, (hours.get(hour) ?? 0) + amount)
            }
          }
          return [...hours].filter(([, amount]) => amount !== 0).map(([hour, amount]) => ({ hour, amount }))
        }),
      people: (version, figures, from, to) =>
        store.readTenant((tenant, state) => {
          const rows = HashMap.toValues(versionRowsOf(tenant, version).days).filter(
            ({ date, figure }) => figures.includes(figure) && date >= from && date <= to
          )
          return [...Map.groupBy(rows, ({ scope }) => scope)].flatMap(([scope, own]) => {
            const user = rowAt(state.users, scope as UserId)?.user
            if (user === undefined) return []
            return grouped(own, () => scope).map(({ amounts, figure }) => ({
              userId: user.id,
              figure,
              amount: amounts.reduce((sum, amount) => sum + amount, 0)
            }))
          })
        }),
      stepsOf: (version, userIds, figures, from, to) =>
        store.readTenant((tenant) =>
          userIds.flatMap((userId) => {
            const rows = HashMap.toValues(versionRowsOf(tenant, version).days)
              .filter(asked(userId, figures))
              .filter(({ date }) => date >= from && date <= to)
            return grouped(rows, () => userId).map(({ key, ...sum }) => ({ ...sum, userId: key }))
          })
        )
    })
  )
)
