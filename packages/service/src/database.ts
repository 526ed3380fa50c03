import { Database, Embedded, Inspection, Migrations } from "@parley/postgres-adapter"
import { readHosts } from "@parley/postgres-adapter/hosts"
import { Cause, Duration, Effect, type FileSystem, Layer, Option, type Path, Predicate, Redacted } from "effect"
import { DatabaseUnusable, WrongConfiguration } from "./Failure.ts"
import { makeDataFolder } from "./dataFolder.ts"
import { layerFailure } from "./layerFailure.ts"
import type { Settings } from "./settings.ts"

/** What speaks to the database. */
export type DatabaseClient = Layer.Success<ReturnType<typeof Database.layer>>

type DriverError = Layer.Error<ReturnType<typeof Database.layer>>

const deepest = (error: unknown): string =>
  Predicate.hasProperty(error, "cause") && error.cause !== undefined && error.cause !== null
    ? deepest(error.cause)
    : error instanceof Error
      ? error.message
      : String(error)

/** Where a database is, without its password. */
export const placeOf = (url: Redacted.Redacted) => {
  const [first, ...others] = Option.match(readHosts(Redacted.value(url)), {
    onNone: () => [],
    onSome: ({ all }) => all.map((host) => new URL(Redacted.value(host.url)))
  })
  return first === undefined ? "nowhere" : `${[first, ...others].map(({ host }) => host).join(",")}${first.pathname}`
}

/** The database cannot be used: where it is, and what the driver says. */
export const unusable = (settings: Pick<Settings, "databaseUrl" | "dataDir">) => (error: DriverError) =>
  new DatabaseUnusable({
    message: `The database ${
      settings.databaseUrl.value === null ? `in ${settings.dataDir.value}` : `at ${placeOf(settings.databaseUrl.value)}`
    } cannot be used: ${deepest(error.reason).split("\n", 1)[0]}.`
  })

const poolOf = ({ databaseJobSeconds, poolSize }: Settings) => ({
  maxConnections: poolSize.value,
  statementTimeout: Duration.seconds(databaseJobSeconds.value)
})

const layerEmbedded = (settings: Settings) =>
  Layer.unwrap(Effect.map(makeDataFolder(settings), (directory) => Embedded.layer({ directory, ...poolOf(settings) })))

type OpeningError = Layer.Error<ReturnType<typeof layerEmbedded>>

const explain = (settings: Settings) => (error: OpeningError) => {
  switch (error._tag) {
    case "SqlError":
      return unusable(settings)(error)
    case "EmbeddedUnavailable":
      return new WrongConfiguration({ faults: [`PARLEY_DATABASE_URL: ${error.message}`] })
    case "EmbeddedFolderUnusable":
      return new WrongConfiguration({ faults: [`PARLEY_DATA_DIR: ${error.message}`] })
    case "WrongConfiguration":
      return error
  }
}

/** Why there is no database to speak to. */
export type NoDatabase = DatabaseUnusable | WrongConfiguration

/** A database, as the machine of the service reaches it. */
export type DatabaseLayer = Layer.Layer<DatabaseClient, NoDatabase, FileSystem.FileSystem | Path.Path>

/** The configured database, whatever state it is in. */
export const layerDatabase = (settings: Settings): DatabaseLayer => {
  const { databaseUrl } = settings
  const layer: Layer.Layer<DatabaseClient, OpeningError, FileSystem.FileSystem | Path.Path> =
    databaseUrl.value === null
      ? layerEmbedded(settings)
      : Database.layer({ url: databaseUrl.value, ...poolOf(settings) })
  return Layer.catch(layer, (error) => layerFailure<DatabaseClient, NoDatabase>(Cause.fail(explain(settings)(error))))
}

/** The URL by which programs that use libpq reach the embedded database: it says where the password is. */
export const embeddedUrl = (settings: Settings) =>
  Effect.flatMap(makeDataFolder(settings), (directory) => Embedded.open({ directory })).pipe(
    Effect.map(({ publicUrl }) => publicUrl),
    Effect.mapError(explain(settings)),
    Effect.scoped
  )

const named = (migrations: ReadonlyArray<{ readonly id: number; readonly name: string }>) =>
  migrations.map(({ id, name }) => `${id} ${name}`).join(", ")

/** What the server is, and what time it has. */
export const inspectDatabase = Inspection.inspect

/** What the database has, and what it still lacks. */
export const migrationStatus = Migrations.status

/** Brings the database up to date; says which migrations it took. */
export const bringUpToDate = Effect.catchTag(Migrations.migrate, "DatabaseNewerThanCode", (error) =>
  Effect.fail(new DatabaseUnusable({ message: error.message }))
)

const requireMigrated = Effect.gen(function* () {
  const { isNewerThanCode, pending } = yield* migrationStatus
  if (isNewerThanCode) {
    return yield* new DatabaseUnusable({
      message: "The database was migrated by a newer version of Parley. Install that version, or a newer one."
    })
  }
  if (pending.length > 0) {
    return yield* new DatabaseUnusable({
      message: `The database lacks migrations (${named(pending)}). Bring it up to date: parley migrate`
    })
  }
})

/**
 * The configured database, up to date. The embedded one belongs to this machine alone and is always brought up to date;
 * a server's is brought up to date only by who says so, because other nodes may be running an older version.
 */
export const layerMigratedDatabase = (settings: Settings, migrates: boolean): DatabaseLayer =>
  Layer.provideMerge(
    Layer.effectDiscard(
      (migrates || settings.databaseUrl.value === null ? bringUpToDate : requireMigrated).pipe(
        Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error)))
      )
    ),
    layerDatabase(settings)
  )
