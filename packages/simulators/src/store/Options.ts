import type { Clock } from "effect"
import type { ApiVersion } from "./apiVersions.ts"

/** The app that shops install: its identity and its secrets. */
export interface SimulatedApp {
  readonly clientId: string
  readonly clientSecret: string
  /** URL for deliveries without a subscription: requests and deletions of personal data. */
  readonly complianceUrl?: string | null
}

/** Personal fields that the provider has not approved for the app. */
export type ProtectedField = "name" | "phone" | "email" | "address" | "customer"

/** Shop and its initial number of records. */
export interface SimulatedShop {
  readonly domain: string
  readonly name?: string
  /** Default: EUR. */
  readonly currency?: string
  readonly country?: string
  /** The same seed makes the same shop. */
  readonly seed?: string
  readonly customers?: number
  readonly orders?: number
  readonly products?: number
  readonly abandonedCheckouts?: number
  /** Age of the first order. Default: one year. */
  readonly historyMillis?: number
  readonly protected?: ReadonlyArray<ProtectedField>
  /** Points restored per second, and the maximum. Default: 100 and 2000. */
  readonly pointsPerSecond?: number
  readonly points?: number
}

/** Options of the simulated provider. All are optional. */
export interface StoreSimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  readonly clock?: Clock.Clock
  /** Start time of a manual clock, which moves only on request. */
  readonly startAt?: number
  readonly app?: SimulatedApp
  readonly shops?: ReadonlyArray<SimulatedShop>
  /** Version that deliveries are written for. Default: 2026-10. Calls name their version in the path. */
  readonly apiVersion?: ApiVersion
  /** Duration of an export. Default: 200 ms. */
  readonly bulkMillis?: number
  /** Interval of automatic customer actions in each shop. Default: no automatic actions. */
  readonly trafficMillis?: number
  /** Maximum number of attempts of a delivery until a 2xx answer: once, and 8 retries. */
  readonly attempts?: number
}

export const defaultStoreApp: SimulatedApp = { clientId: "simulator-client", clientSecret: "simulator-client-secret" }

/** The default shop, if no others are specified. */
export const defaultShop: SimulatedShop = {
  domain: "parley-demo.myshopify.com",
  name: "Parley Demo",
  currency: "EUR",
  country: "DE",
  seed: "parley",
  customers: 200,
  orders: 600,
  products: 40,
  abandonedCheckouts: 30
}
