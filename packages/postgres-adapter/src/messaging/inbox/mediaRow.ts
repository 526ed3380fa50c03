import { Media } from "@parley/domain/messaging"
import { asWritten, type Instant, utc } from "../../kernel/columns.ts"

export interface MediaRow extends Omit<Media, "refusedSince" | "createdAt"> {
  readonly refusedSince: Instant | null
  readonly createdAt: Instant
}

export const mediaColumns = `id, kind, mime_type AS "mimeType", filename, size, state, file_id AS "fileId", remote,
  unavailable_since AS "refusedSince", is_used AS "isUsed", created_at AS "createdAt"`

export const mediaOf = (row: MediaRow): Media =>
  new Media(
    { ...row, refusedSince: row.refusedSince === null ? null : utc(row.refusedSince), createdAt: utc(row.createdAt) },
    asWritten
  )
