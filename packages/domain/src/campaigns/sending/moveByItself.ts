import { Effect } from "effect"
import { type NotFound, transact } from "../../kernel/index.ts"
import type { BroadcastTransitionInvalid } from "../transitions.ts"
import { changeStatus, failBroadcast } from "./changeStatus.ts"

/** An earlier change by a member takes precedence. */
const unlessChanged = <A, R>(move: Effect.Effect<A, BroadcastTransitionInvalid | NotFound, R>) =>
  move.pipe(
    Effect.asVoid,
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )

/** Changes the status of a broadcast as the service, unless the broadcast has changed since the read. */
export const moveByItself = (...args: Parameters<typeof changeStatus>) => unlessChanged(transact(changeStatus(...args)))

/** Fails a broadcast as the service, unless the broadcast has changed since the read. */
export const failByItself = (...args: Parameters<typeof failBroadcast>) =>
  unlessChanged(transact(failBroadcast(...args)))
