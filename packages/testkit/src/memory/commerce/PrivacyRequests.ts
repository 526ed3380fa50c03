import { NotFound } from "@parley/domain/kernel"
import { type StoredPrivacyRequest, PrivacyRequests } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import { descending } from "../store/slice.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const rowsOf = ({ privacyRequests }: Tenant) => HashMap.toValues(privacyRequests)

const isLeft = ({ request: { state } }: StoredPrivacyRequest) => state === "open" || state === "ready"

const by = (timeOf: (kept: StoredPrivacyRequest) => DateTime.Utc) =>
  Order.combine(
    Order.mapInput(DateTime.Order, timeOf),
    Order.mapInput(Order.String, ({ request: { id } }: StoredPrivacyRequest) => id)
  )

export const layer = Layer.effect(
  PrivacyRequests,
  Effect.map(Store, (store) =>
    PrivacyRequests.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ privacyRequests }) => rowAt(privacyRequests, id)),
          (kept) => kept !== null,
          () => new NotFound({ resource: "privacy request" })
        ),
      list: (state, slice) =>
        store.readTenant((tenant) =>
          descending(
            rowsOf(tenant).filter(({ request }) => state === null || request.state === state),
            ({ request: { id } }) => id,
            slice
          )
        ),
      resting: (state, before, limit) =>
        store.readTenant((tenant) =>
          rowsOf(tenant)
            .filter(
              (kept) =>
                isLeft(kept) &&
                kept.request.state === state &&
                DateTime.isLessThanOrEqualTo(kept.request.updatedAt, before)
            )
            .toSorted(by(({ request: { updatedAt } }) => updatedAt))
            .slice(0, limit)
        ),
      due: (at, limit) =>
        store.readTenant((tenant) =>
          rowsOf(tenant)
            .filter(
              (kept) => isLeft(kept) && kept.toldDueAt === null && DateTime.isLessThanOrEqualTo(kept.request.dueAt, at)
            )
            .toSorted(by(({ request: { dueAt } }) => dueAt))
            .slice(0, limit)
        ),
      lock: (id) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ privacyRequests }) => rowAt(privacyRequests, id))
        ),
      insert: (kept) =>
        store.writeTenant((tenant) => {
          const isKnown = rowsOf(tenant).some(
            ({ deliveryId, request: { kind } }) => deliveryId === kept.deliveryId && kind === kept.request.kind
          )
          if (isKnown) return [false, {}]
          return [true, { privacyRequests: HashMap.set(tenant.privacyRequests, kept.request.id, kept) }]
        }),
      save: (kept) =>
        store.writeTenant(({ privacyRequests }) => [
          undefined,
          HashMap.has(privacyRequests, kept.request.id)
            ? { privacyRequests: HashMap.set(privacyRequests, kept.request.id, kept) }
            : {}
        ])
    })
  )
)
