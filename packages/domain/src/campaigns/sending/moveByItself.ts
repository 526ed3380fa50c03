import { Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { changeStatus } from "./changeStatus.ts"

/** Takes a broadcast to another status as the service does by itself. Where somebody else was quicker, it stays as it is. */
export const moveByItself = (...args: Parameters<typeof changeStatus>) =>
  transact(changeStatus(...args)).pipe(
    Effect.asVoid,
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )
