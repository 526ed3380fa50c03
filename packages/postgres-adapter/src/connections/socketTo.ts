import { connect, type Socket } from "node:net"
import { Duration } from "effect"
import { corkedSocket } from "../kernel/corkedSocket.ts"

/** Connects to the server of this URL through a socket that can be cut in any driver state. Writes are sent together where possible. */
export const socketTo = (url: string, keepAlive: Duration.Input): (() => Socket) => {
  const together = corkedSocket(url, keepAlive)
  if (together !== undefined) return together
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
