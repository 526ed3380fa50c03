import { EventLog } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { Store } from "../../store/Store.ts"

export const layer = Layer.effect(
  EventLog,
  Effect.map(Store, (store) =>
    EventLog.of({
      list: (types, { after, limit }) =>
        store.readTenant(({ events }) =>
          events
            .slice(Number(after?.[0] ?? 0))
            .filter(({ event }) => types === "all" || types.includes(event.type))
            .slice(0, limit)
        ),
      at: (positions) =>
        store.readTenant(({ events }) => events.filter(({ position }) => positions.includes(position))),
      head: () => store.readTenant(({ events }) => events.length)
    })
  )
)
