import type { PgConnection } from "@effect/sql-pg"
import { CurrentStorageTimeout } from "@parley/domain"
import { Effect, type Scope } from "effect"
import type { SqlConnection } from "effect/sql"
import { Asking, type Run } from "./Asking.ts"
import { Door } from "./Door.ts"
import { connectionFailure, isFarewell, lostAlone } from "./failures.ts"
import type { Opened } from "./makeConnector.ts"
import type { Deadlines } from "./makeDeadlines.ts"

/** A session that is silent for so long while somebody waits answers nobody. */
const silentMillis = 1_000

/**
 * How many statements share a session before what is under way there is let come to its end. The driver forgets statements only
 * then, and on a session that is always busy it would keep them all.
 */
const mostKept = 512

/** A session with the server, and who waits for its answers. */
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
  /** Whether something may be under way that nobody waits for any more. */
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

  /** Nothing is under way any more that was asked before. */
  get quiet(): Effect.Effect<void> {
    return Effect.scoped(Effect.asVoid(this.connection.pin))
  }

  /** Whether nobody is there who has to be waited for. */
  get isFree(): boolean {
    return this.door.isFree && !this.hasRemains
  }

  /** Nobody else asks anything until the scope ends, and nothing is under way of what others have asked. */
  readonly alone: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
    Effect.andThen(
      this.door.alone,
      Effect.suspend(() => (this.hasRemains ? this.clear : Effect.void))
    )
  )

  /** Asks beside others, when nobody has the session alone. */
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

  /** Nobody else shall have it. */
  leave(): void {
    this.retire(this)
  }

  /** Waits for an answer for as long as the caller may. Then the session is cut, and all who wait for it hear of that. */
  watched<A>(run: Run<A>, isAlone: boolean): Run<A> {
    return Effect.withFiber((fiber) => {
      const patience = fiber.getRef(CurrentStorageTimeout)
      const { deadlines } = this
      // Its socket may be closed already, and then nobody would ever answer.
      if (this.isOver) return Effect.fail(connectionFailure("The connection to the database was lost", "query"))
      if (deadlines.isSpent(patience)) {
        return Effect.fail(connectionFailure("The database took too long before", "query"))
      }
      const since = deadlines.now()
      const wait = deadlines.begin(patience, () => {
        // It answers others: what is asked for has to wait for its turn, or takes long by itself.
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

  /** Ends it at once, whatever it waits for. */
  cut(why: string): void {
    if (this.isOver) return
    this.isOver = true
    this.retire(this)
    this.opened.socket.destroy(new Error(why))
  }
}

/** A session that is shared with others, for one statement at a time. */
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
