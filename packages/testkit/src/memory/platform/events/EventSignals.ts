import { EventSignals } from "@parley/domain"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  EventSignals,
  Effect.map(Store, ({ signals }) => signals)
)
