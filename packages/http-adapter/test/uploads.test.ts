import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch } from "effect"
import type { IncomingMessage, Server } from "node:http"
import { connect, type Socket } from "node:net"
import { makeListener } from "../src/server/listener.ts"
import type { UploadClock } from "../src/server/uploadRate.ts"

/** Clock of the listener, which tests advance manually. */
const makeClock = () => {
  let now = 0
  const looks = new Set<() => void>()
  const clock: UploadClock = {
    now: () => now,
    every: (_millis, look) => {
      looks.add(look)
      return () => looks.delete(look)
    }
  }
  return {
    clock,
    looks,
    /** Advances this number of samples, one second apart. */
    pass: (seconds: number) => {
      for (let second = 0; second < seconds; second += 1) {
        now += 1_000
        for (const look of looks) look()
      }
    }
  }
}

const head = (address: string) =>
  `POST /api/v1/contacts/imports HTTP/1.1\r\nHost: a\r\nX-From: ${address}\r\nContent-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`

const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"x".repeat(bytes)}\r\n`

/** A listener with a handler that reads uploads or leaves them unread. */
const given = Effect.fnUntraced(function* (reads = true) {
  const { clock, looks, pass } = makeClock()
  const arrived: Array<IncomingMessage> = []
  const news = Latch.makeUnsafe()
  const counts = new WeakMap<IncomingMessage, number>()
  const listener = yield* Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const made = makeListener(
        10_000,
        { isDraining: false },
        {
          clock,
          maxSlowPerAddress: 2,
          addressOf: ({ headers }) => String(headers["x-from"])
        }
      )
      made.on("request", (request: IncomingMessage) => {
        arrived.push(request)
        counts.set(request, 0)
        request.on("error", () => {})
        if (reads) {
          request.on("data", (data: Buffer) => {
            counts.set(request, (counts.get(request) ?? 0) + data.length)
            news.openUnsafe()
          })
        } else request.on("readable", () => news.openUnsafe())
        news.openUnsafe()
      })
      made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.callback<void>((resume) => {
        made.closeAllConnections()
        made.close(() => resume(Effect.void))
      })
  )
  const address = listener.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const until = (isSo: () => boolean): Effect.Effect<void> =>
    Effect.suspend(() => (isSo() ? Effect.void : Effect.andThen(news.close, Effect.andThen(news.await, until(isSo)))))
  const upload = Effect.fnUntraced(function* (from: string) {
    const number = arrived.length
    const socket: Socket = connect(port, "127.0.0.1")
    let text = ""
    let sent = 0
    const ended = Latch.makeUnsafe()
    socket.on("data", (data) => void (text += data.toString()))
    socket.on("error", () => {}).on("close", () => ended.openUnsafe())
    socket.write(head(from))
    yield* until(() => arrived.length > number)
    yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
    return {
      /** Sends this number of bytes, and waits until the server reads them. */
      send: Effect.fnUntraced(function* (bytes: number) {
        sent += bytes
        socket.write(chunk(bytes))
        const request = arrived[number]
        yield* until(() => request === undefined || !reads || (counts.get(request) ?? 0) >= sent)
      }),
      isOpen: () => text === "" && !socket.destroyed,
      ended: Effect.map(ended.await, () => text)
    }
  })
  return { arrived, listener, looks, pass, until, upload }
})

describe("an upload", () => {
  it.live("that sends single bytes ends after a minute", () =>
    Effect.gen(function* () {
      const { pass, upload } = yield* given()
      const slow = yield* upload("one")
      for (let second = 0; second < 59; second += 1) {
        yield* slow.send(1)
        pass(1)
      }
      assert.isTrue(slow.isOpen())
      pass(1)
      assert.match(yield* slow.ended, /^HTTP\/1\.1 408 /u)
    }).pipe(Effect.scoped)
  )

  it.live("above the minimum rate has no time limit", () =>
    Effect.gen(function* () {
      const { pass, upload } = yield* given()
      const steady = yield* upload("one")
      for (let second = 0; second < 150; second += 1) {
        yield* steady.send(64_000)
        pass(1)
      }
      assert.isTrue(steady.isOpen())
    }).pipe(Effect.scoped)
  )

  it.live("does not count the time when the server leaves data unread", () =>
    Effect.gen(function* () {
      const { arrived, pass, until, upload } = yield* given(false)
      const waiting = yield* upload("one")
      yield* waiting.send(1_000)
      yield* until(() => (arrived[0]?.readableLength ?? 0) > 0)
      pass(300)
      assert.isTrue(waiting.isOpen())
    }).pipe(Effect.scoped)
  )

  it.live("that is slow continues only within the limit of its address", () =>
    Effect.gen(function* () {
      const { pass, upload } = yield* given()
      const uploads = yield* Effect.forEach(["one", "one", "one", "another"], upload)
      for (const each of uploads) yield* each.send(100)
      pass(10)
      assert.match(yield* uploads[2]?.ended ?? Effect.succeed(""), /^HTTP\/1\.1 408 /u)
      assert.deepStrictEqual(
        uploads.map(({ isOpen }) => isOpen()),
        [true, true, false, true]
      )
    }).pipe(Effect.scoped)
  )

  it.live("is not checked after the listener closes", () =>
    Effect.gen(function* () {
      const { looks } = yield* Effect.scoped(given())
      assert.strictEqual(looks.size, 0)
    })
  )
})
