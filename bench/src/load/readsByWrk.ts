import { Effect } from "effect"
import { Arena } from "../Arena.ts"
import type { RunningServer } from "../servers/launch.ts"
import { ToolFailed } from "./ToolFailed.ts"
import { writeCallers, wrk } from "./wrk.ts"

/** Makes contestants of servers: random reads as fast as they answer, every one of which must be answered. */
export const readsByWrk = Effect.gen(function* () {
  const { directory, options, population } = yield* Arena
  const callers = yield* writeCallers(directory, population)
  return (name: string, { pid, url }: RunningServer) => ({
    name,
    pid,
    run: Effect.fnUntraced(function* (seconds: number, seed: number) {
      const load = yield* wrk({ url, callers, connections: options.connections, seconds, seed })
      if (load.refused + load.broken > 0) {
        return yield* new ToolFailed({
          tool: name,
          output: `Of ${load.requests} requests, ${load.refused} were refused and ${load.broken} got no answer.`
        })
      }
      return { perSecond: load.requests / load.seconds, load }
    })
  })
})
