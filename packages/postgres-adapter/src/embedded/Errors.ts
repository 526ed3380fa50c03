import { Schema } from "effect"

/** No PostgreSQL binaries run on this machine. */
export class EmbeddedUnavailable extends Schema.TaggedError<EmbeddedUnavailable>()("EmbeddedUnavailable", {
  reason: Schema.String
}) {
  override get message() {
    return `There is no embedded PostgreSQL on this machine: ${this.reason} Use a PostgreSQL server, by its database URL.`
  }
}

/** The folder cannot hold a database, or this version cannot open its database. */
export class EmbeddedFolderUnusable extends Schema.TaggedError<EmbeddedFolderUnusable>()("EmbeddedFolderUnusable", {
  directory: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The folder ${this.directory} cannot be used for the database: ${this.reason}`
  }
}
