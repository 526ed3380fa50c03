import { CurrentStorageTimeout, StorageTimeout } from "@parley/domain/kernel"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type AppliedMigration, missing, readApplied, refusalOf } from "./migrating/applied.ts"
import { OlderProcesses, olderProcesses } from "./migrating/olderProcesses.ts"
import { ownRelease } from "./migrating/releases.ts"
import { runStep } from "./migrating/runStep.ts"
import { holdRunLock, openSession } from "./migrating/session.ts"
import { type Migration, migrations } from "./migrations/index.ts"

export {
  type AppliedMigration,
  DatabaseBeforeBaselines,
  DatabaseNewerThanCode,
  type DatabaseRefusal
} from "./migrating/applied.ts"
export { MigrationBlocked } from "./migrating/blockers.ts"
export { applicationOf, OlderProcesses } from "./migrating/olderProcesses.ts"
export { plan, planOf, type PlannedStep, type PlannedTable } from "./migrating/plan.ts"
export { ownRelease } from "./migrating/releases.ts"

/** Applied and missing migrations of the database. None is missing if this release cannot use the database. */
export const status = Effect.map(readApplied, (applied) => {
  const refusal = refusalOf(migrations, applied, ownRelease)
  const pending = refusal === null ? missing(migrations, applied) : []
  return { applied, pending: pending.map(({ id, name, phase }) => ({ id, name, phase })), refusal }
})

/** What a run applies. */
export interface RunOptions {
  /** Default: `expand`. */
  readonly phase?: Migration["phase"]
  /** Release of the code. */
  readonly release?: string
  /** Longest wait for the locks of one step. Default: 10 minutes. */
  readonly lockWait?: Duration.Input
}

/** Creates the table, or the columns that a checkout before release 0.2.0 lacks. */
const ensureTable = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, applied: ReadonlyArray<AppliedMigration>) {
  yield* sql`CREATE TABLE IF NOT EXISTS parley_migrations (
    id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL, release text NOT NULL,
    phase text NOT NULL, compatible_from text NOT NULL, seconds double precision NOT NULL)`
  if (applied.every(({ release }) => release !== null)) return
  yield* sql`ALTER TABLE parley_migrations
    ADD COLUMN IF NOT EXISTS release text NOT NULL DEFAULT '0.1.0',
    ADD COLUMN IF NOT EXISTS phase text NOT NULL DEFAULT 'expand',
    ADD COLUMN IF NOT EXISTS compatible_from text NOT NULL DEFAULT '0.1.0',
    ADD COLUMN IF NOT EXISTS seconds double precision NOT NULL DEFAULT 0`
})

/**
 * Applies the missing steps of a phase, each in its own transaction, and returns them. Of many nodes that start together, one applies them. After an
 * interruption, the next run continues with the next step.
 */
export const apply = Effect.fnUntraced(
  function* (steps: ReadonlyArray<Migration>, options: RunOptions = {}) {
    const { lockWait = "10 minutes", phase = "expand", release = ownRelease } = options
    const { pid, sql } = yield* openSession
    yield* holdRunLock(sql)
    const applied = yield* Effect.provideService(readApplied, SqlClient.SqlClient, sql)
    const refusal = refusalOf(steps, applied, release)
    if (refusal !== null) return yield* refusal
    const pending = missing(steps, applied).filter((step) => step.phase === phase)
    if (pending.length === 0) return []
    if (phase === "contract") {
      const processes = yield* olderProcesses(sql, release)
      if (processes.length > 0) return yield* new OlderProcesses({ processes })
    }
    yield* ensureTable(sql, applied)
    const run = { sql, pid, release, lockWait: Duration.fromInputUnsafe(lockWait) }
    yield* Effect.forEach(pending, (step) => runStep(run, step), { discard: true })
    return pending.map(({ id, name }) => ({ id, name }))
  },
  Effect.scoped,
  Effect.provideService(CurrentStorageTimeout, new StorageTimeout(Number.POSITIVE_INFINITY))
)

/** Applies the missing migrations of a phase and returns them. */
export const migrateWith = (options: RunOptions) => apply(migrations, options)

/** Applies the missing migrations that earlier releases can run on, and returns them. */
export const migrate = migrateWith({})

/** Migrates the database before dependent layers start. */
export const layer = Layer.effectDiscard(migrate)
