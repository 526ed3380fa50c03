import { NodeHttpClient } from "@effect/platform-node"
import { Agent, buildConnector } from "@effect/platform-node/Undici"
import { Duration, Effect } from "effect"
import { lookup as ofSystem, type LookupAddress, type LookupAllOptions, type LookupOptions } from "node:dns"
import { isIP } from "node:net"
import { isPublicAddress } from "./isPublicAddress.ts"

type Found = (error: NodeJS.ErrnoException | null, addresses: ReadonlyArray<LookupAddress>) => void

/** Says which addresses a name has. */
export type Lookup = (hostname: string, options: LookupAllOptions, found: Found) => void

type Connected = (error: NodeJS.ErrnoException | null, address: string | Array<LookupAddress>, family?: number) => void

const notPublic = (hostname: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`${hostname} is not an address of the public Internet, or has one that is not.`), {
    code: "EACCES",
    syscall: "connect"
  })

/** Asks once for the addresses of a name; whoever connects gets these and no others. One that is not public condemns them all. */
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

/**
 * An HTTP client that connects to addresses of the public Internet only, whatever a name resolves to and whenever. It waits ten seconds for
 * a connection unless something else is said.
 */
export const makePublicClient = (lookup: Lookup = ofSystem, connectTimeout: Duration.Duration = Duration.seconds(10)) =>
  Effect.gen(function* () {
    const connect = buildConnector({ lookup: publicOnly(lookup), timeout: Duration.toMillis(connectTimeout) })
    const dispatcher = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Agent({
            connect: (options, connected) => {
              // No name is looked up where there is none.
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
