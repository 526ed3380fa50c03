import { type DateTime, Effect } from "effect"
import { Lanes, type WorkName } from "../../platform/background/index.ts"
import type { StoreConnectionId } from "../Ids.ts"

/** What stores are called among the works: each has a lane, so that one process at a time keeps up with it. */
export const storesWork: WorkName = "stores"

/** Has somebody look after a store then. */
export const openStoreLane = Effect.fnUntraced(function* (id: StoreConnectionId, dueAt: DateTime.Utc) {
  yield* (yield* Lanes).open({ work: storesWork, key: id, priority: "bulk", dueAt })
})
