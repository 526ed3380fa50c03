import { Effect, Redacted } from "effect"
import { connect, createServer, type Socket } from "node:net"

/** What the network does with what is sent through it. */
export interface FaultProxy {
  /** The address of the database, through the proxy. */
  readonly url: Redacted.Redacted
  /** Nothing arrives any more, in either direction, and nobody is told. */
  readonly hold: () => void
  /** Everything arrives again, also what was held. */
  readonly pass: () => void
  /** Whoever connects is cut off at once, and whoever is connected now. */
  readonly refuse: () => void
  /** Ends the connections there are. */
  readonly cut: () => void
  /** From the moment on in which a client sends these words, its answers are lost; if `cutsOff`, the connection with them. */
  readonly loseAnswerTo: (words: string, cutsOff: boolean) => void
}

interface Pair {
  readonly client: Socket
  readonly server: Socket
  readonly held: Array<() => void>
}

/** A network that breaks as a test says, between a client and the server of this address. */
export const faultProxy = Effect.fnUntraced(function* (target: Redacted.Redacted) {
  const url = new URL(Redacted.value(target))
  const place = { host: url.hostname, port: Number(url.port) }
  const pairs = new Set<Pair>()
  let state: "pass" | "hold" | "refuse" = "pass"
  let lost: { readonly words: string; readonly cutsOff: boolean } | null = null

  const cut = () => {
    for (const { client, server } of pairs) {
      client.destroy()
      server.destroy()
    }
  }

  const join = (client: Socket) => {
    if (state === "refuse") return client.destroy()
    const server = connect(place)
    const pair: Pair = { client, server, held: [] }
    let isDeaf = false
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
      carry(server, chunk)
    })
    server.on("data", (chunk) => {
      if (!isDeaf) carry(client, chunk)
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
    pass: () => {
      state = "pass"
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
