import type { PgConnection } from "@effect/sql-pg"
import { CurrentStorageTimeout } from "@parley/domain"
import { Effect, type Scope } from "effect"
import type { SqlConnection } from "effect/sql"
import { Asking, type Run } from "./Asking.ts"
import { Door } from "./Door.ts"
import { connectionFailure, isFarewell, lostAlone } from "./failures.ts"
import type { Opened } from "./makeConnector.ts"
import type { Deadlines } from "./makeDeadlines.ts"

/** A session with waiting callers is unresponsive after this silence, in milliseconds. */
const silentMillis = 1_000

/** Statements that share a session before it drains. The driver forgets statements only on an idle session; a busy session would keep them all. */
const mostKept = 512

/** A session with the server and the callers that wait for its answers. */
export class Session {
  isOver = false
  readonly shared: SqlConnection.Connection
  readonly connection: PgConnection.PgConnection
  private readonly door = new Door()
  private readonly opened: Opened
  private readonly deadlines: Deadlines
  private readonly retire: (session: Session) => void
  private heardAt: number
  private kept = 0
  /** Whether statements without a waiting caller can still be in flight. */
  private hasRemains = false

  constructor(opened: Opened, deadlines: Deadlines, retire: (session: Session) => void) {
    this.opened = opened
    this.deadlines = deadlines
    this.retire = retire
    this.heardAt = deadlines.now()
    this.connection = opened.connection
    this.shared = new Shared(this)
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
    return this.door.isFree && !this.hasRemains
  }

  /** Reserves the session until the scope ends. No earlier statement of another caller is in flight. */
  readonly alone: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
    Effect.andThen(
      this.door.alone,
      Effect.suspend(() => (this.hasRemains ? this.clear : Effect.void))
    )
  )

  /** Runs a statement concurrently with others while no caller has the session exclusively. */
  beside<A>(run: Run<A>): Run<A> {
    return this.door.share(
      Effect.suspend(() => {
        this.keepOneMore()
        return Effect.onInterrupt(run, this.leftBehind)
      })
    )
  }

  hasEnded(): void {
    if (this.isOver) return
    this.isOver = true
    this.retire(this)
  }

  /** Retires the session for new callers. */
  leave(): void {
    this.retire(this)
  }

  /** Waits for an answer up to the caller's deadline. Then the session is cut, and all waiting callers fail. */
  watched<A>(run: Run<A>, isAlone: boolean): Run<A> {
    return Effect.withFiber((fiber) => {
      const patience = fiber.getRef(CurrentStorageTimeout)
      const { deadlines } = this
      // The socket can already be closed. A new statement would never get an answer.
      if (this.isOver) return Effect.fail(connectionFailure("The connection to the database was lost", "query"))
      if (deadlines.isSpent(patience)) {
        return Effect.fail(connectionFailure("The database took too long before", "query"))
      }
      const since = deadlines.now()
      const wait = deadlines.begin(patience, () => {
        // The session answers other callers. This statement is queued or slow.
        const heard = Math.max(since, this.heardAt)
        if (!isAlone && deadlines.now() - heard < Math.min(silentMillis, deadlines.now() - since)) return false
        this.cut("The database did not answer in time")
        return true
      })
      return Effect.ensuring(
        Effect.tapError(run, (error) =>
          Effect.sync(() => {
            if (isFarewell(error)) this.leave()
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

  private keepOneMore(): void {
    this.kept += 1
    if (this.kept < mostKept) return
    this.kept = 0
    Effect.runFork(this.quiet)
  }

  /** Ends the session at once, whatever it waits for. */
  cut(why: string): void {
    if (this.isOver) return
    this.isOver = true
    this.retire(this)
    this.opened.socket.destroy(new Error(why))
  }
}

/** A session that callers share, for one statement at a time. */
class Shared extends Asking {
  private readonly session: Session

  constructor(session: Session) {
    super(session.connection)
    this.session = session
  }

  protected override ask<A>(statement: string, run: Run<A>): Run<A> {
    return Effect.mapError(this.session.watched(this.session.beside(run), false), lostAlone(statement))
  }
}
