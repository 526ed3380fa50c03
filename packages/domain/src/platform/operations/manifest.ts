import { defineArea } from "../../kernel/index.ts"
import { operationsStorage } from "./Storage.ts"

/** What this area says of itself. */
export const operationsArea = defineArea({
  name: "platform/operations",
  storage: operationsStorage
})
