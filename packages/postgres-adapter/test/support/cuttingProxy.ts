import { Effect, Redacted } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** Cut of a connection: after this number of messages in this direction. */
export interface Cut {
  readonly after: number
  readonly of: "asked" | "answered"
}

/** A network that is cut between two messages and records the traffic. */
export interface CuttingProxy {
  /** The address of the database, through the proxy. */
  readonly url: Redacted.Redacted
  /** Sets the next cut, and clears the recorded traffic. */
  readonly listen: (cut: Cut | null) => void
  /** Whether the connection was cut. */
  readonly hasCut: () => boolean
  /** The requested statements, including those after the cut, grouped by round trip. */
  readonly roundTrips: () => ReadonlyArray<ReadonlyArray<string>>
  /** The server receives `garbled` instead of `words`. Both have the same length. */
  readonly garble: (words: string, garbled: string) => void
}

interface Frame {
  readonly type: string
  readonly bytes: Buffer
}

/** Takes the bytes of one direction apart, as they come. */
const framesOf = (hasStartup: boolean) => {
  let rest: Buffer = Buffer.alloc(0)
  let isStartup = hasStartup
  return (chunk: Buffer): ReadonlyArray<Frame> => {
    rest = Buffer.concat([rest, chunk])
    const frames: Array<Frame> = []
    while (true) {
      const head = isStartup ? 0 : 1
      if (rest.length < head + 4) return frames
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return frames
      frames.push({ type: isStartup ? "" : rest.toString("latin1", 0, 1), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
      isStartup = false
    }
  }
}

const textAt = (bytes: Buffer, from: number) => bytes.toString("utf8", from, bytes.indexOf(0, from))

/** Between a client and the server of this address, until the scope ends. */
export const cuttingProxy = Effect.fnUntraced(function* (target: Redacted.Redacted) {
  const url = new URL(Redacted.value(target))
  const place = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  let cut: Cut | null = null
  let passed = 0
  let hasCut = false
  let roundTrips: Array<Array<string>> = []
  let garbled: readonly [string, string] | null = null

  const join = (client: Socket) => {
    const server = connect(place)
    client.setNoDelay(true)
    server.setNoDelay(true)
    for (const socket of [client, server]) sockets.add(socket)
    const [asked, answered] = [framesOf(true), framesOf(false)]
    const statements = new Map<string, string>()
    let bound = ""
    let unanswered = 0
    let isCut = false

    const end = () => {
      for (const socket of [client, server]) {
        sockets.delete(socket)
        socket.destroy()
      }
    }

    /** Forwarded messages arrive; no others do, in either direction. */
    const part = () => {
      isCut = true
      hasCut = true
      client.end()
      server.end()
    }

    const carry = (of: Cut["of"], to: Socket, { bytes }: Frame) => {
      if (isCut) return
      if (cut !== null && cut.of === of && passed >= cut.after) return part()
      if (cut?.of === of) passed += 1
      to.write(bytes)
    }

    const note = ({ bytes, type }: Frame) => {
      if (type === "P") {
        const name = textAt(bytes, 5)
        statements.set(name, textAt(bytes, 5 + Buffer.byteLength(name) + 1).trim())
      }
      if (type === "B") bound = statements.get(textAt(bytes, 5 + Buffer.byteLength(textAt(bytes, 5)) + 1)) ?? ""
      if (type === "S") unanswered += 1
      if (type === "E") roundTrips.at(-1)?.push(bound)
    }

    client.on("data", (chunk: Buffer) => {
      if (unanswered === 0) roundTrips.push([])
      for (const frame of asked(chunk)) {
        note(frame)
        if (garbled !== null && frame.bytes.includes(garbled[0])) {
          frame.bytes.write(garbled[1], frame.bytes.indexOf(garbled[0]))
        }
        carry("asked", server, frame)
      }
    })
    server.on("data", (chunk: Buffer) => {
      for (const frame of answered(chunk)) {
        if (frame.type === "Z") unanswered = Math.max(0, unanswered - 1)
        carry("answered", client, frame)
      }
    })
    server.on("error", end).on("close", end)
    client.on("error", end).on("close", end)
  }

  const listener = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer(join).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        made.close()
      })
  )
  const address = listener.address()
  url.port = String(typeof address === "object" && address !== null ? address.port : 0)
  url.hostname = "127.0.0.1"

  return {
    url: Redacted.make(url.href),
    listen: (next) => {
      cut = next
      passed = 0
      hasCut = false
      roundTrips = []
    },
    hasCut: () => hasCut,
    roundTrips: () => roundTrips.filter((statements) => statements.length > 0),
    garble: (words, instead) => {
      garbled = [words, instead]
    }
  } satisfies CuttingProxy
})
