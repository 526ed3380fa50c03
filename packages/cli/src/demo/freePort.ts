import { Effect } from "effect"
import { createServer } from "node:net"

const listenable = (port: number) =>
  Effect.callback<number | null>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(null)))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : null)))
    })
  })

/** A port of this machine that nobody has: the one that is wanted, if it is one. */
export const freePort = Effect.fnUntraced(function* (wanted: number | null) {
  const port = wanted === null ? null : yield* listenable(wanted)
  return port ?? (yield* listenable(0)) ?? (yield* Effect.die(new Error("No port is free.")))
})
