import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import { sendsWork } from "../messaging/inbox/index.ts"
import { Lanes } from "../platform/background/index.ts"

/** Has whoever sends over the account look at its broadcasts. */
export const openLane = Effect.fnUntraced(function* (key: ChatAccountId) {
  yield* (yield* Lanes).open({ work: sendsWork, key, priority: "bulk", dueAt: yield* DateTime.now })
})
