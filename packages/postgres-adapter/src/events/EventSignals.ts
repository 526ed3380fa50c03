import { EventSignals } from "@parley/domain"
import { Effect, Layer } from "effect"
import { EventNews } from "./EventNews.ts"

export const layer = Layer.effect(
  EventSignals,
  Effect.map(EventNews, ({ signals }) => signals)
)
