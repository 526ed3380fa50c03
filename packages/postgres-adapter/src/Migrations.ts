import { CurrentStorageTimeout, StorageTimeout } from "@parley/domain/kernel"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { missing, readRecords, refusalOf } from "./migrating/applied.ts"
import { requireExpanded } from "./migrating/contracting.ts"
import { ensureTable } from "./migrating/records.ts"
import { ownRelease } from "./migrating/releases.ts"
import { runStep } from "./migrating/runStep.ts"
import { holdRunLock, openSession } from "./migrating/session.ts"
import { type Migration, migrations } from "./migrations/index.ts"

export {
  type AppliedMigration,
  DatabaseBeforeBaselines,
  DatabaseNewerThanCode,
  DatabaseOfEarlierCheckout,
  type DatabaseRefusal
} from "./migrating/applied.ts"
export { BackfillUnfinished, ExpandMissing } from "./migrating/contracting.ts"
export { MigrationBlocked } from "./migrating/blockers.ts"
export { applicationOf, OlderProcesses } from "./migrating/olderProcesses.ts"
export { plan, planOf, type PlannedStep, type PlannedTable } from "./migrating/plan.ts"
export { ownRelease } from "./migrating/releases.ts"

/** Applied and missing migrations of the database. None is missing if this release cannot use the database. */
export const status = Effect.map(readRecords, (records) => {
  const { applied } = records
  const refusal = refusalOf(migrations, records, ownRelease)
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

/**
 * Applies the missing steps of a phase, each in its own transaction, and returns them. Of many nodes that start together, one applies them. After an
 * interruption, the next run continues with the next step.
 */
export const apply = Effect.fnUntraced(
  function* (steps: ReadonlyArray<Migration>, options: RunOptions = {}) {
    const { lockWait = "10 minutes", phase = "expand", release = ownRelease } = options
    const { pid, sql } = yield* openSession
    yield* holdRunLock(sql)
    const records = yield* Effect.provideService(readRecords, SqlClient.SqlClient, sql)
    const refusal = refusalOf(steps, records, release)
    if (refusal !== null) return yield* refusal
    const all = missing(steps, records.applied)
    if (phase === "contract") yield* requireExpanded(all)
    const pending = all.filter((step) => step.phase === phase)
    if (pending.length === 0) return []
    yield* ensureTable(sql)
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
