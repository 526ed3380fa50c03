import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection } from "effect/sql"
import { DatabaseSession } from "./DatabaseSession.ts"
import { connectionFailure } from "./failures.ts"
import type { Hosts } from "./hosts.ts"
import { type Availability, makeAvailability } from "./makeAvailability.ts"
import { makeCopySession } from "./makeCopySession.ts"
import { type Connector, makeConnector } from "./makeConnector.ts"
import { type DeadlineOf, type Deadlines, makeDeadlines } from "./makeDeadlines.ts"
import { makeSessions, type Sessions } from "./makeSessions.ts"
import { makeTransactions } from "./makeTransactions.ts"

export interface ClientOptions {
  readonly hosts: Hosts
  readonly applicationName: string
  readonly startupParameters: Readonly<Record<string, string>>
  readonly maxConnections: number
  /** Default wait of callers without a deadline, in milliseconds. */
  readonly usualMillis: number
  readonly connectMillis: number
  readonly deadlineOf?: DeadlineOf | undefined
}

/** Streams reserve a session. */
const withStreams = (shared: SqlConnection.Connection, sessions: Sessions): SqlConnection.Connection => ({
  execute: (...given) => shared.execute(...given),
  executeRaw: (...given) => shared.executeRaw(...given),
  executeUnprepared: (...given) => shared.executeUnprepared(...given),
  executeValues: (...given) => shared.executeValues(...given),
  executeValuesUnprepared: (...given) => shared.executeValuesUnprepared(...given),
  executeStream: (...given) => Stream.unwrap(Effect.map(sessions.leased, (leased) => leased.executeStream(...given)))
})

const makeSql = (sessions: Sessions) =>
  Effect.map(
    SqlClient.make({
      acquirer: Effect.map(sessions.taken, ({ shared }) => withStreams(shared, sessions)),
      borrower: (use) => sessions.share(({ shared }) => use(shared)),
      transactionAcquirer: sessions.leased,
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: [["db.system.name", "postgresql"]]
    }),
    (sql) => Object.assign(sql, makeTransactions(sql, sessions.leased))
  )

const listenWith =
  (connector: Connector): PgClient.PgClient["listen"] =>
  (channel) =>
    Effect.flatMap(connector.open("listener"), ({ connection }) => connection.listen(channel))

const openDedicated = (connector: Connector, deadlines: Deadlines) =>
  Effect.gen(function* () {
    const { shared } = new DatabaseSession(yield* connector.open("shared"), deadlines, () => {})
    return yield* SqlClient.make({
      acquirer: Effect.succeed(shared),
      compiler: PgClient.makeCompiler(),
      driver: "pg",
      spanAttributes: [["db.system.name", "postgresql"]]
    })
  })

const openCopy = (connector: Connector) =>
  Effect.gen(function* () {
    const { connection, copies } = yield* connector.open("copy")
    if (copies === null) return yield* connectionFailure("There is no connection", "connect")
    return yield* makeCopySession(connection, copies)
  })

/** Symbol of the effect that opens a dedicated session with COPY. */
export const copySession = Symbol.for("@parley/pg-pipeline/copySession")

/** Symbol of the effect that opens a dedicated session, without a queue and without statements of other callers. */
export const dedicatedSession = Symbol.for("@parley/pg-pipeline/dedicatedSession")

/**
 * A client of one server, or of several with one writable server. No call waits past its deadline, in any state of the server. During an outage
 * calls fail immediately.
 */
export const makeClient = Effect.fnUntraced(function* (options: ClientOptions) {
  const { applicationName, connectMillis, deadlineOf, hosts, maxConnections, startupParameters, usualMillis } = options
  const deadlines = yield* makeDeadlines({
    usualMillis,
    shortestMillis: connectMillis,
    suspectAfterMillis: Math.min(1_000, connectMillis / 2),
    onSuspicion: () => availability.suspect(),
    deadlineOf
  })
  const connector = makeConnector(hosts, deadlines, { applicationName, startupParameters }, connectMillis)
  const sessions: Sessions = yield* makeSessions({
    connector,
    deadlines,
    maxSessions: maxConnections,
    availability: () => availability
  })
  const availability: Availability = yield* makeAvailability({
    connector,
    sessionCount: sessions.count,
    isAnswering: sessions.isAnswering,
    onOutage: sessions.retireAll
  })
  const sql = yield* makeSql(sessions)
  return Object.assign(sql, {
    [PgClient.TypeId]: PgClient.TypeId,
    config: { url: hosts.all[0].url },
    json: (value: unknown) => sql`${PgTypes.jsonb(value)}`,
    listen: listenWith(connector),
    [dedicatedSession]: Effect.provideService(
      openDedicated(connector, deadlines),
      Reactivity.Reactivity,
      yield* Reactivity.Reactivity
    ),
    [copySession]: Effect.provideService(openCopy(connector), Reactivity.Reactivity, yield* Reactivity.Reactivity),
    notify: (channel: string, payload: string) => Effect.asVoid(sql`SELECT pg_notify(${channel}, ${payload})`)
  })
})
