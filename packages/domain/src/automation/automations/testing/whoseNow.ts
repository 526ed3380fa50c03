import { Effect } from "effect"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import { StoreCarts } from "../../../commerce/index.ts"
import { contactsMeant, whoseEvent } from "../runs/starting/whoseEvent.ts"
import type { SourceEvent } from "../triggers/SourceEvent.ts"

const named = Effect.fnUntraced(function* (logged: LoggedEvent<SourceEvent>) {
  if (logged.event.type !== "cart.abandoned") return yield* whoseEvent(logged)
  const cart = yield* Effect.option((yield* StoreCarts).get(logged.event.cartId))
  return cart._tag === "None" ? null : cart.value.contactId
})

/** Whom an event is about by now: of a cart it may have become known since, and a contact may be a part of another one. */
export const whoseNow = Effect.fnUntraced(function* (logged: LoggedEvent<SourceEvent>) {
  const id = yield* named(logged)
  return id === null ? null : ((yield* contactsMeant(new Set([id]))).get(id)?.id ?? null)
})
