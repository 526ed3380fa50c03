import { Effect, Exit, Fiber } from "effect"
import type { SqlError } from "effect/sql"
import type { Run } from "./SessionConnection.ts"

/** Maps a failure when another statement was sent after it. */
export type MapLoss = (error: SqlError.SqlError) => SqlError.SqlError

/**
 * Sends the second statement right after the first, without waiting for the answer in between. They are answered in this order, and the failure of the
 * first one is returned. If the first could not be sent, the second is not sent.
 */
export const pipelineAfter = Effect.fnUntraced(function* <A>(first: Run<unknown>, second: Run<A>, mapLoss: MapLoss) {
  const started = yield* Effect.forkChild(first, { startImmediately: true })
  const exit = started.pollUnsafe()
  if (exit !== undefined && Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause)
  const answer = yield* Effect.exit(second)
  yield* Effect.mapError(Fiber.join(started), mapLoss)
  return yield* answer
})

const rollbackTo = /^rollback to savepoint (\S+)$/iu
const release = /^release savepoint (\S+)$/iu

/** Statements of a transaction that are sent with the next statement. */
export class PipelineBuffer {
  private statements: Array<{ readonly statement: string; readonly run: Run<unknown> }> = []
  private droppedSavepoint: string | null = null

  get isEmpty(): boolean {
    return this.statements.length === 0
  }

  add(statement: string, run: Run<unknown>): void {
    this.statements.push({ statement, run })
  }

  take(): ReadonlyArray<Run<unknown>> {
    return this.statements.splice(0).map(({ run }) => run)
  }

  /** Drops rolled-back statements. Returns whether that suffices, because the server does not know the savepoint yet. */
  rollBack(statement: string): boolean {
    if (statement === "ROLLBACK") this.statements = []
    const [, savepoint] = rollbackTo.exec(statement) ?? []
    if (savepoint === undefined) return this.isNeedlessRelease(statement)
    const index = this.statements.findLastIndex((unsent) => unsent.statement === `SAVEPOINT ${savepoint}`)
    // Earlier statements are not part of the savepoint. If the server has the savepoint, all unsent statements are later.
    this.statements.splice(Math.max(index, 0))
    if (index >= 0) this.droppedSavepoint = savepoint
    return index >= 0
  }

  /** A savepoint that was never created needs no release. */
  private isNeedlessRelease(statement: string): boolean {
    if (this.droppedSavepoint === null || release.exec(statement)?.[1] !== this.droppedSavepoint) return false
    this.droppedSavepoint = null
    return true
  }
}
