import {
  type ArrivedDelivery,
  Delivery,
  DeliveryInbox,
  type DeliveryId,
  type DeliveryLease,
  type OrganizationId
} from "@parley/domain"
import { DateTime, Effect, HashMap, Layer } from "effect"
import {
  type DeliveryLane,
  type DeliveryRow,
  rowAt,
  type State,
  type Tenant,
  tenantOf,
  withTenant
} from "../store/State.ts"
import { Store } from "../store/Store.ts"

const rowsOf = ({ deliveries }: Tenant) => HashMap.toValues(deliveries)

const isWaiting = ({ delivery }: DeliveryRow) => delivery.state === "waiting"

const isDue =
  (now: DateTime.Utc) =>
  (row: DeliveryRow): boolean =>
    isWaiting(row) && DateTime.isLessThanOrEqualTo(row.dueAt, now)

const arrive = (
  state: State,
  { body, digest, id, organizationId, provider, receivedAt, source }: ArrivedDelivery
): State => {
  const tenant = tenantOf(state, organizationId)
  if (rowsOf(tenant).some((row) => row.digest === digest)) return state
  const delivery = new Delivery({
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
    deliveries: HashMap.set(tenant.deliveries, id, { delivery, digest, body, dueAt: receivedAt }),
    deliveryLane: tenant.deliveryLane ?? { queuedAt: receivedAt, lease: null }
  })
}

interface Lane extends DeliveryLane {
  readonly organizationId: OrganizationId
}

const claimable = (state: State, now: DateTime.Utc): ReadonlyArray<Lane> =>
  HashMap.toEntries(state.tenants).flatMap(([organizationId, tenant]) => {
    const lane = tenant.deliveryLane
    const isFree = lane !== null && (lane.lease === null || DateTime.isLessThanOrEqualTo(lane.lease.until, now))
    return isFree && rowsOf(tenant).some(isDue(now)) ? [{ organizationId, ...lane }] : []
  })

const comesFirst = (one: Lane, other: Lane) =>
  DateTime.Order(one.queuedAt, other.queuedAt) || (one.organizationId < other.organizationId ? -1 : 1)

const holds = (tenant: Tenant, { worker }: DeliveryLease) => tenant.deliveryLane?.lease?.worker === worker

/** Changes a delivery, as long as the lease holds. */
const changed = (
  state: State,
  lease: DeliveryLease,
  id: DeliveryId,
  change: (row: DeliveryRow) => DeliveryRow
): State => {
  const tenant = tenantOf(state, lease.organizationId)
  const row = rowAt(tenant.deliveries, id)
  if (row === null || !holds(tenant, lease)) return state
  return withTenant(state, lease.organizationId, { deliveries: HashMap.set(tenant.deliveries, id, change(row)) })
}

export const layer = Layer.effect(
  DeliveryInbox,
  Effect.map(Store, (store) =>
    DeliveryInbox.of({
      store: (deliveries) => store.write((state) => [undefined, deliveries.reduce(arrive, state)]),
      claim: ({ now, until, worker }) =>
        store.write<DeliveryLease | null>((state) => {
          const [first] = claimable(state, now).toSorted(comesFirst)
          if (first === undefined) return [null, state]
          const { organizationId } = first
          const deliveryLane = { queuedAt: now, lease: { worker, until } }
          return [{ organizationId, worker }, withTenant(state, organizationId, { deliveryLane })]
        }),
      next: (lease, limit, now) =>
        store.write((state) => {
          const tenant = tenantOf(state, lease.organizationId)
          if (!holds(tenant, lease)) return [null, state]
          const due = rowsOf(tenant)
            .filter(isDue(now))
            .toSorted((one, other) => (one.delivery.id < other.delivery.id ? -1 : 1))
          const [first] = due
          const rows = due
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
          return [rows, state]
        }),
      applied: (lease, done, now) =>
        store.write((state) => [
          undefined,
          done.reduce(
            (before, { events, id, unknown }) =>
              changed(before, lease, id, (row) => {
                const attempts = row.delivery.attempts + 1
                const told = { attempts, reason: null, events, unknown }
                return {
                  ...row,
                  delivery: new Delivery({ ...row.delivery, ...told, state: "applied", appliedAt: now })
                }
              }),
            state
          )
        ]),
      failed: (lease, id, reason, again) =>
        store.write((state) => [
          undefined,
          changed(state, lease, id, (row) => {
            const attempts = row.delivery.attempts + 1
            const next = again === null ? "parked" : "waiting"
            const delivery = new Delivery({ ...row.delivery, attempts, reason, state: next })
            return { ...row, delivery, dueAt: again ?? row.dueAt }
          })
        ]),
      release: (lease) =>
        store.write((state) => {
          const tenant = tenantOf(state, lease.organizationId)
          const lane = tenant.deliveryLane
          if (lane === null || !holds(tenant, lease)) return [undefined, state]
          const deliveryLane = rowsOf(tenant).some(isWaiting) ? { ...lane, lease: null } : null
          return [undefined, withTenant(state, lease.organizationId, { deliveryLane })]
        }),
      sweep: (of, before, limit) =>
        store.write((state) => {
          const old = HashMap.toEntries(state.tenants)
            .flatMap(([organizationId, tenant]) => rowsOf(tenant).map(({ delivery }) => ({ organizationId, delivery })))
            .filter(({ delivery: { appliedAt, receivedAt, state } }) => {
              const since = of === "applied" ? appliedAt : receivedAt
              return state === of && since !== null && DateTime.isLessThan(since, before)
            })
            .slice(0, limit)
          const swept = old.reduce((left, { delivery, organizationId }) => {
            const { deliveries } = tenantOf(left, organizationId)
            return withTenant(left, organizationId, { deliveries: HashMap.remove(deliveries, delivery.id) })
          }, state)
          return [old.length, swept]
        }),
      awaitNews: store.awaitDeliveries
    })
  )
)
