import type { Run } from "./Asking.ts"

const backTo = /^rollback to savepoint (\S+)$/iu
const release = /^release savepoint (\S+)$/iu

/** Statements of a transaction that are sent with the next statement. */
export class Unsent {
  private statements: Array<{ readonly statement: string; readonly run: Run<unknown> }> = []
  private forgotten: string | null = null

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
  takesBack(statement: string): boolean {
    if (statement === "ROLLBACK") this.statements = []
    const [, savepoint] = backTo.exec(statement) ?? []
    if (savepoint === undefined) return this.isRelease(statement)
    const place = this.statements.findLastIndex((unsent) => unsent.statement === `SAVEPOINT ${savepoint}`)
    // Earlier statements are not part of the savepoint. If the server has the savepoint, all unsent statements are later.
    this.statements.splice(Math.max(place, 0))
    if (place >= 0) this.forgotten = savepoint
    return place >= 0
  }

  /** A savepoint that was never created needs no release. */
  private isRelease(statement: string): boolean {
    if (this.forgotten === null || release.exec(statement)?.[1] !== this.forgotten) return false
    this.forgotten = null
    return true
  }
}
