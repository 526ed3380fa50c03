import { Schema } from "effect"

/** Another process, or another part of this one, works on the folder. */
export class EmbeddedFolderInUse extends Schema.TaggedError<EmbeddedFolderInUse>()("EmbeddedFolderInUse", {
  directory: Schema.String,
  pid: Schema.Int
}) {
  override get message() {
    return `The folder ${this.directory} is in use by process ${this.pid}. Stop that process, or choose another folder.`
  }
}

/** The folder cannot hold a database, or does not hold one that this version can open. */
export class EmbeddedFolderUnusable extends Schema.TaggedError<EmbeddedFolderUnusable>()("EmbeddedFolderUnusable", {
  directory: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The folder ${this.directory} cannot be used for the database: ${this.reason}`
  }
}
