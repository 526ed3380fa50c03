import { CurrentOrganization, NotFound } from "@parley/domain/kernel"
import { InboundDeliveries, inboundDeliveryLane, InboundDelivery } from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { descending } from "../../store/slice.ts"
import { rowAt } from "../../store/State.ts"
import type { DeliveryRow } from "../state.ts"
import { refuse, Store } from "../../store/Store.ts"
import { openLanes } from "../background/laneRows.ts"

const notFound = () => new NotFound({ resource: "delivery" })

export const layer = Layer.effect(
  InboundDeliveries,
  Effect.map(Store, (store) =>
    InboundDeliveries.of({
      get: (id) =>
        Effect.flatMap(
          store.readTenant(({ deliveries }) => rowAt(deliveries, id)),
          (row) => (row === null ? Effect.fail(notFound()) : Effect.succeed({ delivery: row.delivery, body: row.body }))
        ),
      list: (state, slice) =>
        store.readTenant(({ deliveries }) =>
          descending(
            HashMap.toValues(deliveries).flatMap(({ delivery }) =>
              state === null || delivery.state === state ? [delivery] : []
            ),
            ({ id }) => id,
            slice
          )
        ),
      move: Effect.fnUntraced(function* (id, to, reason, now) {
        const { id: organizationId } = yield* CurrentOrganization
        const moved = yield* store.writeTenant<DeliveryRow, NotFound>((tenant) => {
          const row = rowAt(tenant.deliveries, id)
          if (row === null) return refuse(notFound())
          const { state } = row.delivery
          if (to === "parked" ? state !== "waiting" : state === "waiting") return [row, {}]
          const afresh = { attempts: 0, appliedAt: null, events: null, unknown: null }
          const delivery = new InboundDelivery({ ...row.delivery, ...(to === "waiting" && afresh), state: to, reason })
          const next: DeliveryRow = { ...row, ...(to === "waiting" && { dueAt: now }), delivery }
          return [next, { deliveries: HashMap.set(tenant.deliveries, id, next) }]
        })
        if (to === "waiting") {
          yield* openLanes(store, [
            { ...inboundDeliveryLane(organizationId, moved.lane), priority: "person", dueAt: now }
          ])
        }
        return moved.delivery
      }),
      forget: (source, until) =>
        store.writeTenant(({ deliveries }) => [
          undefined,
          {
            deliveries: HashMap.map(deliveries, (row) => {
              const { receivedAt, source: from, state } = row.delivery
              const isMeant = from === source && state === "applied" && DateTime.isLessThanOrEqualTo(receivedAt, until)
              return isMeant ? { ...row, body: new Uint8Array() } : row
            })
          }
        ]),
      sweep: (of, before, limit) =>
        store.writeTenant(({ deliveries }) => {
          const old = HashMap.toValues(deliveries)
            .filter(({ delivery: { appliedAt, receivedAt, state } }) => {
              const since = of === "applied" ? appliedAt : receivedAt
              return state === of && since !== null && DateTime.isLessThan(since, before)
            })
            .slice(0, limit)
          return [
            old.length,
            {
              deliveries: HashMap.removeMany(
                deliveries,
                old.map(({ delivery: { id } }) => id)
              )
            }
          ]
        })
    })
  )
)
