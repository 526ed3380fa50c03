import { connect, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Duration } from "effect"

/** Corks the socket, so that all writes of one turn of the event loop are sent together. */
const corkWrites = (socket: Socket): Socket => {
  const write = socket.write.bind(socket)
  return Object.assign(socket, {
    write: (...what: Parameters<Duplex["write"]>) => {
      if (socket.writableCorked === 0) {
        socket.cork()
        setImmediate(() => socket.uncork())
      }
      return write(...what)
    }
  })
}

/**
 * Connects to the server of this URL so that the statements of many requests leave in one write, instead of one each: that
 * is where much of a busy process's time would go. `undefined` where the driver has to connect by itself: over TLS, which
 * writes past the socket, and over sockets of the file system.
 */
export const corkedSocket = (url: string, keepAlive: Duration.Input): (() => Socket) | undefined => {
  if (!URL.canParse(url)) return undefined
  const { hostname, port, searchParams } = new URL(url)
  const host = searchParams.get("host") ?? hostname.replaceAll(/^\[|\]$/gu, "")
  const isPlain = (searchParams.get("sslmode") ?? "disable") === "disable"
  const isAddress = !host.startsWith("/") && !host.includes("%")
  if (!isPlain || !isAddress) return undefined
  const place = {
    host: host === "" ? "localhost" : host,
    port: Number(searchParams.get("port") ?? (port === "" ? 5432 : port)),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: Duration.toMillis(keepAlive)
  }
  return () => corkWrites(connect(place))
}
