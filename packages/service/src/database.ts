import { Database, Embedded, Inspection, Migrations } from "@parley/postgres-adapter"
import { readHosts } from "@parley/postgres-adapter/hosts"
import { Cause, Duration, Effect, FileSystem, Layer, Option, Path, Predicate, Redacted } from "effect"
import { DatabaseUnusable, layerFailure, WrongConfiguration } from "./Failure.ts"
import { makeDataFolder } from "./environment.ts"
import type { Settings } from "./readSettings.ts"

export type DatabaseClient = Layer.Success<ReturnType<typeof Database.layer>>

export type DriverError = Layer.Error<ReturnType<typeof Database.layer>>

const deepest = (error: unknown): string =>
  Predicate.hasProperty(error, "cause") && error.cause !== undefined && error.cause !== null
    ? deepest(error.cause)
    : error instanceof Error
      ? error.message
      : String(error)

/** Location of a database without its password. */
export const placeOf = (url: Redacted.Redacted) => {
  const [first, ...others] = Option.match(readHosts(Redacted.value(url)), {
    onNone: () => [],
    onSome: ({ all }) => all.map((host) => new URL(Redacted.value(host.url)))
  })
  return first === undefined ? "nowhere" : `${[first, ...others].map(({ host }) => host).join(",")}${first.pathname}`
}

/** Creates the error for an unusable database, with its location and the message of the driver. */
export const unusable = (settings: Pick<Settings, "databaseUrl" | "dataDir">) => (error: DriverError) =>
  new DatabaseUnusable({
    message: `The database ${
      settings.databaseUrl.value === null ? `in ${settings.dataDir.value}` : `at ${placeOf(settings.databaseUrl.value)}`
    } cannot be used: ${deepest(error.reason).split("\n", 1)[0]}.`
  })

const isDriverError = (error: unknown): error is DriverError => Predicate.isTagged(error, "SqlError")

/** Explains failures of the driver. */
export const explainingDriver =
  (settings: Settings) =>
  <A, E, R>(effect: Effect.Effect<A, E | DriverError, R>) =>
    Effect.mapError(effect, (error) => (isDriverError(error) ? unusable(settings)(error) : error))

const poolOf = (
  { databaseJobSeconds, poolSize }: Settings,
  applicationName = Migrations.applicationOf(Migrations.ownRelease)
) => ({
  applicationName,
  maxConnections: poolSize.value,
  statementTimeout: Duration.seconds(databaseJobSeconds.value)
})

/** Whether a process creates a missing embedded database. A configured database server is never created. */
export interface DatabaseCreation {
  readonly creates: boolean
  /** Name of the sessions, if it is not the usual one. */
  readonly application?: string
}

/** Whether the data folder contains a database. A damaged embedded database counts, because it has a separate error. */
export const hasEmbedded = Effect.fnUntraced(function* ({ dataDir }: Pick<Settings, "dataDir">) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  return yield* fs.readDirectory(path.resolve(dataDir.value)).pipe(
    Effect.map((names) => names.includes("database") || names.includes("postgres")),
    Effect.catchTag("PlatformError", ({ reason }) => Effect.succeed(reason._tag !== "NotFound"))
  )
})

const requireEmbedded = Effect.fnUntraced(function* (settings: Settings) {
  if (yield* hasEmbedded(settings)) return
  const path = yield* Path.Path
  return yield* new DatabaseUnusable({
    message: `No database is configured, and the folder ${path.resolve(settings.dataDir.value)} contains none. Specify your database with --database-url or its folder with --data-dir (PARLEY_DATABASE_URL, PARLEY_DATA_DIR). To create one in that folder, run: parley migrate`
  })
})

const layerEmbedded = (settings: Settings, { application, creates }: DatabaseCreation) =>
  Layer.unwrap(
    Effect.gen(function* () {
      if (!creates) yield* requireEmbedded(settings)
      return Embedded.layer({ directory: yield* makeDataFolder(settings), ...poolOf(settings, application) })
    })
  )

type OpeningError = Layer.Error<ReturnType<typeof layerEmbedded>>

const explain = (settings: Settings) => (error: OpeningError) => {
  switch (error._tag) {
    case "SqlError":
      return unusable(settings)(error)
    case "EmbeddedUnavailable":
      return new WrongConfiguration({ faults: [`PARLEY_DATABASE_URL: ${error.message}`] })
    case "EmbeddedFolderUnusable":
      return new WrongConfiguration({ faults: [`PARLEY_DATA_DIR: ${error.message}`] })
    case "DatabaseUnusable":
    case "WrongConfiguration":
      return error
  }
}

export type NoDatabase = DatabaseUnusable | WrongConfiguration

/** Database layer for the machine of the service. */
export type DatabaseLayer = Layer.Layer<DatabaseClient, NoDatabase, FileSystem.FileSystem | Path.Path>

