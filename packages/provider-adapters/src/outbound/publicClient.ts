import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Agent, buildConnector } from "@effect/platform-node/Undici"
import { Duration, Effect } from "effect"
import { lookup as ofSystem, type LookupAddress, type LookupAllOptions, type LookupOptions } from "node:dns"
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net"

const blocks = (family: "ipv4" | "ipv6", ranges: ReadonlyArray<readonly [string, number]>) => {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** Special networks: local, private, provider-internal, multicast, example and reserved (RFC 6890). */
const specialIpv4 = blocks("ipv4", [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4]
])

/** Public IPv6 range. Addresses that wrap IPv4 are outside of it or special. */
const givenOutIpv6 = blocks("ipv6", [["2000::", 3]])

const specialIpv6 = blocks("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
])

/** Whether an address is public. False for an invalid address. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !specialIpv4.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  return givenOutIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6")
}

type Found = (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void

export type Lookup = (hostname: string, options: LookupAllOptions, found: Found) => void

type Connected = (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void

const notPublic = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} is not, or resolves to, an address outside the public Internet.`), {
    code: "EACCES",
    syscall: "connect"
  })

/** Resolves a name once, and the connection uses only these addresses. Rejects all if one is not public. */
export const publicOnly = (lookup: Lookup) => (hostname: string, options: LookupOptions, connected: Connected) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return connected(error, "")
    const [first] = addresses
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return connected(notPublic(hostname), "")
    }
    return options.all === true ? connected(null, [...addresses]) : connected(null, first.address, first.family)
  })
}

/** HTTP client that connects only to public addresses, checked at each connection. Default connect timeout: ten seconds. */
export const makePublicClient = (lookup: Lookup = ofSystem, connectTimeout: Duration.Duration = Duration.seconds(10)) =>
  Effect.gen(function* () {
    const connect = buildConnector({ lookup: publicOnly(lookup), timeout: Duration.toMillis(connectTimeout) })
    const dispatcher = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            connect: (options, connected) => {
              // An IP address needs no lookup.
              const host = options.hostname.replace(/^\[(.*)\]$/u, "$1")
              if (isIP(host) === 0 || isPublicAddress(host)) return connect(options, connected)
              return connected(notPublic(host), null)
            }
          })
      ),
      (dispatcher) => Effect.promise(() => dispatcher.destroy())
    )
    return yield* Effect.provideService(NodeHttpClient.makeUndici, NodeHttpClient.Dispatcher, dispatcher)
  })
