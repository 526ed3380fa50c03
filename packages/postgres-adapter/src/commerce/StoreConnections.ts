import { NotFound } from "@parley/domain/kernel"
import {
  type ShopDomain,
  type ShopSecrets,
  StoreConnection,
  type StoreConnectionId,
  StoreConnections,
  StoreError,
  StoreExists,
  StoreConnectedElsewhere
} from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { versions } from "../crm/versions.ts"
import { aboveTenants } from "../kernel/aboveTenants.ts"
import { advisoryKey } from "../kernel/advisoryKey.ts"
import { asWritten, type Instant, stamp, utcOrNull } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"
import { connectionOf, connectionRow, type ConnectionRow, type JsonRow, rowColumns } from "./storeRows.ts"

interface SecretRow {
  readonly shopDomain: ShopDomain
  readonly accessToken: string
  readonly expiresAt: Instant | null
  readonly refreshToken: string | null
  readonly refreshExpiresAt: Instant | null
}

const secretsOf = ({ accessToken, expiresAt, refreshExpiresAt, refreshToken, shopDomain }: SecretRow): ShopSecrets => ({
  shopDomain,
  accessToken,
  refreshToken,
  expiresAt: utcOrNull(expiresAt),
  refreshExpiresAt: utcOrNull(refreshExpiresAt)
})

const encodeRetry = Schema.encodeSync(StoreConnection.fields.retry, asWritten)
const encodeError = Schema.encodeSync(StoreError, asWritten)

/** Tables with records of a shop. */
const recordTables = [
  "store_carts",
  "store_orders",
  "store_products",
  "store_stale_records",
  "store_sync_seen",
  "store_skipped_records",
  "store_customers"
] as const

