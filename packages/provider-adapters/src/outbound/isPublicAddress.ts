import { BlockList, isIPv4, isIPv6 } from "node:net"

const blocks = (family: "ipv4" | "ipv6", ranges: ReadonlyArray<readonly [string, number]>) => {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** Networks of this machine, of this site, of providers' insides, for groups, for examples, and for nobody (RFC 6890). */
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

/** What is given out to the public. Addresses that only wrap one of IPv4 are all elsewhere, or special. */
const givenOutIpv6 = blocks("ipv6", [["2000::", 3]])

const specialIpv6 = blocks("ipv6", [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
])

/** Whether an address is one of the public Internet. What is no plain address is not. */
export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !specialIpv4.check(address, "ipv4")
  if (!isIPv6(address) || address.includes("%")) return false
  return givenOutIpv6.check(address, "ipv6") && !specialIpv6.check(address, "ipv6")
}
