import { createServer, type Server } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { corkedSocket } from "../src/sockets.ts"

const listening = Effect.acquireRelease(
  Effect.callback<Server>((resume) => {
    const server = createServer((socket) => socket.pipe(socket))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => void server.close())
)

const portOf = (server: Server) => {
  const address = server.address()
  return address !== null && typeof address === "object" ? address.port : 0
}

it.live("a corked socket sends the writes of one turn of the event loop together, in order", () =>
  Effect.gen(function* () {
    const connect = corkedSocket(`postgres://somebody@127.0.0.1:${portOf(yield* listening)}/some`, "30 seconds")
    assert.isDefined(connect)
    const socket = connect()
    yield* Effect.callback<void>((resume) => void socket.once("connect", () => resume(Effect.void)))
    const waiting = yield* Effect.promise(async () => {
      socket.write("one ")
      await Promise.resolve()
      socket.write(Buffer.from("two "))
      return socket.writableLength
    })
    assert.strictEqual(waiting, 8)
    yield* Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))
    assert.strictEqual(socket.writableLength, 0)
    socket.end("three")
    const echo = yield* Effect.promise(() => socket.toArray())
    assert.strictEqual(Buffer.concat(echo).toString(), "one two three")
  }).pipe(Effect.scoped)
)

it("does not cork connections over TLS or over file system sockets", () => {
  for (const parameters of ["sslmode=require", "sslmode=prefer", "sslmode=verify-full", "host=/var/run/postgresql"]) {
    assert.isUndefined(corkedSocket(`postgres://somebody@127.0.0.1/some?${parameters}`, "30 seconds"), parameters)
  }
  for (const url of ["no url", "postgres://somebody@%2Fvar%2Frun/some"]) {
    assert.isUndefined(corkedSocket(url, "30 seconds"), url)
  }
  for (const url of ["postgres://[::1]:5432/some", "postgres:///some", "postgres://h/some?sslmode=disable"]) {
    assert.isDefined(corkedSocket(url, "30 seconds"), url)
  }
})
