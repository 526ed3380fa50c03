import { Effect } from "effect"
import { type NotFound, transact } from "../../kernel/index.ts"
import type { BroadcastTransitionInvalid } from "../transitions.ts"
import { changeStatus, failBroadcast } from "./changeStatus.ts"

/** A change by a person that came first stands. */
const unlessChanged = <A, R>(move: Effect.Effect<A, BroadcastTransitionInvalid | NotFound, R>) =>
  move.pipe(
    Effect.asVoid,
    Effect.catchTags({ BroadcastTransitionInvalid: () => Effect.void, NotFound: () => Effect.void })
  )

/** Moves a broadcast to another status as the service, unless it has changed since it was read. */
export const moveByItself = (...args: Parameters<typeof changeStatus>) => unlessChanged(transact(changeStatus(...args)))

/** Fails a broadcast as the service, unless it has changed since it was read. */
export const failByItself = (...args: Parameters<typeof failBroadcast>) =>
  unlessChanged(transact(failBroadcast(...args)))
