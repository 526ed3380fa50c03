import type { PgConnection } from "@effect/sql-pg"
import { Effect, identity, Semaphore, type Scope, Stream } from "effect"
import { SqlError } from "effect/sql"
import { cancelStatements } from "./cancelStatements.ts"
import type { DatabaseSession } from "./DatabaseSession.ts"
import { Deferral, DeferredRows } from "./deferral.ts"
import { commitFailure, commitLoss, connectionFailure, isRead } from "./failures.ts"
import type { Deadlines } from "./makeDeadlines.ts"
import { sqlStateOf } from "./outageOf.ts"
import { type MapLoss, pipelineAfter, PipelineBuffer } from "./PipelineBuffer.ts"
import { type Run, SessionConnection, takeRows, type Transform } from "./SessionConnection.ts"

/** State of the transaction: not requested, waiting for its first statement, or open on the server. */
type Stage = "none" | "requested" | "open"

const begins = /^begin\b/iu
const ends: ReadonlySet<string> = new Set(["COMMIT", "ROLLBACK"])
const savepoints = /^(?:savepoint|release savepoint)\b/iu
const rollbacks = /^rollback\b/iu

const nothing = (command: string): PgConnection.Result => ({ command, rowCount: 0, oid: null, rows: [], fields: [] })

const storedIn = (deferred: DeferredRows, run: Run<PgConnection.Result>): Run<PgConnection.Result> =>
  Effect.tap(run, ({ rows }) =>
    Effect.sync(() => {
      deferred.rows = takeRows(rows)
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
 * is sent with the first statement and savepoints with the next one. Deferred statements are sent with the next one or with COMMIT. A transaction
 * without statements costs nothing.
 */
export class OpenTransaction extends SessionConnection {
  private readonly session: DatabaseSession
  private readonly deadlines: Deadlines
  private readonly turn = Semaphore.makeUnsafe(1)
  private stage: Stage = "none"
  private begin = "BEGIN"
  private readonly buffer = new PipelineBuffer()

  constructor(session: DatabaseSession, deadlines: Deadlines) {
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
        this.stage = "requested"
        this.begin = statement
        return Effect.succeed(nothing("BEGIN"))
      }
      if (this.buffer.rollBack(statement)) return Effect.succeed(nothing(statement))
      if (this.stage === "requested" && ends.has(statement) && this.buffer.isEmpty) {
        this.stage = "none"
        return Effect.succeed(nothing(statement))
      }
      const run = this.connection.query(statement, params, isPrepared)
      if (ends.has(statement)) return this.send(statement, this.ending(statement, run))
      const deferral = fiber.getRef(Deferral)
      if (!this.isDeferred(statement, deferral)) return this.send(statement, run)
      this.buffer.add(statement, deferral instanceof DeferredRows ? storedIn(deferral, run) : run)
      return Effect.succeed(nothing(""))
    })
  }

  private isDeferred(statement: string, deferral: typeof Deferral.Service): boolean {
    if (this.stage === "none" || deferral === "nothing" || rollbacks.test(statement)) return false
    return deferral !== "savepoints" || savepoints.test(statement)
  }

  protected override send<A>(statement: string, run: Run<A>): Run<A> {
    const sent = Effect.onInterrupt(this.session.watched(this.withBegin(statement, run), true), () => this.stop)
    return this.turn.withPermit(sent)
  }

  override executeStream(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = super.executeStream(statement, params, transform)
    return Stream.unwrap(Effect.as(this.send("", Effect.void), rows))
  }

  /**
   * If BEGIN fails, a statement sent with it runs outside of a transaction. Only statements that leave nothing behind go with BEGIN, and the session
   * is cut before the next one.
   */
  private withBegin<A>(statement: string, run: Run<A>): Run<A> {
    return Effect.suspend(() => {
      const isAlone = this.buffer.isEmpty
      const all = this.withBuffer(run, statement === "COMMIT" ? commitLoss : identity)
      if (this.stage !== "requested") return all
      this.stage = "open"
      // Not prepared: the driver could send a prepared BEGIN a second time, after the statement.
      const begin = this.orCut(this.connection.query(this.begin, [], false))
      return isAlone && leavesNothing(statement) ? pipelineAfter(begin, all, identity) : Effect.andThen(begin, all)
    })
  }

  /** After a failure of a buffered statement, PostgreSQL rejects all further statements of the transaction. */
  private withBuffer<A>(run: Run<A>, mapLoss: MapLoss): Run<A> {
    const all = this.buffer.take()
    return all.reduceRight<Run<A>>((next, first) => pipelineAfter(this.orCutUnsent(first), next, mapLoss), run)
  }

  private ending(statement: string, run: Run<PgConnection.Result>): Run<PgConnection.Result> {
    const ended = Effect.tap(run, () =>
      Effect.sync(() => {
        this.stage = "none"
      })
    )
    return statement === "COMMIT" ? Effect.mapError(ended, commitFailure) : ended
  }

  private orCut<A>(run: Run<A>): Run<A> {
    return Effect.tapError(run, () => Effect.sync(() => this.session.cut("BEGIN failed")))
  }

  // The server does not know an unsent statement and would commit without it.
  private orCutUnsent<A>(run: Run<A>): Run<A> {
    return Effect.tapError(run, (error) =>
      Effect.sync(() => {
        if (sqlStateOf(error) === "") this.session.cut("A statement could not be sent")
      })
    )
  }

  // A cancel can arrive late, when another caller has the session.
  private readonly stop = Effect.suspend(() => {
    this.session.retire()
    return cancelStatements(this.session, this.deadlines)
  })
}

/** A session for one transaction, until the scope ends. */
export const openTransaction = (
  session: DatabaseSession,
  deadlines: Deadlines
): Effect.Effect<OpenTransaction, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new OpenTransaction(session, deadlines)),
    ({ giveBack }) => giveBack
  )
