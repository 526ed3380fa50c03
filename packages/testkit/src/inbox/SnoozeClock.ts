import { SnoozeClock } from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { Store } from "../store/Store.ts"

export const layer = Layer.effect(
  SnoozeClock,
  Effect.map(Store, (store) =>
    SnoozeClock.of({
      due: (now, limit) =>
        store.read((state) =>
          HashMap.toEntries(state.tenants)
            .flatMap(([organizationId, { conversations }]) =>
              HashMap.toValues(conversations).flatMap(({ conversation: { id, snoozedUntil, status } }) =>
                status === "snoozed" && snoozedUntil !== null && DateTime.isLessThanOrEqualTo(snoozedUntil, now)
                  ? [{ organizationId, id, at: DateTime.toEpochMillis(snoozedUntil) }]
                  : []
              )
            )
            .toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1))
            .slice(0, limit)
            .map(({ id, organizationId }) => ({ organizationId, id }))
        )
    })
  )
)
