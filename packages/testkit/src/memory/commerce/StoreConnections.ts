import { CurrentOrganization, NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import {
  ownsShop,
  type ShopSecrets,
  StoreConnection,
  type StoreConnectionId,
  StoreConnections,
  StoreExists,
  StoreConnectedElsewhere,
  usesPlanCapacity
} from "@parley/domain/commerce"
import { Effect, HashMap, Layer } from "effect"
import { descending } from "../store/slice.ts"
import { rowAt, type State, type Tenant } from "../store/State.ts"
import type { StoreConnectionRow } from "./state.ts"
import { refuse, Refused, Store } from "../store/Store.ts"

const notFound = () => new NotFound({ resource: "store connection" })

const rowsOf = ({ storeConnections }: Tenant) => HashMap.toValues(storeConnections)

const connectionsOf = (tenant: Tenant) => rowsOf(tenant).map(({ connection }) => connection)

const stored = (
  { storeConnections }: Tenant,
  id: StoreConnectionId,
  expected: number | null
): StoreConnectionRow | Refused<NotFound | VersionConflict> => {
  const row = rowAt(storeConnections, id)
  if (row === null) return refuse(notFound())
  const { version } = row.connection
  return expected === null || expected === version ? row : refuse(new VersionConflict({ current: version }))
}

const shopSecretsAt = ({ storeConnections }: Tenant, id: StoreConnectionId): ShopSecrets | null => {
  const row = rowAt(storeConnections, id)
  return row === null || row.secrets === null ? null : { ...row.secrets, shopDomain: row.connection.shopDomain }
}

const isTaken = (
  state: State,
  organizationId: OrganizationId,
  { provider, shopDomain, shopId }: StoreConnection
): boolean =>
  HashMap.toEntries(state.tenants).some(
    ([id, tenant]) =>
      id !== organizationId &&
      connectionsOf(tenant).some(
        (each) =>
          each.provider === provider &&
          ownsShop(each.status) &&
          (each.shopDomain === shopDomain || (shopId !== null && each.shopId === shopId))
      )
  )

/** Deletes the shop's data with the connection. */
const without = (tenant: Tenant, id: StoreConnectionId): Partial<Tenant> => ({
  storeConnections: HashMap.remove(tenant.storeConnections, id),
  storeCustomers: HashMap.filter(tenant.storeCustomers, ({ customer }) => customer.storeConnectionId !== id),
  storeOrders: HashMap.filter(tenant.storeOrders, ({ storeConnectionId }) => storeConnectionId !== id),
  storeCarts: HashMap.filter(tenant.storeCarts, ({ storeConnectionId }) => storeConnectionId !== id),
  staleRecords: HashMap.filter(tenant.staleRecords, ({ storeConnectionId }) => storeConnectionId !== id),
  syncSeenRecords: HashMap.filter(tenant.syncSeenRecords, ({ storeConnectionId }) => storeConnectionId !== id),
  storeSkippedRecords: HashMap.filter(tenant.storeSkippedRecords, ({ storeConnectionId }) => storeConnectionId !== id),
  storeProducts: HashMap.filter(tenant.storeProducts, ({ product }) => product.storeConnectionId !== id),
  storeAuthorizations: HashMap.filter(
    tenant.storeAuthorizations,
    ({ authorization }) => authorization.storeConnectionId !== id
  )
})

export const layer = Layer.effect(
  StoreConnections,
  Effect.map(Store, (store) =>
    StoreConnections.of({
      get: (id) =>
        Effect.filterOrFail(
          store.readTenant(({ storeConnections }) => rowAt(storeConnections, id)?.connection ?? null),
          (connection) => connection !== null,
          notFound
        ),
      find: (ids) => store.readTenant((tenant) => connectionsOf(tenant).filter(({ id }) => ids.includes(id))),
      findByDomain: (provider, shopDomain) =>
        store.readTenant((tenant) => {
          const rows = rowsOf(tenant).filter(({ connection }) => connection.provider === provider)
          const found =
            rows.find(({ connection }) => connection.shopDomain === shopDomain) ??
            rows.find(({ formerDomains }) => formerDomains.includes(shopDomain))
          return found?.connection ?? null
        }),
      findByShop: (provider, shopId) =>
        store.readTenant(
          (tenant) => connectionsOf(tenant).find((each) => each.provider === provider && each.shopId === shopId) ?? null
        ),
      list: (status, slice) =>
        store.readTenant((tenant) =>
          descending(
            connectionsOf(tenant).filter((each) => status === null || each.status === status),
            ({ id }) => id,
            slice
          )
        ),
      count: () =>
        store.readTenant((tenant) => connectionsOf(tenant).filter(({ status }) => usesPlanCapacity(status)).length),
      secrets: (id) => store.readTenant((tenant) => shopSecretsAt(tenant, id)),
      lockSecrets: (id) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => shopSecretsAt(tenant, id))
        ),
      insert: (connection) =>
        store.writeTenant((tenant) => {
          const known = connectionsOf(tenant).find(
            ({ provider, shopDomain }) => provider === connection.provider && shopDomain === connection.shopDomain
          )
          if (known !== undefined) return refuse(new StoreExists({ storeConnectionId: known.id }))
          const row = { connection, secrets: null, formerDomains: [] }
          return [undefined, { storeConnections: HashMap.set(tenant.storeConnections, connection.id, row) }]
        }),
      save: (connection, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, connection.id, expected)
          if (before instanceof Refused) return before
          const { asOf, createdAt, fullAsOf, lastSyncedAt, provider, retry, shopDomain, sync, version } =
            before.connection
          const stays = { asOf, createdAt, fullAsOf, lastSyncedAt, provider, retry, sync }
          const after = new StoreConnection({ ...connection, ...stays, version: version + 1 })
          const hasMoved = shopDomain !== connection.shopDomain
          const others = hasMoved
            ? HashMap.map(tenant.storeConnections, (row) => ({
                ...row,
                formerDomains: row.formerDomains.filter((each) => each !== shopDomain)
              }))
            : tenant.storeConnections
          const formerDomains = hasMoved ? [...before.formerDomains, shopDomain] : before.formerDomains
          return [
            after,
            { storeConnections: HashMap.set(others, connection.id, { ...before, connection: after, formerDomains }) }
          ]
        }),
      lock: (id) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ storeConnections }) => rowAt(storeConnections, id)?.connection ?? null)
        ),
      keepProgress: (id, progress) =>
        store.writeTenant(({ storeConnections }) => {
          const row = rowAt(storeConnections, id)
          if (row === null) return [undefined, {}]
          const connection = new StoreConnection({ ...row.connection, ...progress })
          return [undefined, { storeConnections: HashMap.set(storeConnections, id, { ...row, connection }) }]
        }),
      keepSecrets: (id, secrets) =>
        store.writeTenant((tenant) => {
          const row = rowAt(tenant.storeConnections, id)
          if (row === null) return refuse(notFound())
          return [undefined, { storeConnections: HashMap.set(tenant.storeConnections, id, { ...row, secrets }) }]
        }),
      claim: (connection) =>
        Effect.gen(function* () {
          const organization = yield* CurrentOrganization
          yield* store.exclusive
          if (yield* store.read((state) => isTaken(state, organization.id, connection)))
            return yield* new StoreConnectedElsewhere()
        }),
      eraseRecords: (id, limit) =>
        store.writeTenant((tenant) => {
          const rest = without(tenant, id)
          const {
            storeCarts,
            storeCustomers,
            staleRecords,
            storeOrders,
            storeProducts,
            syncSeenRecords,
            storeSkippedRecords
          } = tenant
          const cut = <Key, Row>(before: HashMap.HashMap<Key, Row>, after: HashMap.HashMap<Key, Row> = before) => {
            const gone = HashMap.toEntries(before)
              .flatMap(([key]) => (HashMap.has(after, key) ? [] : [key]))
              .slice(0, limit)
            return { left: HashMap.removeMany(before, gone), gone: gone.length }
          }
          const [carts, customers, marks, orders, products, sightings, skipped] = [
            cut(storeCarts, rest.storeCarts),
            cut(storeCustomers, rest.storeCustomers),
            cut(staleRecords, rest.staleRecords),
            cut(storeOrders, rest.storeOrders),
            cut(storeProducts, rest.storeProducts),
            cut(syncSeenRecords, rest.syncSeenRecords),
            cut(storeSkippedRecords, rest.storeSkippedRecords)
          ]
          return [
            [carts, customers, marks, orders, products, sightings, skipped].reduce((sum, { gone }) => sum + gone, 0),
            {
              storeCarts: carts.left,
              storeCustomers: customers.left,
              staleRecords: marks.left,
              storeOrders: orders.left,
              storeProducts: products.left,
              syncSeenRecords: sightings.left,
              storeSkippedRecords: skipped.left
            }
          ]
        }),
      remove: (id, expected) =>
        store.writeTenant((tenant) => {
          const before = stored(tenant, id, expected)
          return before instanceof Refused ? before : [undefined, without(tenant, id)]
        })
    })
  )
)
