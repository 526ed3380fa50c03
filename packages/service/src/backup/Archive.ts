import { Schema } from "effect"

/** Version of the format. A reader refuses a newer one. */
export const archiveFormat = 1

const Migration = Schema.Struct({ id: Schema.Int, name: Schema.String })

const Table = Schema.Struct({ name: Schema.String, columns: Schema.Array(Schema.String) })

/** First member of an archive: its origin, and what a restore needs. */
export const ArchiveHeader = Schema.Struct({
  format: Schema.Int,
  release: Schema.String,
  /** Time of the snapshot. */
  at: Schema.String,
  /** Applied migrations. */
  migrations: Schema.Array(Migration),
  /** Master keys that encrypt values, with a check value of each; `null` if the backup ran without the key. */
  keys: Schema.Array(Schema.Struct({ id: Schema.String, check: Schema.NullOr(Schema.String) })),
  /** Tables in the order of their foreign keys. */
  tables: Schema.Array(Table)
})

export type ArchiveHeader = typeof ArchiveHeader.Type

export const ArchiveSequences = Schema.Array(
  Schema.Struct({ name: Schema.String, value: Schema.NullOr(Schema.String) })
)

const Member = Schema.Struct({
  name: Schema.String,
  bytes: Schema.Int,
  /** Rows of a table; `null` for other members. */
  rows: Schema.NullOr(Schema.Int),
  sha256: Schema.String
})

export type ArchiveMember = typeof Member.Type

/** Last member of an archive. A file without it is not a backup. */
export const ArchiveManifest = Schema.Struct({ format: Schema.Int, members: Schema.Array(Member) })

export const headerName = "header.json"
export const sequencesName = "sequences.json"
export const manifestName = "manifest.json"

/** The member of a table. The number gives the order of a restore. */
export const memberOf = (index: number, table: string) => `tables/${String(index + 1).padStart(3, "0")}-${table}.copy`

/** The file is not a complete and unchanged backup of this version. */
export class ArchiveUnusable extends Schema.TaggedError<ArchiveUnusable>()("ArchiveUnusable", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `${this.file} cannot be used: ${this.problem}`
  }
}

/** The backup could not be written. */
export class ArchiveNotWritten extends Schema.TaggedError<ArchiveNotWritten>()("ArchiveNotWritten", {
  file: Schema.String,
  problem: Schema.String
}) {
  override get message() {
    return `The backup ${this.file} was not written: ${this.problem}. No file has this name.`
  }
}
