import { Effect } from "effect"
import type { Cluster } from "./Cluster.ts"
import { stop } from "./Postmaster.ts"
import { openSession, type Session } from "./Session.ts"

/**
 * Whoever uses the server holds this lock of its, together with the others: PostgreSQL lets go of it when their session
 * ends, however they end. Who can have it alone is the last.
 */
const users = "1885434476, 1"

/** There is one watch. */
const watch = "1885434476, 2"

const isTrue = (session: Session, expression: string) =>
  Effect.map(session.connection.query(`SELECT ${expression} AS it`, [], false), ({ rows }) => rows[0]?.["it"] === true)

/** Counts this session among the users. Not if the server is about to be stopped by who was the last. */
export const join = (session: Session) => isTrue(session, `pg_try_advisory_lock_shared(${users})`)

const stopping = process.platform === "win32" ? `'"' || bindir || '/pg_ctl" kill INT ' || pid` : `'kill -INT ' || pid`

/** Waits until nobody uses the server any more, and tells it to stop. */
const keepWatch = `
  DO $watch$
  DECLARE
    bindir text := (SELECT setting FROM pg_config WHERE name = 'BINDIR');
    pid text := split_part(pg_read_file('postmaster.pid'), E'\\n', 1);
  BEGIN
    IF NOT pg_try_advisory_lock(${watch}) THEN RETURN; END IF;
    LOOP
      PERFORM pg_sleep(1);
      EXIT WHEN pg_try_advisory_lock(${users});
      COMMIT;
    END LOOP;
    EXECUTE format('COPY (SELECT) TO PROGRAM %L', ${stopping});
  END
  $watch$`

const isWatched = `EXISTS (
  SELECT FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid) = (${watch}) AND objsubid = 2 AND granted)`

const simpleQuery = (text: string) => {
  const body = Buffer.from(`${text}\0`)
  const head = Buffer.alloc(5)
  head.write("Q", 0)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** It is ended whenever the server is: the log need not show each time what it was. */
const inFewWords = { log_error_verbosity: "terse", log_min_error_statement: "panic" }

/**
 * Sees to it that the server stops also when all its users are killed: a session of its own watches over them. It goes on
 * without a client, so it is sent past the driver, which would call it off.
 */
export const ensureWatch = Effect.fnUntraced(function* (session: Session, { password }: Cluster) {
  if (yield* isTrue(session, isWatched)) return
  const watching = yield* openSession(session.address, password, inFewWords)
  yield* Effect.callback<void>((resume) => {
    watching.socket.write(simpleQuery(keepWatch), () => resume(Effect.void))
  })
  yield* watching.close
})

/** Ends a session of a user. The last one stops the server, and waits until it has. */
export const leave = (session: Session, cluster: Cluster) =>
  isTrue(session, `pg_advisory_unlock_shared(${users}) AND pg_try_advisory_lock(${users})`).pipe(
    Effect.flatMap((isLast) => (isLast ? stop(cluster) : Effect.void)),
    Effect.ignore,
    Effect.ensuring(session.close)
  )
