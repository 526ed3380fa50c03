import { defineArea } from "../../kernel/index.ts"
import { Backlog, WorkerDirectory } from "./WorkerDirectory.ts"

/** The ports that a storage adapter provides of this area. */
const operationsStorage = [Backlog, WorkerDirectory] as const

/** What this area says of itself. */
export const operationsArea = defineArea({
  name: "platform/operations",
  storage: operationsStorage
})
