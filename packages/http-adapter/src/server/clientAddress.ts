import { unknownAddress } from "@parley/domain"
import { Effect, Option, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { IpNetwork, NetAddress } from "effect/net"

/** One subscriber has a whole IPv6 network of 64 bits; an IPv4 address stands for itself. */
export const subscriberOf = (text: string): string => {
  const parsed = NetAddress.ipFromString(text)
  if (Result.isFailure(parsed)) return unknownAddress
  const address = NetAddress.toCanonical(parsed.success)
  return NetAddress.isIpv4Address(address)
    ? NetAddress.formatIp(address)
    : IpNetwork.format(IpNetwork.fromAddressUnsafe(address, 64))
}

/** The address that the request came from, as far as callers are told apart by it. */
export const addressOf = Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
  Option.match(request.remoteAddress, { onNone: () => unknownAddress, onSome: subscriberOf })
)

/** Some proxies write the port that the caller came from behind the address, and IPv6 in brackets then. */
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
 * The request with the caller's address in place of the last proxy's. Each of our proxies adds the address it was called
 * from at the end of `X-Forwarded-For`, so the caller stands as many places from the end as there are proxies.
 */
export const behindProxies = (hops: number) => (request: HttpServerRequest.HttpServerRequest) => {
  const address = forwardedAddress(hops, request.headers["x-forwarded-for"])
  return address === undefined ? request : request.modify({ remoteAddress: Option.some(address) })
}
