import { Effect } from "effect"
import { Arena } from "../Arena.ts"
import type { RunningServer } from "../servers/launch.ts"
import type { Load } from "./Load.ts"
import { ToolFailed } from "./ToolFailed.ts"
import { randomReads, randomRequests, type Target, writeCallers, writeTargets, wrk } from "./wrk.ts"

/** Makes sure that every request was answered, and well. */
export const requireAnswered = (name: string, { broken, refused, requests }: Load) =>
  refused + broken === 0
    ? Effect.void
    : new ToolFailed({
        tool: name,
        output: `Of ${requests} requests, ${refused} were refused and ${broken} got no answer.`
      })

const contestant = (
  { options }: Arena["Service"],
  name: string,
  { pids, url }: RunningServer,
  what: { readonly script: string; readonly file: string }
) => ({
  name,
  pids,
  run: Effect.fnUntraced(function* (seconds: number, seed: number) {
    const { file, script } = what
    const load = yield* wrk({ url, script, words: [file, String(seed)], connections: options.connections, seconds })
    yield* requireAnswered(name, load)
    return { perSecond: load.requests / load.seconds, load }
  })
})

/** Makes contestants of servers: random reads at full speed. Every read must succeed. */
export const readsByWrk = Effect.gen(function* () {
  const arena = yield* Arena
  const file = yield* writeCallers(arena.directory, arena.population)
  return (name: string, server: RunningServer) => contestant(arena, name, server, { script: randomReads, file })
})

/** Makes a contestant of a server: these requests in random order at full speed. Every request must succeed. */
export const requestsByWrk = Effect.fnUntraced(function* (
  name: string,
  server: RunningServer,
  targets: ReadonlyArray<Target>
) {
  const arena = yield* Arena
  const file = yield* writeTargets(`${arena.directory}/targets-${server.pid}`, targets)
  return contestant(arena, name, server, { script: randomRequests, file })
})
