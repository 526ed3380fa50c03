import type { Backlog } from "./Backlog.ts"

/** What a storage adapter provides of this area. */
export type OperationsStorage = Backlog
