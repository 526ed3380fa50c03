import { Effect } from "effect"
import type { LoggedEvent } from "../../events/index.ts"
import { StoreCarts } from "../../stores/index.ts"
import { whoseEvent } from "../runs/starting/whoseEvent.ts"
import type { SourceEvent } from "../triggers/SourceEvent.ts"

/** Whom an event is about by now: of a cart it may have become known since. */
export const whoseNow = Effect.fnUntraced(function* (logged: LoggedEvent<SourceEvent>) {
  if (logged.event.type !== "cart.abandoned") return yield* whoseEvent(logged)
  const cart = yield* Effect.option((yield* StoreCarts).get(logged.event.cartId))
  return cart._tag === "None" ? null : cart.value.contactId
})
