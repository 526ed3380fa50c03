import type { PgConnection } from "@effect/sql-pg"
import { Effect, identity, Semaphore, type Scope, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { sqlStateOf } from "../kernel/outageOf.ts"
import { Asking, type Run, takenOut } from "./Asking.ts"
import { behind, type Told } from "./behind.ts"
import { connectionFailure, isRead, lostCommit, lostWithCommit } from "./failures.ts"
import { Answer, LeavesWithNext } from "./leavesWithNext.ts"
import type { Deadlines } from "./makeDeadlines.ts"
import type { Session } from "./Session.ts"
import { stopped } from "./stopped.ts"
import { Unsent } from "./Unsent.ts"

type Transform = Parameters<SqlConnection.Connection["execute"]>[2]

/** State of the transaction: not requested, waiting for its first statement, or open on the server. */
type Stage = "none" | "asked_for" | "open"

const begins = /^begin\b/iu
const ends: ReadonlySet<string> = new Set(["COMMIT", "ROLLBACK"])
const savepoints = /^(?:savepoint|release savepoint)\b/iu
const takesBack = /^rollback\b/iu

const nothing = (command: string): PgConnection.Result => ({ command, rowCount: 0, oid: null, rows: [], fields: [] })

const keptIn = (answer: Answer, run: Run<PgConnection.Result>): Run<PgConnection.Result> =>
  Effect.tap(run, ({ rows }) =>
    Effect.sync(() => {
      answer.rows = takenOut(rows)
    })
  )

const rolledBack = () =>
  new SqlError.SqlError({
    reason: new SqlError.UnknownError({
      cause: new Error("COMMIT rolled back an aborted transaction"),
      message: "COMMIT rolled back an aborted transaction",
      operation: "commit"
    })
  })

/** Whether the statement leaves no rows and no notifications when it runs outside of a transaction. */
const leavesNothing = (statement: string) => isRead(statement) && !/\b(?:nextval|setval|pg_notify)\b/iu.test(statement)

/**
 * A session on loan to one transaction. One statement is in flight at a time, except statements whose answer the next statement does not need. BEGIN
 * is sent with the first statement and savepoints with the next one. Traces are sent with COMMIT. A transaction without statements costs nothing.
 */
export class OpenTransaction extends Asking {
  private readonly session: Session
  private readonly deadlines: Deadlines
  private readonly turn = Semaphore.makeUnsafe(1)
  private stage: Stage = "none"
  private begin = "BEGIN"
  private readonly unsent = new Unsent()

  constructor(session: Session, deadlines: Deadlines) {
    super(session.connection)
    this.session = session
    this.deadlines = deadlines
  }

  get isOver(): boolean {
    return this.session.isOver
  }

  /** The next user of the session must not find an open transaction. */
  readonly giveBack = Effect.sync(() => {
    if (this.stage === "open") this.session.cut("A transaction was left open")
  })

  /** Ends the connection without another statement. */
  abandon(why: string): void {
    this.session.cut(why)
  }

  /** Commits. A failure reports whether the commit can have happened. */
  commit(): Effect.Effect<void, SqlError.SqlError> {
    return Effect.suspend(() => {
      // The transaction was never requested.
      if (this.isOver) return Effect.fail(connectionFailure("The connection was lost before the commit", "query"))
      return Effect.flatMap(this.query("COMMIT", []), ({ command }) =>
        command === "ROLLBACK" ? Effect.fail(rolledBack()) : Effect.void
      )
    })
  }

  protected override query(statement: string, params: ReadonlyArray<unknown>, isPrepared = true) {
    return Effect.withFiber<PgConnection.Result, SqlError.SqlError>((fiber) => {
      if (this.stage === "none" && begins.test(statement)) {
        this.stage = "asked_for"
        this.begin = statement
        return Effect.succeed(nothing("BEGIN"))
      }
      if (this.unsent.takesBack(statement)) return Effect.succeed(nothing(statement))
      if (this.stage === "asked_for" && ends.has(statement) && this.unsent.isEmpty) {
        this.stage = "none"
        return Effect.succeed(nothing(statement))
      }
      const asked = this.connection.query(statement, params, isPrepared)
      if (ends.has(statement)) return this.ask(statement, this.ending(statement, asked))
      const what = fiber.getRef(LeavesWithNext)
      if (!this.leavesWithNext(statement, what)) return this.ask(statement, asked)
      this.unsent.add(statement, what instanceof Answer ? keptIn(what, asked) : asked)
      return Effect.succeed(nothing(""))
    })
  }

  private leavesWithNext(statement: string, what: typeof LeavesWithNext.Service): boolean {
    if (this.stage === "none" || what === "nothing" || takesBack.test(statement)) return false
    return what !== "savepoints" || savepoints.test(statement)
  }

  protected override ask<A>(statement: string, run: Run<A>): Run<A> {
    const asked = Effect.onInterrupt(this.session.watched(this.begun(statement, run), true), () => this.stop)
    return this.turn.withPermit(asked)
  }

  override executeStream(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = super.executeStream(statement, params, transform)
    return Stream.unwrap(Effect.as(this.ask("", Effect.void), rows))
  }

  /**
   * If BEGIN fails, a statement sent with it runs outside of a transaction. Only statements that leave nothing behind go with BEGIN, and the session
   * is cut before the next one.
   */
  private begun<A>(statement: string, run: Run<A>): Run<A> {
    return Effect.suspend(() => {
      const isAlone = this.unsent.isEmpty
      const all = this.withUnsent(run, statement === "COMMIT" ? lostWithCommit : identity)
      if (this.stage !== "asked_for") return all
      this.stage = "open"
      // Not prepared: the driver could send a prepared BEGIN a second time, after the statement.
      const begin = this.orCut(this.connection.query(this.begin, [], false))
      return isAlone && leavesNothing(statement) ? behind(begin, all, identity) : Effect.andThen(begin, all)
    })
  }

  /** After a failure of an unsent statement, PostgreSQL rejects all further statements of the transaction. */
  private withUnsent<A>(run: Run<A>, told: Told): Run<A> {
    const all = this.unsent.take()
    return all.reduceRight<Run<A>>((next, first) => behind(this.orCutUnlessTold(first), next, told), run)
  }

  private ending(statement: string, run: Run<PgConnection.Result>): Run<PgConnection.Result> {
    const ended = Effect.tap(run, () =>
      Effect.sync(() => {
        this.stage = "none"
      })
    )
    return statement === "COMMIT" ? Effect.mapError(ended, lostCommit) : ended
  }

  private orCut<A>(run: Run<A>): Run<A> {
    return Effect.tapError(run, () => Effect.sync(() => this.session.cut("BEGIN failed")))
  }

  // The server does not know the unsent statements and would commit without them.
  private orCutUnlessTold<A>(run: Run<A>): Run<A> {
    return Effect.tapError(run, (error) =>
      Effect.sync(() => {
        if (sqlStateOf(error) === "") this.session.cut("A statement could not be sent")
      })
    )
  }

  // A cancel can arrive late, when another caller has the session.
  private readonly stop = Effect.suspend(() => {
    this.session.leave()
    return stopped(this.session, this.deadlines)
  })
}

/** A session for one transaction, until the scope ends. */
export const openTransaction = (
  session: Session,
  deadlines: Deadlines
): Effect.Effect<OpenTransaction, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new OpenTransaction(session, deadlines)),
    ({ giveBack }) => giveBack
  )
