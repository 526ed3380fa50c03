import { Console, Effect, Stdio, Stream } from "effect"

/** Says where the server listens, and ends when the standard input does: a server never outlives who started it. */
export const serveUntilLeft = Effect.fnUntraced(function* (port: number) {
  const stdio = yield* Stdio.Stdio
  yield* Console.log(JSON.stringify({ port }))
  yield* Stream.runDrain(stdio.stdin)
})
