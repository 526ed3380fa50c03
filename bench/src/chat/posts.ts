import { Effect, type Option } from "effect"
import { Command } from "effect/cli"
import * as Arena from "../Arena.ts"
import { closedLoop } from "../load/closedLoop.ts"
import { ToolFailed } from "../load/ToolFailed.ts"
import { flags, optionsOf } from "../Options.ts"
import { conclude } from "../report/conclude.ts"
import { ratioOf } from "../report/summary.ts"
import { interleave } from "../rounds.ts"
import { noWorkersFlag, other as otherName, otherFlag, otherParley, parley } from "../servers/contenders.ts"
import { connectLines, ownLine, type Provider, startProvider } from "./provider.ts"
import { makeLetters } from "./sends/letters.ts"
import { openTalks } from "./sends/talks.ts"

/** Numbers of organizations and of their conversations. */
const crowd = { organizations: 8, conversationsEach: 50 }

const callers = [1, 8, 64]

const run = Effect.fnUntraced(function* (provider: Provider, hasWorkers: boolean, checkout: Option.Option<string>) {
  const { grounds, options } = yield* Arena.Arena
  const own = yield* connectLines(
    provider,
    Array.from({ length: crowd.organizations }, (_, place) => ownLine(place))
  )
  const talks = yield* Effect.scoped(
    Effect.flatMap(parley(grounds), (server) =>
      openTalks(provider, server, own, options.quick ? 2 : crowd.conversationsEach)
    )
  )
  const servers = [
    { name: "parley", server: yield* parley({ ...grounds, hasWorkers }) },
    ...(yield* otherParley({ ...grounds, hasWorkers }, checkout))
  ]
  const { request } = makeLetters(provider, talks)
  const contestants = servers.flatMap(({ name, server: { pids, url } }) =>
    callers.map((connections) => ({
      name: `${name}: ${connections} callers`,
      pids,
      run: Effect.fnUntraced(function* (seconds: number) {
        const load = yield* closedLoop({ url, seconds, connections, request })
        if (load.refused + load.broken > 0) {
          return yield* new ToolFailed({ tool: name, output: JSON.stringify(load.statuses) })
        }
        return { perSecond: load.perSecond, load }
      })
    }))
  )
  const rounds = yield* interleave(contestants)
  const ratios = servers.slice(1).flatMap(() =>
    callers.map((connections) => ({
      ...ratioOf(`parley: ${connections} callers`, `${otherName}: ${connections} callers`, rounds),
      atLeast: null
    }))
  )
  yield* conclude("posts", rounds, ratios)
})

/** Messages of the team, written over the API by different numbers of callers. */
export const posts = Command.make(
  "posts",
  { ...flags, ...otherFlag, ...noWorkersFlag },
  Effect.fnUntraced(function* ({ noWorkers, other, ...given }) {
    const { organizations } = crowd
    const options = { ...(yield* optionsOf(given)), rows: 640, organizations }
    yield* Effect.gen(function* () {
      const provider = yield* startProvider(Array.from({ length: organizations }, (_, place) => ownLine(place)))
      yield* run(provider, !noWorkers, other).pipe(
        Effect.scoped,
        Effect.provide(Arena.layer(options, { chat: provider.chat, isUnlimited: true }))
      )
    }).pipe(Effect.scoped)
  })
).pipe(Command.withDescription("How many messages a second are written over the API by 1, 8 and 64 callers"))
