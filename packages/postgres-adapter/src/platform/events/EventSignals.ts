import { EventSignals } from "@parley/domain"
import { Effect, Layer } from "effect"
import { Notifications } from "./Notifications.ts"

export const layer = Layer.effect(
  EventSignals,
  Effect.map(Notifications, ({ signals }) => signals)
)
