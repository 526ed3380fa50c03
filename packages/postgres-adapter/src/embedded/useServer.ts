import { messageOf, sqlStateOf } from "@parley/pg-pipeline"
import { Effect, Option, Result, Schedule } from "effect"
import { realTime } from "../kernel/realTime.ts"
import { hasSocket, socketFolder } from "./Address.ts"
import type { Cluster } from "./Cluster.ts"
import { EmbeddedFolderUnusable } from "./Errors.ts"
import { saidToRun, start, type Started } from "./Postmaster.ts"
import { openSession, type Session } from "./Session.ts"
import { ensureWatch, join, leave } from "./users.ts"

/** Poll interval of a server that starts or stops. */
const pause = "25 millis"

/** Maximum number of polls. Recovery after a crash can be slow; a server that is silent for this long does not recover. */
const mostLooks = 4_800

/** Address of the server; none if no server exists. */
const whereItIs = Effect.fnUntraced(function* (cluster: Cluster) {
  const running = Option.map(yield* saidToRun(cluster), ({ address }) => address)
  return Option.isNone(running) && hasSocket(cluster)
    ? Option.some({ host: yield* socketFolder(cluster), port: 5432 })
    : running
})

/** The server starts, stops or has no free connection. */
const isBusy = /^(?:57P|53300$)/

/** The server rejects the password, or the user or the database is missing. */
const isRefusal = /^(?:28|3D)/

/** Opens a registered session. Returns the reason if the server can be stopping or starting, and nothing if no server exists. */
const meet = Effect.fnUntraced(function* (cluster: Cluster) {
  const address = Option.getOrNull(yield* whereItIs(cluster))
  if (address === null) return { _tag: "Absent" as const }
  const opened = yield* Effect.result(openSession(address, cluster.password))
  if (Result.isFailure(opened)) {
    const state = sqlStateOf(opened.failure)
    if (isBusy.test(state)) return { _tag: "Busy" as const }
    return isRefusal.test(state)
      ? { _tag: "Refused" as const, why: messageOf(opened.failure) }
      : { _tag: "Absent" as const }
  }
  const session = opened.success
  const isCounted = yield* Effect.orElseSucceed(join(session), () => false)
  if (isCounted) return { _tag: "Met" as const, session }
  yield* session.close
  return { _tag: "Busy" as const }
})

const isTaken = (complaint: string) => complaint.includes("postmaster.pid")

/** Opens a session with the server of this folder, and starts the server if necessary. */
const enter = Effect.fnUntraced(function* (cluster: Cluster) {
  const unusable = (reason: string) => new EmbeddedFolderUnusable({ directory: cluster.directory, reason })
  let started: Started | null = null
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const met = yield* meet(cluster)
    if (met._tag === "Met") {
      yield* Effect.ignore(ensureWatch(met.session, cluster))
      return met.session
    }
    if (met._tag === "Refused" && started === null) {
      return yield* unusable(`its server refuses this program: ${met.why}`)
    }
    if (met._tag === "Absent") {
      const ended: string | null = started === null ? "" : Option.getOrNull(yield* started.ended)
      if (ended !== null && ended !== "" && !isTaken(ended)) {
        return yield* unusable(`PostgreSQL does not start on it. ${ended}`)
      }
      if (ended !== null) started = yield* start(cluster)
    }
    yield* Effect.sleep(pause)
  }
  return yield* unusable("its server does not answer.")
}, Effect.provide(realTime))

/**
 * Uses the server of this folder until the scope ends. Starts it if it is missing, and again if it ends. The server stops when its last user leaves.
 * Returns its address.
 */
export const useServer = Effect.fnUntraced(function* (cluster: Cluster) {
  const present: { session: Session | null } = { session: null }
  const come = Effect.map(enter(cluster), (session) => {
    present.session = session
    return session
  })
  const session = yield* Effect.acquireRelease(come, () =>
    present.session === null ? Effect.void : leave(present.session, cluster)
  )
  const comeAgain = Effect.gen(function* () {
    yield* Effect.suspend(() => present.session?.lost ?? Effect.void)
    present.session = null
    yield* Effect.logWarning("The embedded PostgreSQL has gone away: it is started again")
    yield* Effect.uninterruptible(come)
  })
  yield* comeAgain.pipe(
    Effect.tapCause((cause) => Effect.logError("The embedded PostgreSQL cannot be started again", cause)),
    Effect.retry(Schedule.spaced("5 seconds")),
    Effect.forever,
    Effect.provide(realTime),
    Effect.forkScoped
  )
  return session.address
})
