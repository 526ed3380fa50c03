import { defineArea } from "../../kernel/index.ts"
import { entitlementsStorage } from "./Storage.ts"

/** What this area says of itself. */
export const entitlementsArea = defineArea({
  name: "platform/entitlements",
  storage: entitlementsStorage
})
