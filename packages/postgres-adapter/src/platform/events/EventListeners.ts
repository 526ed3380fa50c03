import { EventListeners } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { Notifications } from "./Notifications.ts"

export const layer = Layer.effect(
  EventListeners,
  Effect.map(Notifications, ({ signals }) => signals)
)
