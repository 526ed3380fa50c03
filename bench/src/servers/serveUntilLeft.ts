import { Console, Effect, Stdio, Stream } from "effect"

/** Prints the address of the server, and ends with the standard input: a server never outlives its parent process. */
export const serveUntilLeft = Effect.fnUntraced(function* (port: number) {
  const stdio = yield* Stdio.Stdio
  yield* Console.log(JSON.stringify({ port }))
  yield* Stream.runDrain(stdio.stdin)
})
