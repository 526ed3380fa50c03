import type { Settings } from "@parley/service/configuration"
import type { Joined, Post, posts as postsOf } from "@parley/service/processes"
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import { collectStart } from "../heap.ts"
import { flagOf } from "../parley.ts"
import { ExitCode } from "./Failure.ts"
import { logged } from "./logging.ts"

/** Whether a process leaves the database as it is. */
export const noMigrate = Flag.Boolean("no-migrate").pipe(
  Flag.withDescription("Do not bring the database up to date; refuse to start when it is not"),
  Flag.withoutNegation,
  Flag.withDefault(false)
)

/** The flags of whatever works in the background. */
export const workFlags = {
  baseUrl: flagOf("baseUrl"),
  metricsHost: flagOf("metricsHost"),
  metricsPort: flagOf("metricsPort"),
  chatAppId: flagOf("chatAppId"),
  chatSignupConfigId: flagOf("chatSignupConfigId"),
  storeClientId: flagOf("storeClientId"),
  storeScopes: flagOf("storeScopes"),
  mailFrom: flagOf("mailFrom"),
  poolSize: flagOf("poolSize"),
  processes: flagOf("processes"),
  databaseJobSeconds: flagOf("databaseJobSeconds")
}

/** The flags of the commands that run the HTTP service. */
export const serviceFlags = {
  ...workFlags,
  host: flagOf("host"),
  port: flagOf("port"),
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

/** From now on a signal is how the process ends well. Until then, it would have been an interruption. */
export const endsWell = Effect.sync(() => {
  process.exitCode = ExitCode.ok
})

const endAtOnceOnSignal = Effect.sync(() => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(ExitCode.interrupted))
})

/** The next signal ends the process at once. */
const expectSecondSignal = Effect.asVoid(
  // A terminal tells the whole group of processes, and npm passes it on: the same signal may come twice.
  Effect.forkDetach(Effect.delay(endAtOnceOnSignal, "1 second"))
)

/** Says that the process ends, and how to end it at once. */
export const announceEnd = Effect.andThen(
  Console.error("Stopping: the calls under way are finished first. Once more stops at once."),
  expectSecondSignal
)

/** Says that it has ended. */
export const saysGoodbye = Effect.onInterrupt(() => Console.error("Parley has stopped."))

/** How a process says that it has begun, and that it ends. */
export interface Voice {
  readonly ready: Effect.Effect<void>
  readonly stopping: Effect.Effect<void>
}

/** What is run by one process, or by several. */
interface Work<E, R> {
  /** What it says once it runs. */
  readonly says: string
  /** Which processes there are, where there shall be so many of them. */
  readonly posts: (count: number, of: typeof postsOf) => ReadonlyArray<Post>
  /** What a process does: alone, or in its place among others. */
  readonly run: (voice: Voice, joined: Joined | null) => Effect.Effect<void, E, R>
}

/** What loading left behind is given back before anybody is told that it runs. */
const begun = Effect.andThen(Effect.sync(collectStart), endsWell)

/** Runs something in one process or in several, as configured. Of several, only the one that looks after them speaks to people. */
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
  const voice = { ready: Effect.andThen(begun, Console.log(says)), stopping: announceEnd }
  const count = yield* processCount(settings)
  const running = Effect.gen(function* () {
    if (count === 1) yield* run(voice, null)
    else yield* runTogether(settings, posts(count, postsOf), voice)
  })
  return yield* running.pipe(saysGoodbye, logged(settings, "Info"))
}, Effect.scoped)
