import { SigningKeys } from "@parley/domain/platform"
import type { Settings } from "@parley/service/configuration"
import { describeHold, readHold } from "@parley/service/hold"
import { inspectDatabase, migrationStatus } from "@parley/service/database"
import { Clock, DateTime, Effect } from "effect"
import { failed, type Finding, ok, skipped, warning } from "./checks.ts"

const oldestServer = 15
const newestServer = 18

const checkVersion = (version: string, major: number): Finding => {
  const found = `PostgreSQL ${version}`
  if (major < oldestServer) return failed("database", `${found} is too old`, `use PostgreSQL ${oldestServer} or later`)
  return major > newestServer
    ? warning(
        "database",
        `${found} is newer than the tested versions`,
        `PostgreSQL ${oldestServer} to ${newestServer} were tested`
      )
    : ok("database", found)
}

const checkClock = (settings: Settings, aheadMillis: number): Finding => {
  if (settings.databaseUrl.value === null) return skipped("clock", "the database uses the clock of this machine")
  const seconds = Math.abs(aheadMillis) / 1000
  const found = `this machine and the database differ by ${seconds.toFixed(1)} s`
  const advice = "synchronize both clocks (NTP), because tokens and limits depend on them"
  if (seconds > 30) return failed("clock", found, advice)
  return seconds > 2 ? warning("clock", found, advice) : ok("clock", found)
}

/** Checks that the database server is supported and that its clock agrees with this machine. */
export const checkServer = Effect.fnUntraced(function* (settings: Settings) {
  const before = yield* Clock.currentTimeMillis
  const { major, now, version } = yield* inspectDatabase
  const after = yield* Clock.currentTimeMillis
  const here = (before + after) / 2
  return [checkVersion(version, major), checkClock(settings, DateTime.toEpochMillis(now) - here)]
})

/** Checks that the database has the tables of this version. */
export const checkMigrations = Effect.fnUntraced(function* (settings: Settings) {
  const { applied, pending, refusal } = yield* migrationStatus
  if (refusal?._tag === "DatabaseBeforeBaselines") {
    return failed("migrations", "the database was created before release 0.2.0", "start with a new database")
  }
  if (refusal !== null) {
    return failed("migrations", "the database was migrated by a newer version", "install that version, or a newer one")
  }
  const needed = pending.filter(({ phase }) => phase === "expand")
  if (needed.length > 0) {
    if (applied.length === 0) {
      return warning(
        "migrations",
        "the database is empty",
        "the first `parley serve` creates its tables, or `parley migrate`"
      )
    }
    const found = `${needed.length} are missing`
    return settings.databaseUrl.value === null
      ? warning("migrations", found, "the next command or start runs them")
      : failed("migrations", found, "run `parley migrate`")
  }
  if (pending.length > 0) {
    const found = `${pending.length} that remove what earlier releases need are missing`
    return warning("migrations", found, "run `parley migrate --contract` after every node has this release")
  }
  return ok("migrations", `all ${applied.length} applied`)
})

const oldAfterDays = 365

/** Checks that signing keys exist. The master keys open the newest one, because the ports were built. */
export const checkKeys = Effect.gen(function* () {
  const [newest, ...older] = yield* (yield* SigningKeys).all
  if (newest === undefined) return [skipped("signing keys", "none yet: the first start of a server creates one")]
  const now = yield* DateTime.now
  const days = Math.floor((DateTime.toEpochMillis(now) - DateTime.toEpochMillis(newest.createdAt)) / 86_400_000)
  const found = `the newest of ${older.length + 1} is ${days} days old`
  return [
    ok("master keys", "they decrypt the signing keys"),
    days > oldAfterDays ? warning("signing keys", found, "run `parley keys rotate`") : ok("signing keys", found)
  ]
})

/** Warns of a restored installation that starts no background work. */
export const checkHold = Effect.map(readHold, (hold): ReadonlyArray<Finding> =>
  hold === null ? [] : [warning("hold", describeHold(hold), "check what would leave, and run `parley hold release`")]
)
