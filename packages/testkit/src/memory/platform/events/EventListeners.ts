import { EventListeners } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  EventListeners,
  Effect.map(Store, ({ signals }) => signals)
)
