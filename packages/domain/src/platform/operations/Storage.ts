import { Backlog } from "./Backlog.ts"
import { Workforce } from "./Workforce.ts"

/** The ports that a storage adapter provides of this area. */
export const operationsStorage = [Backlog, Workforce] as const
