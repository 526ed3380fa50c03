import { identityLookupKey } from "@parley/domain/crm"
import { type BusinessRef, DailyRecipients, dailyWindow, type Recipient } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer, Option } from "effect"
import { rowAt, type Tenant } from "../../store/State.ts"
import type { ReachRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

type Rows = HashMap.HashMap<string, ReachRow>

const keyOf = ({ businessId, provider }: BusinessRef) => JSON.stringify([provider, businessId])

const counting = (rows: Rows, now: DateTime.Utc): Rows => {
  const since = DateTime.subtractDuration(now, dailyWindow)
  return HashMap.filter(rows, ({ reachedAt }) => DateTime.isGreaterThan(reachedAt, since))
}

const rowsOf = ({ dailyRecipients }: Tenant, business: BusinessRef): Rows =>
  Option.getOrElse(HashMap.get(dailyRecipients, keyOf(business)), () => HashMap.empty<string, ReachRow>())

const timesOf = (rows: Rows) =>
  HashMap.toValues(rows)
    .map(({ reachedAt }) => reachedAt)
    .toSorted(DateTime.Order)

const freeAt = (rows: Rows, most: number): DateTime.Utc | null => {
  const leaves = most <= 0 ? undefined : timesOf(rows)[HashMap.size(rows) - most]
  return leaves === undefined ? null : DateTime.addDuration(leaves, dailyWindow)
}

const withReached = (before: Rows, recipients: ReadonlyArray<Recipient>, now: DateTime.Utc, most: number | null) => {
  let [rows, granted] = [before, 0]
  for (const name of recipients.map(identityLookupKey)) {
    const row = rowAt(before, name)
    if (!HashMap.has(rows, name) && most !== null && HashMap.size(rows) >= most)
      return { rows, granted, freeAt: freeAt(rows, most) }
    rows = HashMap.set(rows, name, { reachedAt: now, formerAt: row?.reachedAt ?? null })
    granted += 1
  }
  return { rows, granted, freeAt: null }
}

const withoutReached = (before: Rows, recipients: ReadonlyArray<Recipient>, at: DateTime.Utc) =>
  recipients.map(identityLookupKey).reduce((rows, name) => {
    const row = rowAt(rows, name)
    if (row === null || !DateTime.Equivalence(row.reachedAt, at)) return rows
    return row.formerAt === null
      ? HashMap.remove(rows, name)
      : HashMap.set(rows, name, { reachedAt: row.formerAt, formerAt: null })
  }, before)

const minute = 60_000

export const layer = Layer.effect(
  DailyRecipients,
  Effect.map(Store, (store) => {
    const change = <A>(business: BusinessRef, changed: (rows: Rows) => readonly [A, Rows]) =>
      store.writeTenant((tenant) => {
        const [answer, rows] = changed(rowsOf(tenant, business))
        return [answer, { dailyRecipients: HashMap.set(tenant.dailyRecipients, keyOf(business), rows) }]
      })

    return DailyRecipients.of({
      reach: (business, recipients, { most, now }) =>
        change(business, (before) => {
          const { freeAt, granted, rows } = withReached(counting(before, now), recipients, now, most)
          return [{ granted, freeAt }, rows]
        }),
      takeBack: (business, recipients, at) =>
        change(business, (before) => [undefined, withoutReached(before, recipients, at)]),
      reached: (business, now) =>
        store.readTenant((tenant) => {
          const minutes = timesOf(counting(rowsOf(tenant, business), now)).map(
            (at) => Math.floor(DateTime.toEpochMillis(at) / minute) * minute
          )
          return Array.from(
            Map.groupBy(minutes, (at) => at),
            ([at, { length }]) => ({
              at: DateTime.makeUnsafe(at),
              count: length
            })
          )
        }),
      forget: (now) =>
        store.writeTenant(({ dailyRecipients }) => [
          undefined,
          { dailyRecipients: HashMap.map(dailyRecipients, (rows) => counting(rows, now)) }
        ])
    })
  })
)
