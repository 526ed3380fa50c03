import { Data } from "effect"

/** The command was given in a way that it cannot be followed. */
export class WrongUsage extends Data.TaggedError("WrongUsage")<{ readonly message: string }> {}

/** The configuration does not allow the command to start; every fault is a line of its own. */
export class WrongConfiguration extends Data.TaggedError("WrongConfiguration")<{
  readonly faults: ReadonlyArray<string>
}> {
  override get message() {
    return this.faults.join("\n")
  }
}

/** The database cannot be reached, is in use by another process, or does not fit this version. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{ readonly message: string }> {}

/** The embedded database is in use by another process. */
export class FolderInUse extends Data.TaggedError("FolderInUse")<{ readonly directory: string; readonly pid: number }> {
  override get message() {
    return [
      `The embedded database in ${this.directory} is in use by process ${this.pid}, most likely a server.`,
      "Stop that first, or use a PostgreSQL server (PARLEY_DATABASE_URL), where commands work beside a running server."
    ].join(" ")
  }
}
