import type { PgConnection } from "@effect/sql-pg"
import { StoragePatience } from "@parley/domain"
import { Effect, Stream } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { connectionFailure, isFarewell, lostAlone, lostCommit } from "./failures.ts"
import type { Opened } from "./makeConnector.ts"
import type { Deadlines } from "./makeDeadlines.ts"

type Run<A> = Effect.Effect<A, SqlError.SqlError>
type Transform = Parameters<SqlConnection.Connection["execute"]>[2]

/** A session that is silent for so long while somebody waits answers nobody. */
const silentMillis = 1_000

/**
 * How many statements share a session before what is under way there is let come to its end. The driver forgets statements only
 * then, and on a session that is always busy it would keep them all.
 */
const mostKept = 512

/** Takes the rows out of a result: the driver keeps the result as long as the statement. */
const takenOut = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => (rows as Array<Row>).splice(0)

/** A session with the server, and who waits for its answers. */
export class Session {
  isOver = false
  readonly shared: SqlConnection.Connection
  readonly pin: PgConnection.PgConnection["pin"]
  private readonly opened: Opened
  private readonly deadlines: Deadlines
  private readonly retire: (session: Session) => void
  private heardAt: number
  private kept = 0

  constructor(opened: Opened, deadlines: Deadlines, retire: (session: Session) => void) {
    this.opened = opened
    this.deadlines = deadlines
    this.retire = retire
    this.heardAt = deadlines.now()
    this.shared = new Lent(this, opened.connection, false)
    this.pin = opened.connection.pin
    opened.socket.on("data", () => {
      this.heardAt = deadlines.now()
    })
  }

  get isAnswering(): boolean {
    return !this.isOver && this.deadlines.now() - this.heardAt < silentMillis
  }

  lentOn(pinned: PgConnection.PgConnection): Lent {
    return new Lent(this, pinned, true)
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
      const patience = fiber.getRef(StoragePatience)
      const { deadlines } = this
      // Its socket may be closed already, and then nobody would ever answer.
      if (this.isOver) return Effect.fail(connectionFailure("The connection to the database was lost", "query"))
      if (deadlines.isSpent(patience)) {
        return Effect.fail(connectionFailure("The database took too long before", "query"))
      }
      if (!isAlone) this.keepOneMore()
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

  private keepOneMore(): void {
    this.kept += 1
    if (this.kept < mostKept) return
    this.kept = 0
    Effect.runFork(Effect.scoped(this.pin))
  }

  private cut(why: string): void {
    this.isOver = true
    this.retire(this)
    this.opened.socket.destroy(new Error(why))
  }
}

/** A session as statements are given to it: shared with others, or lent to one transaction. */
export class Lent implements SqlConnection.Connection {
  private readonly session: Session
  private readonly connection: PgConnection.PgConnection
  private readonly isAlone: boolean

  constructor(session: Session, connection: PgConnection.PgConnection, isAlone: boolean) {
    this.session = session
    this.connection = connection
    this.isAlone = isAlone
  }

  get isOver(): boolean {
    return this.session.isOver
  }

  private run<A>(statement: string, run: Run<A>): Run<A> {
    const { isAlone, session } = this
    const watched = session.watched(run, isAlone)
    // What is cancelled may be cancelled late, when somebody else has the session.
    return isAlone
      ? Effect.onInterrupt(watched, () => Effect.sync(() => session.leave()))
      : Effect.mapError(watched, lostAlone(statement))
  }

  private rows(statement: string, params: ReadonlyArray<unknown>, prepare = true) {
    return Effect.map(this.run(statement, this.connection.query(statement, params, prepare)), ({ rows }) =>
      takenOut(rows)
    )
  }

  execute(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.rows(statement, params)
    return transform === undefined ? rows : Effect.map(rows, transform)
  }

  executeUnprepared(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.rows(statement, params, false)
    return transform === undefined ? rows : Effect.map(rows, transform)
  }

  executeRaw(statement: string, params: ReadonlyArray<unknown>) {
    return this.run(statement, this.connection.query(statement, params))
  }

  executeValues(statement: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.run(statement, this.connection.queryValues(statement, params)), takenOut)
  }

  executeValuesUnprepared(statement: string, params: ReadonlyArray<unknown>) {
    return Effect.map(this.run(statement, this.connection.queryValues(statement, params, false)), takenOut)
  }

  executeStream(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.connection.stream(statement, params)
    return transform === undefined ? rows : Stream.mapArray(rows, (some) => transform(some) as typeof some)
  }

  /** Says of a commit that fails whether it may have been made. */
  commit(): Effect.Effect<void, SqlError.SqlError> {
    return Effect.suspend(() => {
      // It was never asked for.
      if (this.isOver) return Effect.fail(connectionFailure("The connection was lost before the commit", "query"))
      return Effect.flatMap(
        Effect.mapError(this.run("COMMIT", this.connection.query("COMMIT")), lostCommit),
        (result) =>
          result.command === "ROLLBACK"
            ? Effect.fail(
                new SqlError.SqlError({
                  reason: new SqlError.UnknownError({
                    cause: new Error("COMMIT rolled back an aborted transaction"),
                    message: "COMMIT rolled back an aborted transaction",
                    operation: "commit"
                  })
                })
              )
            : Effect.void
      )
    })
  }
}