export const layer = Layer.effect(
  StoreConnections,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(rowColumns.connections)
    const { conflict, ifVersion, notFound } = versions(sql, "store_connections", "store connection")

    const connectionsWhere = Effect.fnUntraced(function* (
      organization: Organization,
      condition: Statement.Fragment,
      rest = sql``
    ) {
      const rows = yield* sql<JsonRow<ConnectionRow>>`
        SELECT row_to_json(t) AS row FROM (
          SELECT ${columns} FROM store_connections WHERE organization_id = ${organization.id} AND ${condition} ${rest}) AS t`
      return rows.map(({ row }) => connectionOf(row))
    })

    const valuesOf = (connection: StoreConnection) => connectionRow(connection)

    const secrets = Effect.fnUntraced(function* (organization: Organization, id: StoreConnectionId) {
      const [row] = yield* sql<SecretRow>`
        SELECT shop_domain AS "shopDomain", sealed_access_token AS "accessToken", access_expires_at AS "expiresAt",
          sealed_refresh_token AS "refreshToken", refresh_expires_at AS "refreshExpiresAt"
        FROM store_connections
        WHERE organization_id = ${organization.id} AND id = ${id} AND sealed_access_token IS NOT NULL`
      return row === undefined ? null : secretsOf(row)
    })

    return tenantPort(StoreConnections, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [connection] = yield* connectionsWhere(organization, sql`id = ${id}`)
        return connection ?? (yield* notFound())
      }),
      find: (organization, ids) =>
        ids.length === 0
          ? Effect.succeed([])
          : connectionsWhere(organization, sql`id = ANY(${Array.from(ids)}::uuid[])`),
      findByDomain: Effect.fnUntraced(function* (organization, provider, shopDomain) {
        const found = yield* connectionsWhere(
          organization,
          sql`provider = ${provider} AND (shop_domain = ${shopDomain} OR id IN (
            SELECT store_connection_id FROM store_previous_domains WHERE organization_id = ${organization.id}
              AND provider = ${provider} AND shop_domain = ${shopDomain}))`
        )
        return found.find((each) => each.shopDomain === shopDomain) ?? found[0] ?? null
      }),
      findByShop: Effect.fnUntraced(function* (organization, provider, shopId) {
        const [connection] = yield* connectionsWhere(organization, sql`provider = ${provider} AND shop_id = ${shopId}`)
        return connection ?? null
      }),
      list: (organization, status, { after, limit }) =>
        connectionsWhere(
          organization,
          sql.and([
            sql`true`,
            ...(status === null ? [] : [sql`status = ${status}`]),
            ...(after === null ? [] : [sql`id < ${after[0]}::uuid`])
          ]),
          sql`ORDER BY id DESC LIMIT ${limit}`
        ),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM store_connections
          WHERE organization_id = ${organization.id} AND status <> 'uninstalled'`
        return row?.count ?? 0
      }),
      secrets,
      lockSecrets: Effect.fnUntraced(function* (organization, id) {
        // Not a row lock: records of the shop reference the row and are still stored during a provider call.
        yield* sql`SELECT FROM pg_advisory_xact_lock(${advisoryKey(sql, "storeSecrets", organization.id, id)})`
        // A separate statement: its snapshot must be younger than the lock.
        return yield* secrets(organization, id)
      }),
      insert: Effect.fnUntraced(function* (organization, connection) {
        const row = valuesOf(connection)
        const inserted = yield* sql`
          INSERT INTO store_connections (organization_id, id, provider, shop_domain, shop_id, name, currency, country,
            status, scopes, make_contacts, take_consent, cart_abandoned_after_minutes, orders_since, sync, as_of,
            full_as_of, last_synced_at, last_error, connected_at, uninstalled_at, removal_started_at, retry,
            created_at, updated_at, version)
          VALUES (${organization.id}, ${row.id}, ${row.provider}, ${row.shopDomain}, ${row.shopId}, ${row.name},
            ${row.currency}, ${row.country}, ${row.status}, ${PgTypes.json(row.scopes)}, ${row.makeContacts},
            ${row.takeConsent}, ${row.cartAbandonedAfterMinutes}, ${stamp(connection.ordersSince)},
            ${PgTypes.json(row.sync)}, ${stamp(connection.asOf)}, ${stamp(connection.fullAsOf)}, ${stamp(connection.lastSyncedAt)},
            ${PgTypes.json(row.lastError)}, ${stamp(connection.connectedAt)}, ${stamp(connection.uninstalledAt)},
            ${stamp(connection.removalStartedAt)}, ${PgTypes.json(row.retry)}, ${stamp(connection.createdAt)}, ${stamp(connection.updatedAt)}, ${row.version})
          ON CONFLICT ON CONSTRAINT store_connections_domain DO NOTHING RETURNING 1`
        if (inserted.length > 0) return
        const [known] = yield* sql<{ readonly id: StoreConnectionId }>`
          SELECT id FROM store_connections
          WHERE organization_id = ${organization.id} AND provider = ${row.provider} AND shop_domain = ${row.shopDomain}`
        return yield* known === undefined
          ? Effect.die(new Error("The store was removed while its address was taken."))
          : new StoreExists({ storeConnectionId: known.id })
      }),
      save: Effect.fnUntraced(function* (organization, connection, expected) {
        const row = valuesOf(connection)
        yield* sql`
          INSERT INTO store_previous_domains (organization_id, provider, shop_domain, store_connection_id)
          SELECT ${organization.id}::uuid, provider, shop_domain, id FROM store_connections
          WHERE organization_id = ${organization.id} AND id = ${row.id} AND shop_domain <> ${row.shopDomain}
            ${ifVersion(expected)}
          ON CONFLICT (organization_id, provider, shop_domain)
            DO UPDATE SET store_connection_id = excluded.store_connection_id`
        const [saved] = yield* sql<JsonRow<ConnectionRow>>`
          WITH t AS (
            UPDATE store_connections SET shop_domain = ${row.shopDomain}, shop_id = ${row.shopId}, name = ${row.name},
              currency = ${row.currency}, country = ${row.country}, status = ${row.status},
              scopes = ${PgTypes.json(row.scopes)}, make_contacts = ${row.makeContacts},
              take_consent = ${row.takeConsent}, cart_abandoned_after_minutes = ${row.cartAbandonedAfterMinutes},
              orders_since = ${stamp(connection.ordersSince)}, last_error = ${PgTypes.json(row.lastError)}, connected_at = ${stamp(connection.connectedAt)},
              uninstalled_at = ${stamp(connection.uninstalledAt)},
              removal_started_at = ${stamp(connection.removalStartedAt)}, updated_at = ${stamp(connection.updatedAt)},
              version = version + 1
            WHERE organization_id = ${organization.id} AND id = ${row.id} ${ifVersion(expected)}
            RETURNING ${columns}
          )
          SELECT row_to_json(t) AS row FROM t`
        return saved === undefined ? yield* conflict(organization.id, row.id) : connectionOf(saved.row)
      }),
      lock: Effect.fnUntraced(function* (organization, id) {
        // Rows that reference it can be added concurrently.
        const [connection] = yield* connectionsWhere(organization, sql`id = ${id}`, sql`FOR NO KEY UPDATE`)
        return connection ?? null
      }),
      keepProgress: Effect.fnUntraced(function* (
        organization,
        id,
        { asOf, fullAsOf, lastError, lastSyncedAt, retry, sync }
      ) {
        const error = lastError == null ? null : encodeError(lastError)
        yield* sql`
          UPDATE store_connections SET ${sql.csv([
            sql`id = id`,
            ...(sync === undefined ? [] : [sql`sync = ${PgTypes.json(sync)}`]),
            ...(asOf === undefined ? [] : [sql`as_of = ${stamp(asOf)}`]),
            ...(fullAsOf === undefined ? [] : [sql`full_as_of = ${stamp(fullAsOf)}`]),
            ...(lastSyncedAt === undefined ? [] : [sql`last_synced_at = ${stamp(lastSyncedAt)}`]),
            ...(retry === undefined ? [] : [sql`retry = ${PgTypes.json(encodeRetry(retry))}`]),
            ...(lastError === undefined ? [] : [sql`last_error = ${PgTypes.json(error)}`])
          ])}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      keepSecrets: Effect.fnUntraced(function* (organization, id, secrets) {
        const kept = yield* sql`
          UPDATE store_connections SET sealed_access_token = ${secrets?.accessToken ?? null},
            access_expires_at = ${stamp(secrets?.expiresAt ?? null)},
            sealed_refresh_token = ${secrets?.refreshToken ?? null},
            refresh_expires_at = ${stamp(secrets?.refreshExpiresAt ?? null)}
          WHERE organization_id = ${organization.id} AND id = ${id} RETURNING 1`
        if (kept.length === 0) return yield* new NotFound({ resource: "store connection" })
      }),
      claim: Effect.fnUntraced(function* (organization, { provider, shopDomain, shopId }) {
        // An index over all organizations would not route. Locks the address first, then the id, because a pending connection has only the address.
        for (const name of shopId === null ? [shopDomain] : [shopDomain, shopId]) {
          yield* sql`SELECT FROM pg_advisory_xact_lock(${advisoryKey(sql, "shop", `${provider} ${name}`)})`
        }
        // A separate statement: its snapshot must be younger than the lock.
        const others = yield* aboveTenants(sql`
          SELECT 1 FROM store_connections WHERE provider = ${provider}
            AND (shop_domain = ${shopDomain} OR shop_id = ${shopId}) AND status IN ('connected', 'error')
            AND organization_id <> ${organization.id} LIMIT 1`)
        if (others.length > 0) return yield* new StoreConnectedElsewhere()
      }),
      eraseRecords: Effect.fnUntraced(function* (organization, id, limit) {
        let erased = 0
        for (const table of recordTables) {
          const gone = yield* sql`
            DELETE FROM ${sql(table)} WHERE organization_id = ${organization.id} AND ctid = ANY(ARRAY(
              SELECT ctid FROM ${sql(table)} WHERE organization_id = ${organization.id} AND store_connection_id = ${id}
              LIMIT ${limit}))
            RETURNING 1`
          erased += gone.length
        }
        return erased
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM store_connections WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
