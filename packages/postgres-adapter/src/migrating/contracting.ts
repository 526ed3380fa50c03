import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { ContractStep, Migration } from "../migrations/index.ts"
import { OlderProcesses, olderProcesses } from "./olderProcesses.ts"

const label = ({ id, name }: Migration) => `${id} ${name}`

/** The database lacks the new form of what a `contract` step removes. */
export class ExpandMissing extends Schema.TaggedError<ExpandMissing>()("ExpandMissing", {
  steps: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The database lacks migrations that come before --contract: ${this.steps.join(", ")}. Nothing was changed. Apply them first: parley migrate`
  }
}

/** A background task still moves the values that a `contract` step removes. */
export class BackfillUnfinished extends Schema.TaggedError<BackfillUnfinished>()("BackfillUnfinished", {
  step: Schema.String,
  task: Schema.String
}) {
  override get message() {
    return `Migration ${this.step} needs the result of the background task ${this.task}, which is not finished. Nothing of it was applied. Wait until the workers finish the task, then repeat.`
  }
}

export const isContract = (step: Migration): step is ContractStep => step.phase === "contract"

/** Refuses `contract` steps while a missing `expand` step can still copy what they remove. */
export const requireExpanded = (pending: ReadonlyArray<Migration>) => {
  const steps = pending.filter(({ phase }) => phase === "expand").map(label)
  return steps.length === 0 ? Effect.void : Effect.fail(new ExpandMissing({ steps }))
}

/** Refuses a step while a process of an older release is visible. */
export const requireNoOlderProcess = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, release: string) {
  const processes = yield* olderProcesses(sql, release)
  if (processes.length > 0) return yield* new OlderProcesses({ processes })
})

/** Refuses a step that removes values which older processes or a background task still need. */
export const requireUnused = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  release: string,
  step: ContractStep
) {
  yield* requireNoOlderProcess(sql, release)
  const { backfill } = step
  if (backfill === null || (yield* Effect.provideService(backfill.isFinished, SqlClient.SqlClient, sql))) return
  return yield* new BackfillUnfinished({ step: label(step), task: backfill.task })
})
