import { defineArea } from "../../kernel/index.ts"
import { Backlog, WorkerDirectory } from "./WorkerDirectory.ts"

const operationsStorage = [Backlog, WorkerDirectory] as const

export const operationsArea = defineArea({
  name: "platform/operations",
  storage: operationsStorage
})
