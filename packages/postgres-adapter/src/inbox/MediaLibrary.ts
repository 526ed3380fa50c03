import { CurrentOrganization, Media, MediaLibrary, NotFound } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { instant } from "./instant.ts"

interface Row extends Omit<Media, "createdAt"> {
  readonly createdAt: Instant
}

const recordOf = (media: Media) => ({
  id: media.id,
  kind: media.kind,
  mime_type: media.mimeType,
  filename: media.filename,
  size: media.size,
  state: media.state,
  file_id: media.fileId,
  remote: media.remote,
  created_at: instant(media.createdAt)
})

export const layer = Layer.effect(
  MediaLibrary,
  Effect.map(SqlClient.SqlClient, (sql) =>
    MediaLibrary.of({
      get: Effect.fnUntraced(function* (id) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<Row>`
          SELECT id, kind, mime_type AS "mimeType", filename, size, state, file_id AS "fileId", remote,
            created_at AS "createdAt"
          FROM media WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined
          ? yield* new NotFound({ resource: "media" })
          : new Media({ ...row, createdAt: utc(row.createdAt) }, asWritten)
      }, driverFailuresDie),
      insert: Effect.fnUntraced(function* (media) {
        if (media.length === 0) return
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO media (organization_id, id, kind, mime_type, filename, size, state, file_id, remote, created_at)
          SELECT ${organization.id}::uuid, s.* FROM json_to_recordset(${PgTypes.json(media.map(recordOf))}) AS s (
            id uuid, kind text, mime_type text, filename text, size integer, state text, file_id uuid, remote json,
            created_at timestamptz)`
      }, driverFailuresDie),
      save: Effect.fnUntraced(function* ({ fileId, id, size, state }) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE media SET state = ${state}, size = ${size}, file_id = ${fileId}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      }, driverFailuresDie)
    })
  )
)
