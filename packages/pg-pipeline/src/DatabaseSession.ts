import type { PgConnection } from "@effect/sql-pg"
import { Effect, type Scope } from "effect"
import type { SqlConnection } from "effect/sql"
import { autocommitLoss, connectionFailure, isShutdownNotice } from "./failures.ts"
import type { Opened } from "./makeConnector.ts"
import type { Deadlines } from "./makeDeadlines.ts"
import { ReadWriteLock } from "./ReadWriteLock.ts"
import { type Run, SessionConnection } from "./SessionConnection.ts"

/** A session with waiting callers is unresponsive after this silence, in milliseconds. */
const silentMillis = 1_000

/** Statements that share a session before it drains. The driver forgets statements only on an idle session; a busy session would keep them all. */
const maxStatementsBeforeDrain = 512

/** A session with the server and the callers that wait for its answers. */
export class DatabaseSession {
  isOver = false
  readonly shared: SqlConnection.Connection
  readonly connection: PgConnection.PgConnection
  private readonly lock = new ReadWriteLock()
  private readonly opened: Opened
  private readonly deadlines: Deadlines
  private readonly onRetire: (session: DatabaseSession) => void
  private heardAt: number
  private statementsSinceDrain = 0
  /** Whether statements without a waiting caller can still be in flight. */
  private hasRemains = false

  constructor(opened: Opened, deadlines: Deadlines, onRetire: (session: DatabaseSession) => void) {
    this.opened = opened
    this.deadlines = deadlines
    this.onRetire = onRetire
    this.heardAt = deadlines.now()
    this.connection = opened.connection
    this.shared = new SharedConnection(this)
    opened.socket.on("data", () => {
      this.heardAt = deadlines.now()
    })
  }

  get isAnswering(): boolean {
    return !this.isOver && this.deadlines.now() - this.heardAt < silentMillis
  }

  /** Waits until no earlier statement is in flight. */
  get quiet(): Effect.Effect<void> {
    return Effect.scoped(Effect.asVoid(this.connection.pin))
  }

  /** Whether the session has no current users. */
  get isFree(): boolean {
    return this.lock.isFree && !this.hasRemains
  }

  /** Reserves the session until the scope ends. No earlier statement of another caller is in flight. */
  readonly exclusive: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
    Effect.andThen(
      this.lock.exclusive,
      Effect.suspend(() => (this.hasRemains ? this.clear : Effect.void))
    )
  )

  /** Runs a statement concurrently with others while no caller has the session exclusively. */
  share<A>(run: Run<A>): Run<A> {
    return this.lock.shared(
      Effect.suspend(() => {
        this.countStatement()
        return Effect.onInterrupt(run, this.leftBehind)
      })
    )
  }

  /** Reports that the connection was closed. */
  hasEnded(): void {
    if (this.isOver) return
    this.isOver = true
    this.onRetire(this)
  }

  /** Takes no new callers. */
  retire(): void {
    this.onRetire(this)
  }

  /** Waits for an answer up to the caller's deadline. Then the session is cut, and all waiting callers fail. */
  watched<A>(run: Run<A>, isAlone: boolean): Run<A> {
    return Effect.withFiber((fiber) => {
      const { deadlines } = this
      const deadline = deadlines.deadlineOf(fiber)
      // The socket can already be closed. A new statement would never get an answer.
      if (this.isOver) return Effect.fail(connectionFailure("The connection to the database was lost", "query"))
      if (deadlines.isSpent(deadline)) {
        return Effect.fail(connectionFailure("The database took too long before", "query"))
      }
      const since = deadlines.now()
      const wait = deadlines.begin(deadline, () => {
        // The session answers other callers. This statement is queued or slow.
        const heard = Math.max(since, this.heardAt)
        if (!isAlone && deadlines.now() - heard < Math.min(silentMillis, deadlines.now() - since)) return false
        this.cut("The database did not answer in time")
        return true
      })
      return Effect.ensuring(
        Effect.tapError(run, (error) =>
          Effect.sync(() => {
            if (isShutdownNotice(error)) this.retire()
          })
        ),
        Effect.sync(() => deadlines.end(wait))
      )
    })
  }

  private readonly leftBehind = () =>
    Effect.sync(() => {
      this.hasRemains = true
    })

  private get clear(): Effect.Effect<void> {
    return Effect.andThen(
      this.quiet,
      Effect.sync(() => {
        this.hasRemains = false
      })
    )
  }

  private countStatement(): void {
    this.statementsSinceDrain += 1
    if (this.statementsSinceDrain < maxStatementsBeforeDrain) return
    this.statementsSinceDrain = 0
    Effect.runFork(this.quiet)
  }

  /** Ends the session immediately, in any state. */
  cut(why: string): void {
    if (this.isOver) return
    this.isOver = true
    this.onRetire(this)
    this.opened.socket.destroy(new Error(why))
  }
}

/** A session that callers share, for one statement at a time. */
class SharedConnection extends SessionConnection {
  private readonly session: DatabaseSession

  constructor(session: DatabaseSession) {
    super(session.connection)
    this.session = session
  }

  protected override send<A>(statement: string, run: Run<A>): Run<A> {
    return Effect.mapError(this.session.watched(this.session.share(run), false), autocommitLoss(statement))
  }
}
