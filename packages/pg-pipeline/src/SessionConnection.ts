import type { PgConnection } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

export type Run<A> = Effect.Effect<A, SqlError.SqlError>
export type Transform = Parameters<SqlConnection.Connection["execute"]>[2]

/** Copies the rows out of a result: the driver keeps the result as long as the statement. */
export const takeRows = <Row>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => (rows as Array<Row>).splice(0)

/** A session as a statement interface. Subclasses decide how each statement is sent. */
export abstract class SessionConnection implements SqlConnection.Connection {
  protected readonly connection: PgConnection.PgConnection

  constructor(connection: PgConnection.PgConnection) {
    this.connection = connection
  }

  protected abstract send<A>(statement: string, run: Run<A>): Run<A>

  protected query(statement: string, params: ReadonlyArray<unknown>, isPrepared = true): Run<PgConnection.Result> {
    return this.send(statement, this.connection.query(statement, params, isPrepared))
  }

  private rows(statement: string, params: ReadonlyArray<unknown>, transform: Transform, isPrepared: boolean) {
    const rows = Effect.map(this.query(statement, params, isPrepared), ({ rows }) => takeRows(rows))
    return transform === undefined ? rows : Effect.map(rows, transform)
  }

  private values(statement: string, params: ReadonlyArray<unknown>, isPrepared: boolean) {
    return Effect.map(this.send(statement, this.connection.queryValues(statement, params, isPrepared)), takeRows)
  }

  execute(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.rows(statement, params, transform, true)
  }

  executeUnprepared(statement: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return this.rows(statement, params, transform, false)
  }

  executeRaw(statement: string, params: ReadonlyArray<unknown>): Run<unknown> {
    return this.query(statement, params)
  }

  executeValues(statement: string, params: ReadonlyArray<unknown>) {
    return this.values(statement, params, true)
  }

  executeValuesUnprepared(statement: string, params: ReadonlyArray<unknown>) {
    return this.values(statement, params, false)
  }

  executeStream(
    statement: string,
    params: ReadonlyArray<unknown>,
    transform: Transform
  ): Stream.Stream<PgConnection.Row, SqlError.SqlError> {
    const rows = this.connection.stream(statement, params)
    return transform === undefined ? rows : Stream.mapArray(rows, (some) => transform(some) as typeof some)
  }
}
