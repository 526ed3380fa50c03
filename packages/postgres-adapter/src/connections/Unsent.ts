import type { Run } from "./Asking.ts"

const backTo = /^rollback to savepoint (\S+)$/iu
const release = /^release savepoint (\S+)$/iu

/** What a transaction sends with its next statement. */
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

  /** Drops what is taken back. Says whether that was all, because the server was not told of the savepoint yet. */
  takesBack(statement: string): boolean {
    if (statement === "ROLLBACK") this.statements = []
    const [, savepoint] = backTo.exec(statement) ?? []
    if (savepoint === undefined) return this.isRelease(statement)
    const place = this.statements.findLastIndex((unsent) => unsent.statement === `SAVEPOINT ${savepoint}`)
    // What came before it is none of it; where the server has it, all that is unsent came after it.
    this.statements.splice(Math.max(place, 0))
    if (place >= 0) this.forgotten = savepoint
    return place >= 0
  }

  /** A savepoint that was never made is released by itself. */
  private isRelease(statement: string): boolean {
    if (this.forgotten === null || release.exec(statement)?.[1] !== this.forgotten) return false
    this.forgotten = null
    return true
  }
}
