import { defineArea } from "../../kernel/index.ts"
import { Plans } from "./Plan.ts"

const entitlementsStorage = [Plans] as const

export const entitlementsArea = defineArea({
  name: "platform/entitlements",
  storage: entitlementsStorage
})
