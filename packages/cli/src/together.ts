import type { Settings } from "@parley/service/configuration"
import type { Joined, Post, posts as postsOf } from "@parley/service/processes"
import { Console, Effect } from "effect"
import { announceEnd, endsWell, expectSecondSignal, saysGoodbye } from "./console/ending.ts"
import { logged } from "./console/logging.ts"
import { collectStart } from "./heap.ts"

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
