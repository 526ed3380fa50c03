import { Effect } from "effect"
import type { RunningServer } from "./launch.ts"

/** Options of a server that shares a port with others. The first process takes a free port. */
export interface PortToShare {
  readonly port: number
  readonly sharesPort: boolean
}

/** Starts server processes on one port. The system distributes connections, as with `parley serve --processes`. */
export const sharingPort = Effect.fnUntraced(function* <E, R>(
  processes: number,
  start: (listening: PortToShare) => Effect.Effect<RunningServer, E, R>,
  port = 0
) {
  const first = yield* start({ port, sharesPort: processes > 1 })
  const taken = Number(new URL(first.url).port)
  const others = yield* Effect.replicateEffect(start({ port: taken, sharesPort: true }), processes - 1)
  const server: RunningServer = { ...first, pids: [first, ...others].map(({ pid }) => pid) }
  return server
})
