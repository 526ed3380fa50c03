import { SnoozeTimers } from "@parley/domain/messaging"
import { DateTime, Effect, HashMap, Layer } from "effect"
import type { Tenant } from "../../store/State.ts"
import { Store } from "../../store/Store.ts"

const snoozed = ({ conversations }: Tenant) =>
  HashMap.toValues(conversations)
    .flatMap(({ conversation: { id, snoozedUntil, status } }) =>
      status === "snoozed" && snoozedUntil !== null ? [{ id, at: snoozedUntil }] : []
    )
    .toSorted((one, other) => DateTime.Order(one.at, other.at) || (one.id < other.id ? -1 : 1))

export const layer = Layer.effect(
  SnoozeTimers,
  Effect.map(Store, (store) =>
    SnoozeTimers.of({
      due: (now, limit) =>
        store.readTenant((tenant) =>
          snoozed(tenant)
            .filter(({ at }) => DateTime.isLessThanOrEqualTo(at, now))
            .slice(0, limit)
            .map(({ id }) => id)
        ),
      nextDue: () => store.readTenant((tenant) => snoozed(tenant)[0]?.at ?? null)
    })
  )
)
