import { Effect, Redacted } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** A network between a client and a server that fails on demand. */
export interface FaultProxy {
  /** The address of the database, through the proxy. */
  readonly url: Redacted.Redacted
  /** Holds all data in both directions. The connections stay open. */
  readonly hold: () => void
  /** Passes all data again, including held data. */
  readonly pass: () => void
  /** Closes all connections, and new ones immediately. */
  readonly refuse: () => void
  /** Rejects each new connection with this message in PostgreSQL's protocol, and ends the open ones. */
  readonly reject: (sqlState: string, message: string) => void
  /** Closes the open connections. */
  readonly cut: () => void
  /** Ends the connection in the packet of the answer to this text, like an operator who ends a session. */
  readonly endAfterAnswerTo: (words: string) => void
  /** Drops all answers after a client sends this text. With `cutsOff`, the first answer closes the connection. */
  readonly loseAnswerTo: (words: string, cutsOff: boolean) => void
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  readonly held: Array<() => void>
}

/** Frame that a server sends to end a session. */
const farewell = (sqlState: string, message: string) => {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
  const head = Buffer.alloc(5, "E")
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/** Starts a proxy to the server of this address. */
export const faultProxy = Effect.fnUntraced(function* (target: Redacted.Redacted) {
  const url = new URL(Redacted.value(target))
  const place = { host: url.hostname, port: Number(url.port) }
  const pairs = new Set<Pair>()
  let state: "pass" | "hold" | "refuse" = "pass"
  let rejection: Buffer | null = null
  let lastWords: string | null = null
  let lost: { readonly words: string; readonly cutsOff: boolean } | null = null

  const cut = () => {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
  }

  const join = (client: Socket) => {
    if (state === "refuse") return client.destroy()
    if (rejection !== null) {
      const answer = rejection
      return client.on("error", () => {}).once("data", () => client.end(answer))
    }
    const server = connect(place)
    const pair: Pair = { client, server, held: [] }
    let isDeaf = false
    let isEnding = false
    pairs.add(pair)
    const carry = (to: Socket, chunk: Buffer | string) => {
      const send = () => {
        if (!to.destroyed) to.write(chunk)
      }
      if (state === "hold") pair.held.push(send)
      else send()
    }
    client.on("data", (chunk) => {
      if (lost !== null && chunk.includes(lost.words)) {
        isDeaf = true
        if (lost.cutsOff) server.once("data", () => client.destroy())
        lost = null
      }
      if (lastWords !== null && chunk.includes(lastWords)) {
        isEnding = true
        lastWords = null
      }
      carry(server, chunk)
    })
    server.on("data", (chunk: Buffer) => {
      if (isEnding) {
        client.end(Buffer.concat([chunk, farewell("57P01", "terminating connection due to administrator command")]))
        server.destroy()
      } else if (!isDeaf) carry(client, chunk)
    })
    const end = () => {
      pairs.delete(pair)
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) socket.on("error", end).on("close", end)
    return undefined
  }

  const listener = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const made = createServer(join).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) =>
      Effect.sync(() => {
        cut()
        made.close()
      })
  )
  const address = listener.address()
  url.port = String(typeof address === "object" && address !== null ? address.port : 0)
  url.hostname = "127.0.0.1"

  return {
    url: Redacted.make(url.href),
    hold: () => {
      state = "hold"
    },
    reject: (sqlState, message) => {
      rejection = farewell(sqlState, message)
      cut()
    },
    endAfterAnswerTo: (words) => {
      lastWords = words
    },
    pass: () => {
      state = "pass"
      rejection = null
      for (const { held } of pairs) for (const send of held.splice(0)) send()
    },
    refuse: () => {
      state = "refuse"
      cut()
    },
    cut,
    loseAnswerTo: (words, cutsOff) => {
      lost = { words, cutsOff }
    }
  } satisfies FaultProxy
})
