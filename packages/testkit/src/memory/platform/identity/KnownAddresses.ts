import { knownAddressLifetime, KnownAddresses, maxKnownAddresses } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State } from "../../store/State.ts"
import type { KnownAddressRow } from "../state.ts"
import { Store } from "../../store/Store.ts"

const rowsOf = (state: State, account: string): ReadonlyArray<KnownAddressRow> =>
  rowAt(state.knownAddresses, account) ?? []

/** Returns the row of the address, else a free slot, else the slot of the least recently seen address. */
const slotFor = (rows: ReadonlyArray<KnownAddressRow>, address: string): number => {
  const known = rows.find((row) => row.address === address)
  if (known !== undefined) return known.slot
  const free = Array.from({ length: maxKnownAddresses }, (_, slot) => slot).find((slot) =>
    rows.every((row) => row.slot !== slot)
  )
  const [oldest] = rows.toSorted(
    (one, other) => DateTime.toEpochMillis(one.seenAt) - DateTime.toEpochMillis(other.seenAt) || one.slot - other.slot
  )
  return free ?? oldest?.slot ?? 0
}

export const layer = Layer.effect(
  KnownAddresses,
  Effect.map(Store, (store) =>
    KnownAddresses.of({
      slotOf: (account, address, since) =>
        store.read(
          (state) =>
            rowsOf(state, account).find((row) => row.address === address && DateTime.isGreaterThan(row.seenAt, since))
              ?.slot ?? null
        ),
      note: (account, address, now) =>
        store.write((state) => {
          const rows = rowsOf(state, account)
          const slot = slotFor(rows, address)
          const others = rows.filter((row) => row.slot !== slot)
          return [
            undefined,
            {
              ...state,
              knownAddresses: HashMap.set(state.knownAddresses, account, [...others, { slot, address, seenAt: now }])
            }
          ]
        }),
      forget: (account) =>
        store.write((state) => [
          undefined,
          { ...state, knownAddresses: HashMap.remove(state.knownAddresses, account) }
        ]),
      sweep: Effect.flatMap(DateTime.now, (now) =>
        store.write((state) => {
          const since = DateTime.subtractDuration(now, knownAddressLifetime)
          const count = (map: State["knownAddresses"]) =>
            HashMap.toValues(map).reduce((sum, rows) => sum + rows.length, 0)
          const knownAddresses = HashMap.map(state.knownAddresses, (rows) =>
            rows.filter(({ seenAt }) => DateTime.isGreaterThan(seenAt, since))
          )
          return [count(state.knownAddresses) - count(knownAddresses), { ...state, knownAddresses }]
        })
      )
    })
  )
)
