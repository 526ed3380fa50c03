import { normalizeForSearch, NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import {
  type WebhookSubscriptionId,
  webhookSubscriptionSearchText,
  WebhookSubscriptions
} from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { containing } from "../../crm/searchSql.ts"
import { stamp } from "../../kernel/columns.ts"
import { keysetOrder } from "../../kernel/keysetOrder.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"
import { formerJson, keptOf, subscriptionColumns, subscriptionOf, type SubscriptionRow } from "./subscriptionRow.ts"

const sortColumns = { createdAt: null, name: { name: "name_key", type: "text" } } as const

const patternsFor = (event: string) => ["*", event.replace(/\..*$/u, ".*"), event]

const notFound = () => new NotFound({ resource: "webhook subscription" })

export const layer = Layer.effect(
  WebhookSubscriptions,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(subscriptionColumns)
    const ifVersion = (expected: number | null) => (expected === null ? sql`` : sql`AND version = ${expected}`)

    const conflict = Effect.fnUntraced(function* (organizationId: OrganizationId, id: WebhookSubscriptionId) {
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM webhook_subscriptions WHERE organization_id = ${organizationId} AND id = ${id}`
      return yield* row === undefined ? notFound() : new VersionConflict({ current: row.version })
    })

    const rowOf = Effect.fnUntraced(function* (
      organization: Organization,
      id: WebhookSubscriptionId,
      forUpdate: boolean
    ) {
      const [row] = yield* sql<SubscriptionRow>`
        SELECT ${columns} FROM webhook_subscriptions WHERE organization_id = ${organization.id} AND id = ${id}
        ${forUpdate ? sql`FOR NO KEY UPDATE` : sql``}`
      return row ?? null
    })

    return tenantPort(WebhookSubscriptions, {
      get: Effect.fnUntraced(function* (organization, id) {
        const row = yield* rowOf(organization, id, false)
        return row === null || row.feature !== null ? yield* notFound() : subscriptionOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, { event, q, sort, status }, { after, limit }) {
        const page = keysetOrder(sql, sortColumns, sort, after)
        const conditions = sql.and([
          sql`organization_id = ${organization.id}`,
          sql`feature IS NULL`,
          ...(q === null ? [] : [sql`search LIKE ${containing(normalizeForSearch(q))}`]),
          ...(status === null ? [] : [sql`status = ${status}`]),
          ...(event === null ? [] : [sql`events && ${patternsFor(event)}::text[]`]),
          ...page.after
        ])
        const rows = yield* sql<SubscriptionRow>`
          SELECT ${columns} FROM webhook_subscriptions WHERE ${conditions} ORDER BY ${page.order} LIMIT ${limit}`
        return rows.map(subscriptionOf)
      }),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM webhook_subscriptions
          WHERE organization_id = ${organization.id} AND feature IS NULL`
        return row?.count ?? 0
      }),
      find: Effect.fnUntraced(function* (organization, id) {
        const row = yield* rowOf(organization, id, false)
        return row === null ? null : keptOf(row)
      }),
      lock: Effect.fnUntraced(function* (organization, id) {
        const row = yield* rowOf(organization, id, true)
        return row === null ? yield* notFound() : keptOf(row)
      }),
      enabled: Effect.fnUntraced(function* (organization) {
        const rows = yield* sql<SubscriptionRow>`
          SELECT ${columns} FROM webhook_subscriptions
          WHERE organization_id = ${organization.id} AND status = 'enabled' ORDER BY id`
        return rows.map(keptOf)
      }),
      insert: Effect.fnUntraced(function* (
        organization,
        { erasures, feature, health, secrets, startsAfter, subscription }
      ) {
        yield* sql`
          INSERT INTO webhook_subscriptions (organization_id, id, name, name_key, search, url, events, filter, payload, payload_version,
            ordering, headers, permissions, status, disabled_reason, disabled_at_position, version, starts_after, secret,
            former_secrets, sealed_headers, circuit, failures, failing_since, probe_at, last_success_at, failure_notified_at, feature, erasures)
          VALUES (${organization.id}, ${subscription.id}, ${subscription.name}, ${normalizeForSearch(subscription.name)},
            ${webhookSubscriptionSearchText(subscription)}, ${subscription.url},
            ${Array.from(subscription.events)}, ${PgTypes.json(subscription.filter)}, ${subscription.payload},
            ${subscription.payloadVersion}, ${subscription.ordering}, ${Object.keys(subscription.headers)},
            ${Array.from(subscription.permissions)}, ${subscription.status}, ${subscription.disabledReason},
            ${subscription.disabledAtPosition}, ${subscription.version}, ${startsAfter}, ${secrets.secret},
            ${PgTypes.json(formerJson(secrets))}, ${secrets.headers}, ${health.circuit}, ${health.failures},
            ${stamp(health.failingSince)}, ${stamp(health.probeAt)}, ${stamp(health.lastSuccessAt)},
            ${stamp(health.warnedAt)}, ${feature}, ${erasures})`
      }),
      save: Effect.fnUntraced(function* (organization, subscription, expected) {
        const [row] = yield* sql<SubscriptionRow>`
          UPDATE webhook_subscriptions SET name = ${subscription.name}, name_key = ${normalizeForSearch(subscription.name)},
            search = ${webhookSubscriptionSearchText(subscription)}, url = ${subscription.url},
            events = ${Array.from(subscription.events)}, filter = ${PgTypes.json(subscription.filter)},
            payload = ${subscription.payload}, payload_version = ${subscription.payloadVersion},
            ordering = ${subscription.ordering}, headers = ${Object.keys(subscription.headers)},
            permissions = ${Array.from(subscription.permissions)}, status = ${subscription.status},
            disabled_reason = ${subscription.disabledReason}, disabled_at_position = ${subscription.disabledAtPosition},
            version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${subscription.id} ${ifVersion(expected)}
          RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, subscription.id) : subscriptionOf(row)
      }),
      keep: Effect.fnUntraced(function* (organization, id, { health, secrets, startsAfter }) {
        const sets = [
          ...(startsAfter === undefined ? [] : [sql`starts_after = ${startsAfter}`]),
          ...(secrets === undefined
            ? []
            : [
                sql`secret = ${secrets.secret}, former_secrets = ${PgTypes.json(formerJson(secrets))},
                  sealed_headers = ${secrets.headers}`
              ]),
          ...(health === undefined
            ? []
            : [
                sql`circuit = ${health.circuit}, failures = ${health.failures},
                  failing_since = ${stamp(health.failingSince)}, probe_at = ${stamp(health.probeAt)},
                  last_success_at = ${stamp(health.lastSuccessAt)}, failure_notified_at = ${stamp(health.warnedAt)}`
              ])
        ]
        if (sets.length === 0) return
        yield* sql`
          UPDATE webhook_subscriptions SET ${sql.csv(sets)} WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      countErasure: Effect.fnUntraced(function* (organization) {
        yield* sql`
          WITH ordered AS MATERIALIZED (
            SELECT id FROM webhook_subscriptions WHERE organization_id = ${organization.id} ORDER BY id FOR NO KEY UPDATE
          )
          UPDATE webhook_subscriptions AS t SET erasures = t.erasures + 1 FROM ordered
          WHERE t.organization_id = ${organization.id} AND t.id = ordered.id`
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM webhook_subscriptions WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      })
    })
  })
)
