import type { Plans } from "./Plans.ts"

/** What a storage adapter provides of this area. */
export type EntitlementsStorage = Plans
