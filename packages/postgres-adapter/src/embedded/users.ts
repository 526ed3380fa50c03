import { Effect } from "effect"
import type { Cluster } from "./Cluster.ts"
import { stop } from "./Postmaster.ts"
import { openSession, type Session } from "./Session.ts"

/**
 * Users of the server share this advisory lock. PostgreSQL releases it when their session ends in any way. A session that gets it exclusively is the
 * last user.
 */
const users = "1885434476, 1"

/** Only one watch session exists. */
const watch = "1885434476, 2"

const isTrue = (session: Session, expression: string) =>
  Effect.map(session.connection.query(`SELECT ${expression} AS it`, [], false), ({ rows }) => rows[0]?.["it"] === true)

/** Registers this session as a user. Fails if the last user is about to stop the server. */
export const join = (session: Session) => isTrue(session, `pg_try_advisory_lock_shared(${users})`)

const stopping = process.platform === "win32" ? `'"' || bindir || '/pg_ctl" kill INT ' || pid` : `'kill -INT ' || pid`

/** Waits until the server has no users, and stops it. */
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

/** The watch ends with every stop of the server. The log does not need the full statement each time. */
const inFewWords = { log_error_verbosity: "terse", log_min_error_statement: "panic" }

/**
 * Ensures that the server stops even if all its users are killed: a dedicated session watches them. It runs without a client, so it bypasses the
 * driver, which would cancel it.
 */
export const ensureWatch = Effect.fnUntraced(function* (session: Session, { password }: Cluster) {
  if (yield* isTrue(session, isWatched)) return
  const watching = yield* openSession(session.address, password, inFewWords)
  yield* Effect.callback<void>((resume) => {
    watching.socket.write(simpleQuery(keepWatch), () => resume(Effect.void))
  })
  yield* watching.close
})

/** Ends a user's session. The last one stops the server and waits for its end. */
export const leave = (session: Session, cluster: Cluster) =>
  isTrue(session, `pg_advisory_unlock_shared(${users}) AND pg_try_advisory_lock(${users})`).pipe(
    Effect.flatMap((isLast) => (isLast ? stop(cluster) : Effect.void)),
    Effect.ignore,
    Effect.ensuring(session.close)
  )
