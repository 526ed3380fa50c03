import { Plans } from "./Plans.ts"

/** The ports that a storage adapter provides of this area. */
export const entitlementsStorage = [Plans] as const
