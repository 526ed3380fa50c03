import type { Backlog } from "./Backlog.ts"
import type { Workforce } from "./Workforce.ts"

/** What a storage adapter provides of this area. */
export type OperationsStorage = Backlog | Workforce
