import type { OrganizationId } from "@parley/domain/kernel"
import {
  type NewInboundDelivery,
  inboundDeliveryLane,
  InboundDelivery,
  InboundDeliveryQueue,
  type InboundDeliveryId,
  type LaneLease,
  LeaseLost
} from "@parley/domain/platform"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { rowAt, type State, type Tenant, tenantOf, withTenant } from "../../store/State.ts"
import type { DeliveryRow } from "../state.ts"
import { refuse, type Refused, Store, type Written } from "../../store/Store.ts"
import { leased, openLanes } from "../background/laneRows.ts"

const rowsOf = ({ deliveries }: Tenant) => HashMap.toValues(deliveries)

const isWaiting = ({ delivery }: DeliveryRow) => delivery.state === "waiting"

const isDue =
  (now: DateTime.Utc) =>
  (row: DeliveryRow): boolean =>
    isWaiting(row) && DateTime.isLessThanOrEqualTo(row.dueAt, now)

const arrive = (
  state: State,
  { body, digest, id, lane, organizationId, provider, receivedAt, source }: NewInboundDelivery
): State => {
  const delivery = new InboundDelivery({
    id,
    source,
    provider,
    state: "waiting",
    receivedAt,
    appliedAt: null,
    attempts: 0,
    reason: null,
    events: null,
    unknown: null
  })
  return withTenant(state, organizationId, {
    deliveries: HashMap.set(tenantOf(state, organizationId).deliveries, id, {
      delivery,
      lane,
      digest,
      body,
      dueAt: receivedAt
    })
  })
}

/** Stores the unknown deliveries. Known deliveries are looked up once. */
const arriveAll = (state: State, deliveries: ReadonlyArray<NewInboundDelivery>): State => {
  const nameOf = (organizationId: OrganizationId, digest: string) => `${organizationId} ${digest}`
  const organizations = Array.from(new Set(deliveries.map(({ organizationId }) => organizationId)))
  const known = new Set(
    organizations.flatMap((id) => rowsOf(tenantOf(state, id)).map(({ digest }) => nameOf(id, digest)))
  )
  return deliveries.reduce((before, delivery) => {
    const name = nameOf(delivery.organizationId, delivery.digest)
    if (known.has(name)) return before
    known.add(name)
    return arrive(before, delivery)
  }, state)
}

/** Returns the deliveries that were unknown before. */
const arrivedOf = (before: State, after: State, deliveries: ReadonlyArray<NewInboundDelivery>) =>
  deliveries.filter(({ id, organizationId }) => {
    const isIn = (state: State) => HashMap.has(tenantOf(state, organizationId).deliveries, id)
    return isIn(after) && !isIn(before)
  })

/** Changes a delivery of the organization. */
const changed = (
  state: State,
  organizationId: OrganizationId,
  id: InboundDeliveryId,
  change: (row: DeliveryRow) => DeliveryRow
): State => {
  const { deliveries } = tenantOf(state, organizationId)
  const row = rowAt(deliveries, id)
  return row === null
    ? state
    : withTenant(state, organizationId, { deliveries: HashMap.set(deliveries, id, change(row)) })
}

const underLease =
  (lane: LaneLease, change: (state: State) => State) =>
  (state: State): Written<void, State> | Refused<LeaseLost> =>
    leased(state, lane) === null ? refuse(new LeaseLost()) : [undefined, change(state)]

export const layer = Layer.effect(
  InboundDeliveryQueue,
  Effect.map(Store, (store) =>
    InboundDeliveryQueue.of({
      store: (deliveries) =>
        store.transact(
          Effect.gen(function* () {
            const arrived = yield* store.write((before) => {
              const after = arriveAll(before, deliveries)
              return [arrivedOf(before, after, deliveries), after]
            })
            yield* openLanes(
              store,
              arrived.map(({ lane, organizationId, receivedAt }) => ({
                ...inboundDeliveryLane(organizationId, lane),
                priority: "person",
                dueAt: receivedAt
              }))
            )
          })
        ),
      next: (lane, limit, now) =>
        store.read((state) => {
          const tenant = tenantOf(state, lane.organizationId)
          const due = rowsOf(tenant)
            .filter((row) => row.lane === lane.key && isDue(now)(row))
            .toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1))
          const [first] = due
          return due
            .filter(
              ({ delivery: { provider, source } }) =>
                source === first?.delivery.source && provider === first.delivery.provider
            )
            .slice(0, limit)
            .map(({ body, delivery: { attempts, id, provider, receivedAt, source } }) => ({
              id,
              source,
              provider,
              body,
              receivedAt,
              attempts
            }))
        }),
      nextDue: ({ key, organizationId }) =>
        store.read((state) => {
          const [first] = rowsOf(tenantOf(state, organizationId))
            .flatMap((row) => (row.lane === key && isWaiting(row) ? [row.dueAt] : []))
            .toSorted(DateTime.Order)
          return first ?? null
        }),
      applied: (lane, done, now) =>
        store.write(
          underLease(lane, (state) =>
            done.reduce(
              (before, { events, id, unknown }) =>
                changed(before, lane.organizationId, id, (row) => {
                  const attempts = row.delivery.attempts + 1
                  const result = { attempts, reason: null, events, unknown }
                  return {
                    ...row,
                    delivery: new InboundDelivery({ ...row.delivery, ...result, state: "applied", appliedAt: now })
                  }
                }),
              state
            )
          )
        ),
      failed: (lane, id, reason, again) =>
        store.write(
          underLease(lane, (state) =>
            changed(state, lane.organizationId, id, (row) => {
              const attempts = row.delivery.attempts + 1
              const next = again === null ? "parked" : "waiting"
              const delivery = new InboundDelivery({ ...row.delivery, attempts, reason, state: next })
              return { ...row, delivery, dueAt: again ?? row.dueAt }
            })
          )
        )
    })
  )
)
