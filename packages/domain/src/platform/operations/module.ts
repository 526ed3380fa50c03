import { defineArea } from "../../kernel/index.ts"
import { Backlog, Workforce } from "./Workforce.ts"

/** The ports that a storage adapter provides of this area. */
const operationsStorage = [Backlog, Workforce] as const

/** What this area says of itself. */
export const operationsArea = defineArea({
  name: "platform/operations",
  storage: operationsStorage
})
