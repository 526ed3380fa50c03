import { type LookupAddress, Resolver } from "node:dns"
import { isIP } from "node:net"
import type { Lookup } from "../outbound/makePublicClient.ts"

const patience = { timeout: 1_000, tries: 2 }

/**
 * Asks the name servers themselves, without the few threads that the system's own lookups share: a name that is slow to resolve
 * must not hold up others. Those of this machine are asked, unless others are said.
 */
export const makeResolvedLookup = (servers?: ReadonlyArray<string>): Lookup => {
  const resolver = new Resolver(patience)
  if (servers !== undefined) resolver.setServers(servers)
  return (hostname, _options, found) => {
    const family = isIP(hostname)
    if (family !== 0) return found(null, [{ address: hostname, family }])
    const addresses: Array<LookupAddress> = []
    const errors: Array<NodeJS.ErrnoException> = []
    let asked = 2
    const answered =
      (answeredFamily: 4 | 6) => (error: NodeJS.ErrnoException | null, some: ReadonlyArray<string> | undefined) => {
        if (error !== null) errors.push(error)
        for (const address of some ?? []) addresses.push({ address, family: answeredFamily })
        asked -= 1
        if (asked > 0) return
        // Whichever answers first, those of one family come first.
        addresses.sort((one, other) => one.family - other.family)
        found(addresses.length > 0 ? null : (errors[0] ?? null), addresses)
      }
    resolver.resolve4(hostname, answered(4))
    resolver.resolve6(hostname, answered(6))
  }
}
