import { Resolver } from "node:dns"
import { isIP } from "node:net"
import type { Lookup } from "../outbound/makePublicClient.ts"

const patience = { timeout: 1_000, tries: 2 }

/**
 * Asks the name servers themselves, without the few threads that the system's own lookups share: a name that is slow to resolve
 * must not hold up others.
 */
export const makeResolvedLookup = (): Lookup => {
  const resolver = new Resolver(patience)
  return (hostname, _options, found) => {
    const family = isIP(hostname)
    if (family !== 0) return found(null, [{ address: hostname, family }])
    resolver.resolve4(hostname, (noIpv4, ipv4 = []) => {
      resolver.resolve6(hostname, (noIpv6, ipv6 = []) => {
        const addresses = [
          ...ipv4.map((address) => ({ address, family: 4 })),
          ...ipv6.map((address) => ({ address, family: 6 }))
        ]
        found(addresses.length > 0 ? null : (noIpv4 ?? noIpv6), addresses)
      })
    })
  }
}
