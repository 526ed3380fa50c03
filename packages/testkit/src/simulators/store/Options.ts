import type { Clock } from "effect"

/** The app that shops install: what it is known by, and what it signs and is signed with. */
export interface SimulatedApp {
  readonly clientId: string
  readonly clientSecret: string
  /** Where the deliveries go that no app subscribes to: requests and deletions of personal data. */
  readonly complianceUrl?: string | null
}

/** Personal fields that the provider has not approved for the app. */
export type ProtectedField = "name" | "phone" | "email" | "address" | "customer"

/** A shop, and how much there is in it from the start. */
export interface SimulatedShop {
  readonly domain: string
  readonly name?: string
  /** EUR unless it is said. */
  readonly currency?: string
  readonly country?: string
  /** The same seed makes the same shop. */
  readonly seed?: string
  readonly customers?: number
  readonly orders?: number
  readonly products?: number
  readonly abandonedCheckouts?: number
  /** How long ago its first order was placed: a year unless it is said. */
  readonly historyMillis?: number
  readonly protected?: ReadonlyArray<ProtectedField>
  /** Points a second, and how many there are at most: 100 and 2000 unless it is said. */
  readonly pointsPerSecond?: number
  readonly points?: number
}

/** How the simulated provider is set up. Everything may be left out. */
export interface StoreSimulatorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  readonly host?: string
  readonly clock?: Clock.Clock
  /** Begins at this time, and moves only when it is told to. */
  readonly startAt?: number
  readonly app?: SimulatedApp
  readonly shops?: ReadonlyArray<SimulatedShop>
  /** How long an export is made: 200 ms unless it is said. */
  readonly bulkMillis?: number
  /** How often somebody does something in each shop by themselves; nobody does unless it is said. */
  readonly trafficMillis?: number
  /** How often a delivery is tried until it is answered with 2xx: once, and 8 times more. */
  readonly attempts?: number
}

export const defaultStoreApp: SimulatedApp = { clientId: "simulator-client", clientSecret: "simulator-client-secret" }

/** The shop that is there unless others are named. */
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
