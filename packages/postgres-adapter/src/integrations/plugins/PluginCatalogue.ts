import { type CatalogueEntry, PluginCatalogue } from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storagePort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  PluginCatalogue,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(PluginCatalogue, {
      list: Effect.fnUntraced(function* ({ after, limit }) {
        return yield* sql<CatalogueEntry>`
          SELECT manifest, url FROM plugin_catalogue ${after === null ? sql`` : sql`WHERE key > ${after[0]}`}
          ORDER BY key LIMIT ${limit}`
      }),
      byKeys: Effect.fnUntraced(function* (keys) {
        if (keys.length === 0) return []
        return yield* sql<CatalogueEntry>`
          SELECT manifest, url FROM plugin_catalogue WHERE key = ANY(${Array.from(keys)}) ORDER BY key`
      }),
      put: Effect.fnUntraced(function* ({ manifest, url }) {
        yield* sql`
          INSERT INTO plugin_catalogue (key, manifest, url) VALUES (${manifest.key}, ${PgTypes.json(manifest)}, ${url})
          ON CONFLICT (key) DO UPDATE SET manifest = excluded.manifest, url = excluded.url`
      }),
      remove: Effect.fnUntraced(function* (key) {
        const removed = yield* sql`DELETE FROM plugin_catalogue WHERE key = ${key} RETURNING 1`
        return removed.length > 0
      })
    })
  )
)
