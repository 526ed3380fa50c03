import type { Action, RunningStoreSimulator } from "@parley/simulators/store"
import { Effect } from "effect"
import type { Drawing } from "../drawing.ts"

/** Actions of people in a shop beyond the automatic ones, with the changed record. */
const doings = [
  ["orders", "cancel"],
  ["orders", "edit"],
  ["orders", "pay"],
  ["orders", "delete_order"],
  ["customers", "delete_customer"],
  ["customers", "merge_customers"],
  ["products", "delete_product"],
  ["carts", "buy"]
] as const

const actionOf = (shop: string, kind: (typeof doings)[number][1], id: number, other: number): Action => {
  switch (kind) {
    case "cancel":
    case "edit":
    case "pay":
    case "delete_order":
      return { kind, shop, order: id }
    case "delete_customer":
      return { kind, shop, customer: id }
    case "merge_customers":
      return { kind, shop, kept: id, merged: other }
    case "delete_product":
      return { kind, shop, product: id }
    case "buy":
      return { kind, shop, checkout: id }
  }
}

/** Has something happen in a shop that changes, ends or joins a record that is there. */
export const interveneIn = (simulator: RunningStoreSimulator, shop: string, draws: Drawing) => {
  const [shelf, kind] = draws.pick(doings)
  const rows = [...simulator.books(shop)[shelf]()].filter((row) => !("completedAt" in row) || row.completedAt === null)
  if (rows.length < 2) return
  const place = draws.between(0, rows.length - 2)
  const [one, next] = [rows[place], rows[place + 1]]
  if (one === undefined || next === undefined) return
  simulator.act(actionOf(shop, kind, Number(one.externalId), Number(next.externalId)))
}

/** People continue their actions in these shops at random moments until interrupted. */
export const goOnSelling = Effect.fnUntraced(function* (
  simulator: RunningStoreSimulator,
  shops: ReadonlyArray<string>,
  draws: Drawing,
  count: () => void
) {
  while (true) {
    yield* Effect.sleep(draws.between(20, 250))
    const shop = draws.pick(shops)
    if (draws.chance(0.25)) interveneIn(simulator, shop, draws)
    else simulator.turns(shop, draws.between(1, 4))
    count()
  }
})
