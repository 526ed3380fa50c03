import { Duration } from "effect"
import { connect, type Socket } from "node:net"
import type { Duplex } from "node:stream"

/** Corks the socket, so all writes of one turn of the event loop are sent together. */
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
 * Connects to the server of this URL and sends the statements of many requests in one write. Separate writes would take much of a busy
 * process's time.
 * `undefined` if the driver must connect itself: over TLS, which bypasses the socket, and over file system sockets.
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

/** Connects to the server of this URL through a socket that can be cut in any driver state. Writes are sent together where possible. */
export const socketTo = (url: string, keepAlive: Duration.Input): (() => Socket) => {
  const corked = corkedSocket(url, keepAlive)
  if (corked !== undefined) return corked
  const { hostname, port, searchParams } = new URL(url)
  const host = decodeURIComponent(searchParams.get("host") ?? hostname).replaceAll(/^\[|\]$/gu, "")
  const at = Number(searchParams.get("port") ?? (port === "" ? 5432 : port))
  return host.startsWith("/")
    ? () => connect({ path: `${host}/.s.PGSQL.${at}` })
    : () =>
        connect({
          host: host === "" ? "localhost" : host,
          port: at,
          noDelay: true,
          keepAlive: true,
          keepAliveInitialDelay: Duration.toMillis(keepAlive)
        })
}
