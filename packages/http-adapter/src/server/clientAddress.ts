import { unknownAddress } from "@parley/domain/platform"
import { Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"

/** Network of a subscriber: the 64-bit prefix of an IPv6 address, or the whole IPv4 address. */
export const subscriberOf = (text: string): string => {
  const parsed = NetAddress.ipFromString(text)
  if (Result.isFailure(parsed)) return unknownAddress
  const address = NetAddress.toCanonical(parsed.success)
  return NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))
}

/** Address that identifies the caller of a request. */
export const addressOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
  Option.match(request.remoteAddress, { onNone: () => unknownAddress, onSome: subscriberOf })
)

/** Whole address of the caller; `null` if it is unknown. */
export const wholeAddressOf = Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) =>
  Option.getOrNull(remoteAddress)
)

/** Address with the port of the caller, which some proxies append. IPv6 has brackets then. */
const withPort = /^(?:\[(?<ipv6>[^\]]+)\]|(?<ipv4>\d+(?:\.\d+){3}))(?::\d+)?$/u

const withoutPort = (entry: string): string => {
  const { ipv4, ipv6 } = withPort.exec(entry)?.groups ?? {}
  return ipv6 ?? ipv4 ?? entry
}

/** Client address from a header of trusted proxies; `undefined` for a request without one. */
export const forwardedAddress = (hops: number, header: string | undefined): string | undefined => {
  const address =
    hops === 0
      ? undefined
      : header
          ?.split(",")
          .map((part) => part.trim())
          .at(-hops)
  return address === undefined ? undefined : withoutPort(address)
}

/**
 * Replaces the address of the last proxy by the address of the caller. Each trusted proxy appends the address of its client to `X-Forwarded-For`.
 * Thus the position of the caller from the end equals the number of proxies.
 */
export const behindProxies = (hops: number) => (request: HttpServerRequest.HttpServerRequest) => {
  const address = forwardedAddress(hops, request.headers["x-forwarded-for"])
  return address === undefined ? request : request.modify({ remoteAddress: Option.some(address) })
}
