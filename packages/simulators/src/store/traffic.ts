import { Effect } from "effect"
import type { Timeline } from "../Timeline.ts"
import type { Action } from "./Action.ts"
import type { Listed, Catalog } from "./Catalog.ts"
import type { Simulation } from "./Simulation.ts"
import type { Shop, World } from "./World.ts"

/** The actions of one draw, by how often they come. */
const habits: ReadonlyArray<readonly [share: number, kind: Action["kind"]]> = [
  [0.35, "buy"],
  [0.6, "begin_checkout"],
  [0.75, "fulfil"],
  [0.85, "refund"],
  [0.9, "add_customer"],
  [0.95, "change_customer"],
  [1, "change_product"]
]

/** Generates automatic shop traffic: purchases, abandoned carts and refunds. The same seed repeats the same traffic. */
export const makeTraffic = (world: World, timeline: Timeline, simulation: Simulation) => {
  const turns = new Map<Shop, number>()

  const someOf = <Row extends Listed>(
    shop: Shop,
    turn: number,
    salt: number,
    catalog: Catalog<Row>,
    firstId: number
  ) => {
    const row = catalog.get(firstId + Math.floor(shop.draw(9, turn, salt) * catalog.size))
    return row ?? catalog.all().next().value ?? null
  }

  const firstOf = <Row extends Listed>(catalog: Catalog<Row>): number => catalog.all().next().value?.id ?? 0

  const actionOf = (shop: Shop, turn: number): Action | null => {
    const drawn = shop.draw(9, turn, 0)
    const [, kind] = habits.find(([share]) => drawn < share) ?? [1, "buy"]
    const { customers, orders, products } = shop.shelves
    const customer = someOf(shop, turn, 1, customers, firstOf(customers))
    const order = someOf(shop, turn, 2, orders, firstOf(orders))
    const product = someOf(shop, turn, 3, products, firstOf(products))
    const domain = { shop: shop.domain }
    if (kind === "add_customer") {
      const phone = `+491522${String(turn % 10_000_000).padStart(7, "0")}`
      return { kind, ...domain, firstName: "Robin", lastName: `New ${turn}`, phone, sms: "SUBSCRIBED" }
    }
    if (kind === "change_customer")
      return customer && { kind, ...domain, customer: customer.id, tags: [`turn ${turn}`] }
    if (kind === "change_product") return product && { kind, ...domain, product: product.id, title: product.title }
    if (kind === "fulfil" || kind === "refund") return order && { kind, ...domain, order: order.id }
    if (kind !== "buy" && kind !== "begin_checkout") return null
    return customer && product && { kind, ...domain, customer: customer.id, items: [{ product: product.id }] }
  }

  /** Performs one random customer action. */
  const turn = (shop: Shop): void => {
    const number = turns.get(shop) ?? 0
    turns.set(shop, number + 1)
    const action = actionOf(shop, number)
    if (action !== null) simulation.act(action)
  }

  const every = (millis: number): void =>
    timeline.after(
      millis,
      Effect.sync(() => {
        for (const shop of world.shops) turn(shop)
        every(millis)
      })
    )

  return { turn, every }
}