/** The configured database. Its migrations can be pending. */
export const layerDatabase = (settings: Settings, creation: DatabaseCreation): DatabaseLayer => {
  const { databaseUrl } = settings
  const layer: Layer.Layer<DatabaseClient, OpeningError, FileSystem.FileSystem | Path.Path> =
    databaseUrl.value === null
      ? layerEmbedded(settings, creation)
      : Database.layer({ url: databaseUrl.value, ...poolOf(settings, creation.application) })
  return Layer.catch(layer, (error) => layerFailure<DatabaseClient, NoDatabase>(Cause.fail(explain(settings)(error))))
}

/** URL of the embedded database for libpq programs. It contains the location of the password. */
export const embeddedUrl = (settings: Settings) =>
  Effect.flatMap(makeDataFolder(settings), (directory) => Embedded.open({ directory })).pipe(
    Effect.map(({ publicUrl }) => publicUrl),
    Effect.mapError(explain(settings)),
    Effect.scoped
  )

const named = (migrations: ReadonlyArray<{ readonly id: number; readonly name: string }>) =>
  migrations.map(({ id, name }) => `${id} ${name}`).join(", ")

/** Reads the server version and the server time. */
export const inspectDatabase = Inspection.inspect

/** Lists applied and pending migrations. */
export const migrationStatus = Migrations.status

const unreleasedTags: ReadonlySet<string> = new Set(["DatabaseBeforeBaselines", "DatabaseOfEarlierCheckout"])

const refused = ({ _tag, message }: { readonly _tag: string; readonly message: string }) =>
  new DatabaseUnusable({ message, isUnreleased: unreleasedTags.has(_tag) })

/** A pending migration with its expected effects. */
export type PlannedStep = Migrations.PlannedStep

type MigrationError = Effect.Error<ReturnType<typeof Migrations.migrateWith>>

const refusedUnlessSql = (error: MigrationError) => (error._tag === "SqlError" ? error : refused(error))

/** Describes the pending migrations, and changes nothing. */
export const planMigrations = Effect.mapError(Migrations.plan, refusedUnlessSql)

/** Applies pending migrations of one phase and returns them. */
export const migrateDatabase = (options: Migrations.RunOptions) =>
  Effect.mapError(Migrations.migrateWith(options), refusedUnlessSql)

/** Applies the pending migrations that processes of earlier releases can run on. */
export const bringUpToDate = migrateDatabase({})

/**
 * Applies all pending migrations, because the processes of an embedded database stop together. While an older process or a background task needs what
 * `contract` steps remove, these wait for a later start.
 */
export const bringEmbeddedUpToDate = Effect.fnUntraced(function* (options: Pick<Migrations.RunOptions, "lockWait">) {
  const expanded = yield* migrateDatabase(options)
  const contracted = yield* Migrations.migrateWith({ ...options, phase: "contract" }).pipe(
    Effect.catchTag(["BackfillUnfinished", "OlderProcesses"], ({ message }) =>
      Effect.as(Effect.logWarning(message), [])
    ),
    Effect.mapError(refusedUnlessSql)
  )
  return [...expanded, ...contracted]
})

const requireMigrated = Effect.gen(function* () {
  const { pending, refusal } = yield* migrationStatus
  if (refusal !== null) return yield* refused(refusal)
  const needed = pending.filter(({ phase }) => phase === "expand")
  if (needed.length > 0) {
    return yield* new DatabaseUnusable({
      message: `The database has pending migrations (${named(needed)}). Apply them: parley migrate`
    })
  }
})

/** Refuses a database without any applied migration. Later ones can be pending, for example for a backup before an upgrade. */
export const requireSchema = Effect.gen(function* () {
  const { applied, refusal } = yield* migrationStatus
  if (refusal !== null) return yield* refused(refusal)
  if (applied.length === 0) {
    return yield* new DatabaseUnusable({ message: "The database has no schema. Create it: parley migrate" })
  }
})

/** Options to open the database. */
export interface DatabaseOpening extends DatabaseCreation {
  readonly migrates: boolean
}

/**
 * The configured database, up to date. The embedded one belongs to this machine alone and is always migrated. A database server
 * is migrated only on request, because other nodes may run an older version, and only with steps that they can run on.
 */
export const layerMigratedDatabase = (settings: Settings, { creates, migrates }: DatabaseOpening): DatabaseLayer =>
  Layer.provideMerge(
    Layer.effectDiscard(
      (settings.databaseUrl.value === null
        ? bringEmbeddedUpToDate({})
        : migrates
          ? bringUpToDate
          : requireMigrated
      ).pipe(Effect.catchTag("SqlError", (error) => Effect.fail(unusable(settings)(error))))
    ),
    layerDatabase(settings, { creates })
  )
