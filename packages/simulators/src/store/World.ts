import { Catalog } from "./Catalog.ts"
import type { Draw } from "./draw.ts"
import { generating } from "./generate.ts"
import {
  defaultShop,
  defaultStoreApp,
  type ProtectedField,
  type SimulatedApp,
  type SimulatedShop,
  type StoreSimulatorOptions
} from "./Options.ts"
import type { ShopCheckout, ShopCustomer, ShopOrder, ShopProduct } from "./Records.ts"

/** Request for a record that does not exist. */
export class NotThere extends Error {}

/** Permissions and tokens of the app in a shop. */
export interface Installation {
  scopes: ReadonlyArray<string>
  accessToken: string
  /** `null`: never. */
  expiresAt: number | null
  refreshToken: string | null
  refreshExpiresAt: number | null
  /** Reusable until the app uses its successor, because the response with the successor can be lost. */
  formerRefresh: { readonly token: string; readonly firstUsedAt: number } | null
}

/** Target of a topic of a shop. */
export interface Subscription {
  readonly id: number
  readonly topic: string
  readonly uri: string
  /** Name from the app; deliveries repeat it. */
  readonly name: string | null
  failures: number
}

/** The records of a shop. */
export interface Shelves {
  readonly customers: Catalog<ShopCustomer>
  readonly orders: Catalog<ShopOrder>
  readonly products: Catalog<ShopProduct>
  readonly abandonedCheckouts: Catalog<ShopCheckout>
}

/** A requested export. */
export interface BulkOperation {
  readonly id: number
  readonly query: string
  /** Older orders are hidden from apps without permission to read all orders. */
  readonly createdFrom: number | null
  readonly createdAt: number
  readonly doneAt: number
  /** Records at the time of the request. */
  readonly shelves: Shelves
  readonly failure: "ACCESS_DENIED" | "INTERNAL_SERVER_ERROR" | "TIMEOUT" | null
  /** Offsets of some root records in the part of the file that was read. */
  readonly marks: Array<{ readonly byte: number; readonly afterId: number }>
}

/** A shop of the simulated provider. */
export interface Shop {
  readonly id: number
  domain: string
  readonly formerDomains: Set<string>
  name: string
  readonly currency: string
  readonly country: string
  /** Records without a readable change time, by collection and id. */
  readonly corrupted: Set<string>
  readonly scale: number
  readonly draw: Draw
  readonly shelves: Shelves
  protectedFields: ReadonlySet<ProtectedField>
  /** 402 and 423 are answered while it is so. */
  closed: 402 | 423 | null
  installation: Installation | null
  readonly subscriptions: Array<Subscription>
  readonly bulkOperations: Map<number, BulkOperation>
  readonly bucket: { readonly perSecond: number; readonly most: number; left: number; at: number }
  ordersCount: number
}

/** A call of the provider's API with its answer. */
export interface StoreCall {
  readonly at: number
  readonly shop: string
  readonly kind: "token" | "graphql" | "file"
  /** Root fields of the request, or the kind of grant. */
  readonly names: ReadonlyArray<string>
  readonly status: number
  readonly throttled: boolean
  readonly cost: number
}

/** A delivery with its last answer. */
export interface StoreDelivered {
  readonly id: string
  readonly shop: string
  readonly topic: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  attempts: number
  status: number | null
}

const shelvesOf = (shop: SimulatedShop, number: number, startAt: number) => {
  const made = generating(shop, number, startAt)
  return {
    corrupted: new Set<string>(),
    scale: made.scale,
    draw: made.draw,
    shelves: {
      customers: new Catalog(made.customers),
      orders: new Catalog(made.orders),
      products: new Catalog(made.products),
      abandonedCheckouts: new Catalog(made.abandonedCheckouts)
    }
  }
}

/** Copies the current records of a shop. */
export const copyOf = ({ abandonedCheckouts, customers, orders, products }: Shelves): Shelves => ({
  customers: customers.copy(),
  orders: orders.copy(),
  products: products.copy(),
  abandonedCheckouts: abandonedCheckouts.copy()
})

/** State of the simulated provider. */
export const makeWorld = (options: StoreSimulatorOptions, startAt: number) => {
  const shops: Array<Shop> = []
  let count = 0

  const addShop = (shop: SimulatedShop): Shop => {
    const most = shop.points ?? 2_000
    const added: Shop = {
      id: 60_000_000_001 + shops.length,
      domain: shop.domain,
      formerDomains: new Set(),
      name: shop.name ?? shop.domain.replace(/\..*$/u, ""),
      currency: shop.currency ?? "EUR",
      country: shop.country ?? "DE",
      ...shelvesOf(shop, shops.length, startAt),
      protectedFields: new Set(shop.protected),
      closed: null,
      installation: null,
      subscriptions: [],
      bulkOperations: new Map(),
      bucket: { perSecond: shop.pointsPerSecond ?? 100, most, left: most, at: startAt },
      ordersCount: shop.orders ?? 0
    }
    shops.push(added)
    return added
  }
  for (const shop of options.shops ?? [defaultShop]) addShop(shop)

  const app: SimulatedApp = options.app ?? defaultStoreApp
  return {
    app,
    complianceUrl: app.complianceUrl ?? null,
    shops,
    addShop,
    shopAt: (domain: string): Shop | null =>
      shops.find((shop) => shop.domain === domain) ?? shops.find((shop) => shop.formerDomains.has(domain)) ?? null,
    next: () => (count += 1),
    /** Codes of agreements, each good once. */
    codes: new Map<
      string,
      { readonly shop: Shop; readonly scopes: ReadonlyArray<string>; readonly redirectUri: string }
    >(),
    calls: [] as Array<StoreCall>,
    deliveries: [] as Array<StoreDelivered>
  }
}
export type World = ReturnType<typeof makeWorld>
