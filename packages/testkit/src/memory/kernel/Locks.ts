import { Locks } from "@parley/domain/kernel"
import { Effect, Layer } from "effect"
import { Store } from "../store/Store.ts"

/** One unit of work writes at a time here, so every name is the same lock. */
export const layer = Layer.effect(
  Locks,
  Effect.map(Store, (store) => Locks.of({ exclusive: () => store.exclusive, shared: () => store.exclusive }))
)
