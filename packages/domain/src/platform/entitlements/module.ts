import { defineArea } from "../../kernel/index.ts"
import { Plans } from "./Plan.ts"

/** The ports that a storage adapter provides of this area. */
const entitlementsStorage = [Plans] as const

/** What this area says of itself. */
export const entitlementsArea = defineArea({
  name: "platform/entitlements",
  storage: entitlementsStorage
})
