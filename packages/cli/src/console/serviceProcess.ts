import type { Settings } from "@parley/service/configuration"
import type { Joined, Post, posts as postsOf } from "@parley/service/processes"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { collectStart } from "../heap.ts"
import { flagOf } from "../parley.ts"
import { ExitCode } from "./Failure.ts"
import { type Announce, announcing, logged } from "./logging.ts"

/** Whether a process skips the migration of the database. */
export const noMigrate = Flag.Boolean("no-migrate").pipe(
  Flag.withDescription("Do not migrate the database. Refuse to start if its schema is outdated"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

/** Flags of commands that run background work. */
export const workFlags = {
  baseUrl: flagOf("baseUrl"),
  metricsHost: flagOf("metricsHost"),
  metricsPort: flagOf("metricsPort"),
  chatAppId: flagOf("chatAppId"),
  chatSignupConfigId: flagOf("chatSignupConfigId"),
  storeClientId: flagOf("storeClientId"),
  storeScopes: flagOf("storeScopes"),
  storeApiVersion: flagOf("storeApiVersion"),
  mailFrom: flagOf("mailFrom"),
  poolSize: flagOf("poolSize"),
  processes: flagOf("processes"),
  databaseJobSeconds: flagOf("databaseJobSeconds")
}

/** Flags of the commands that run the HTTP service. */
export const serviceFlags = {
  ...workFlags,
  host: flagOf("host"),
  port: flagOf("port"),
  operatorApi: flagOf("operatorApi"),
  operatorHost: flagOf("operatorHost"),
  operatorPort: flagOf("operatorPort"),
  docsUrl: flagOf("docsUrl"),
  corsOrigins: flagOf("corsOrigins"),
  trustedProxyHops: flagOf("trustedProxyHops"),
  tokenPerMinute: flagOf("tokenPerMinute"),
  organizationPerMinute: flagOf("organizationPerMinute"),
  addressPerMinute: flagOf("addressPerMinute"),
  maxBodyBytes: flagOf("maxBodyBytes"),
  maxWebhookBytes: flagOf("maxWebhookBytes"),
  maxImportBytes: flagOf("maxImportBytes"),
  accessLog: flagOf("accessLog"),
  databaseSeconds: flagOf("databaseSeconds"),
  drainSeconds: flagOf("drainSeconds"),
  passwordMinLength: flagOf("passwordMinLength")
}

/** From now on, a signal is a normal end of the process. Before this call, it is an interruption. */
export const endsWell = Effect.sync(() => {
  process.exitCode = ExitCode.ok
})

const endAtOnceOnSignal = Effect.sync(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(ExitCode.interrupted))
})

/** The next signal ends the process immediately. */
const expectSecondSignal = Effect.asVoid(
  // A terminal signals the whole process group and npm forwards the signal, so the same signal can arrive twice.
  Effect.forkDetach(Effect.delay(endAtOnceOnSignal, "1 second"))
)

/** Announces that the process ends, and how to end it immediately. */
export const announceEnd = (announce: Announce) =>
  Effect.andThen(announce("Stopping after running calls finish. Repeat to stop immediately."), expectSecondSignal)

/** Announces that the process has ended. */
export const saysGoodbye = (announce: Announce) => Effect.onInterrupt(() => announce("Parley has stopped."))

/** Messages of a process about its start and its end. */
export interface Voice {
  readonly ready: Effect.Effect<void>
  readonly stopping: Effect.Effect<void>
}

/** Work of one process or several. */
interface Work<E, R> {
  /** Message after the start. */
  readonly says: string
  /** Processes for a configured number of them. */
  readonly posts: (count: number, of: typeof postsOf) => ReadonlyArray<Post>
  /** Runs the process, alone or with others. */
  readonly run: (voice: Voice, joined: Joined | null) => Effect.Effect<void, E, R>
}

/** Returns the memory of loading before the start is announced. */
const begun = Effect.andThen(Effect.sync(collectStart), endsWell)

/** Runs work in one process or several, as configured. With several processes, only the supervisor prints messages. */
export const together = Effect.fnUntraced(function* <E, R>(settings: Settings, { posts, run, says }: Work<E, R>) {
  const {
    joinOthers,
    ownPost,
    posts: postsOf,
    processCount,
    runTogether
  } = yield* Effect.promise(() => import("@parley/service/processes"))
  const post = yield* ownPost
  if (post !== null) {
    const joined = yield* joinOthers(post)
    const voice = { ready: Effect.andThen(begun, joined.tellReady), stopping: expectSecondSignal }
    return yield* run(voice, joined).pipe(Effect.annotateLogs("process", post.name), logged(settings, "Info"))
  }
  const { ending, started } = yield* announcing(settings)
  const voice = { ready: Effect.andThen(begun, started(says)), stopping: announceEnd(ending) }
  const count = yield* processCount(settings)
  const running = Effect.gen(function* () {
    if (count === 1) yield* run(voice, null)
    else yield* runTogether(settings, posts(count, postsOf), voice)
  })
  return yield* running.pipe(saysGoodbye(ending), logged(settings, "Info"))
}, Effect.scoped)
