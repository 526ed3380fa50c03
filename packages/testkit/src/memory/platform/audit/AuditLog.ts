import { AuditEvent, type AuditFilter, AuditLog } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { Store } from "../../store/Store.ts"

const fits = (event: AuditEvent, filter: AuditFilter): boolean =>
  (filter.actorId === null || event.actor.id === filter.actorId) &&
  (filter.targetKind === null || event.target.kind === filter.targetKind) &&
  (filter.targetId === null || event.target.id === filter.targetId) &&
  (filter.action === null || event.action === filter.action) &&
  (filter.from === null || DateTime.isGreaterThanOrEqualTo(event.at, filter.from)) &&
  (filter.to === null || DateTime.isLessThan(event.at, filter.to))

export const layer = Layer.effect(
  AuditLog,
  Effect.map(Store, (store) =>
    AuditLog.of({
      append: (event) =>
        store.writeTenant(({ auditEvents }) => [undefined, { auditEvents: HashMap.set(auditEvents, event.id, event) }]),
      forget: ({ id, kind }) =>
        store.writeTenant(({ auditEvents }) => [
          undefined,
          {
            auditEvents: HashMap.map(auditEvents, (event) =>
              event.target.kind === kind && event.target.id === id
                ? new AuditEvent({ ...event, before: null, after: null })
                : event
            )
          }
        ]),
      list: (filter, slice) =>
        store.readTenant(({ auditEvents }) =>
          descending(
            HashMap.toValues(auditEvents).filter((event) => fits(event, filter)),
            ({ id }) => id,
            slice
          )
        )
    })
  )
)
