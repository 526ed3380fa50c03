import {
  type AutomationTokenId,
  NotFound,
  type OrganizationId,
  type PluginId,
  VersionConflict
} from "@parley/domain/kernel"
import { type StoredPlugin, Plugins } from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { RecentReads } from "../../kernel/RecentReads.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { errorJson, pluginColumns, pluginOf, type PluginRow } from "./pluginRow.ts"

const notFound = () => new NotFound({ resource: "plugin" })

interface TokenRow {
  readonly id: AutomationTokenId
  readonly pluginId: PluginId
  readonly expiresAt: Instant
}

export const layer = Layer.effect(
  Plugins,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const recent = yield* RecentReads
    const columns = sql.literal(pluginColumns)
    const ifVersion = (expected: number | null) => (expected === null ? sql`` : sql`AND version = ${expected}`)

    const conflict = Effect.fnUntraced(function* (organizationId: OrganizationId, id: PluginId) {
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM plugins WHERE organization_id = ${organizationId} AND id = ${id}`
      return yield* row === undefined ? notFound() : new VersionConflict({ current: row.version })
    })

    const sets = (plugin: StoredPlugin) => sql`
      manifest = ${PgTypes.json(plugin.manifest)}, status = ${plugin.status}, settings = ${PgTypes.json(plugin.settings)},
      secret_names = ${Array.from(plugin.secretNames)}, sealed_settings = ${plugin.sealedSettings},
      install_confirmed = ${plugin.isGreeted}, last_error = ${errorJson(plugin)}, rotates_at = ${stamp(plugin.rotatesAt)}`

    return tenantPort(Plugins, {
      list: Effect.fnUntraced(function* (organization, { after, limit }) {
        const rows = yield* sql<PluginRow>`
          SELECT ${columns} FROM plugins
          WHERE organization_id = ${organization.id} ${after === null ? sql`` : sql`AND id < ${after[0]}`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(pluginOf)
      }),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM plugins WHERE organization_id = ${organization.id}`
        return row?.count ?? 0
      }),
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<PluginRow>`
          SELECT ${columns} FROM plugins WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? null : pluginOf(row)
      }),
      byKeys: Effect.fnUntraced(function* (organization, keys) {
        if (keys.length === 0) return []
        const rows = yield* sql<PluginRow>`
          SELECT ${columns} FROM plugins
          WHERE organization_id = ${organization.id} AND key = ANY(${Array.from(keys)}) ORDER BY key`
        return rows.map(pluginOf)
      }),
      lock: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<PluginRow>`
          SELECT ${columns} FROM plugins WHERE organization_id = ${organization.id} AND id = ${id} FOR NO KEY UPDATE`
        return row === undefined ? yield* notFound() : pluginOf(row)
      }),
      insert: Effect.fnUntraced(function* (organization, plugin) {
        yield* sql`
          INSERT INTO plugins (organization_id, id, key, manifest, status, settings, secret_names, sealed_settings,
            install_confirmed, last_error, rotates_at, version)
          VALUES (${organization.id}, ${plugin.id}, ${plugin.manifest.key}, ${PgTypes.json(plugin.manifest)},
            ${plugin.status}, ${PgTypes.json(plugin.settings)}, ${Array.from(plugin.secretNames)},
            ${plugin.sealedSettings}, ${plugin.isGreeted}, ${errorJson(plugin)}, ${stamp(plugin.rotatesAt)},
            ${plugin.version})`
      }),
      save: Effect.fnUntraced(function* (organization, plugin, expected) {
        const [row] = yield* sql<PluginRow>`
          UPDATE plugins SET ${sets(plugin)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${plugin.id} ${ifVersion(expected)}
          RETURNING ${columns}`
        if (row === undefined) return yield* conflict(organization.id, plugin.id)
        // The permissions of a plugin are the rights of its tokens.
        yield* recent.forget
        return pluginOf(row)
      }),
      keep: Effect.fnUntraced(function* (organization, plugin) {
        yield* sql`
          UPDATE plugins SET ${sets(plugin)} WHERE organization_id = ${organization.id} AND id = ${plugin.id}`
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const [row] = yield* sql`
          SELECT 1 FROM plugins WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}`
        if (row === undefined) return yield* conflict(organization.id, id)
        yield* sql`DELETE FROM plugin_tokens WHERE organization_id = ${organization.id} AND plugin_id = ${id}`
        yield* sql`DELETE FROM plugins WHERE organization_id = ${organization.id} AND id = ${id}`
        yield* recent.forget
      }),
      addToken: Effect.fnUntraced(function* (organization, { expiresAt, id, pluginId }) {
        yield* sql`
          INSERT INTO plugin_tokens (organization_id, id, plugin_id, expires_at)
          VALUES (${organization.id}, ${id}, ${pluginId}, ${stamp(expiresAt)})`
      }),
      token: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<TokenRow>`
          SELECT id, plugin_id AS "pluginId", expires_at AS "expiresAt" FROM plugin_tokens
          WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? null : { ...row, expiresAt: utc(row.expiresAt) }
      }),
      endTokens: Effect.fnUntraced(function* (organization, id, at, but) {
        yield* sql`
          UPDATE plugin_tokens SET expires_at = ${stamp(at)}
          WHERE organization_id = ${organization.id} AND plugin_id = ${id} AND expires_at > ${stamp(at)}
            ${but === null ? sql`` : sql`AND id <> ${but}`}`
        yield* recent.forget
      }),
      sweepTokens: Effect.fnUntraced(function* (organization, before, limit) {
        const gone = yield* sql`
          DELETE FROM plugin_tokens WHERE organization_id = ${organization.id} AND id IN (
            SELECT id FROM plugin_tokens
            WHERE organization_id = ${organization.id} AND expires_at < ${stamp(before)} LIMIT ${limit}
          ) RETURNING 1`
        return gone.length
      })
    })
  })
)
