import { NotFound } from "@parley/domain/kernel"
import { type Media, MediaLibrary } from "@parley/domain/messaging"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { instant } from "./instant.ts"
import { mediaColumns, mediaOf, type MediaRow } from "./mediaRow.ts"

const recordOf = (media: Media) => ({
  id: media.id,
  kind: media.kind,
  mime_type: media.mimeType,
  filename: media.filename,
  size: media.size,
  state: media.state,
  file_id: media.fileId,
  remote: media.remote,
  unavailable_since: instant(media.refusedSince),
  is_used: media.isUsed,
  created_at: instant(media.createdAt)
})

export const layer = Layer.effect(
  MediaLibrary,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(MediaLibrary, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<MediaRow>`
          SELECT ${sql.literal(mediaColumns)} FROM media WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* new NotFound({ resource: "media" }) : mediaOf(row)
      }),
      insert: Effect.fnUntraced(function* (organization, media) {
        if (media.length === 0) return
        yield* sql`
          INSERT INTO media (
            organization_id, id, kind, mime_type, filename, size, state, file_id, remote, unavailable_since, is_used, created_at
          )
          SELECT ${organization.id}::uuid, s.* FROM json_to_recordset(${PgTypes.json(media.map(recordOf))}) AS s (
            id uuid, kind text, mime_type text, filename text, size integer, state text, file_id uuid, remote json,
            unavailable_since timestamptz, is_used boolean, created_at timestamptz)`
      }),
      save: Effect.fnUntraced(function* (organization, { fileId, id, mimeType, refusedSince, size, state }) {
        const saved = yield* sql`
          UPDATE media SET mime_type = ${mimeType}, state = ${state}, size = ${size}, file_id = ${fileId},
            unavailable_since = ${refusedSince === null ? null : stamp(refusedSince)}
          WHERE organization_id = ${organization.id} AND id = ${id} AND state <> 'stored' RETURNING 1`
        return saved.length > 0
      }),
      use: Effect.fnUntraced(function* (organization, id) {
        const used = yield* sql`
          UPDATE media SET is_used = true WHERE organization_id = ${organization.id} AND id = ${id} RETURNING 1`
        if (used.length === 0) return yield* new NotFound({ resource: "media" })
      })
    })
  )
)
