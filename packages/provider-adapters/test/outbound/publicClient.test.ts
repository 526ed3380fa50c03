import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { HttpClientRequest } from "effect/http"
import type { LookupAddress, LookupOptions } from "node:dns"
import { isIPv6 } from "node:net"
import { isPublicAddress, type Lookup, makePublicClient, publicOnly } from "../../src/outbound/publicClient.ts"
import { answering, listening } from "../chat/sockets.ts"

const special = [
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "10.0.0.1",
  "100.64.0.1",
  "100.127.255.255",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "255.255.255.255"
]

const partsOf = (address: string) => address.split(".").map(Number)

const hexOf = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = partsOf(address)
  return [(a << 8) | b, (c << 8) | d].map((pair) => pair.toString(16)).join(":")
}

/** One address of IPv4 in addresses of IPv6 that lead to it: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP. */
const wrapped = (address: string) => {
  const hex = hexOf(address)
  return [
    `::ffff:${address}`,
    `::ffff:${hex}`,
    `::${address}`,
    `::ffff:0:${hex}`,
    `64:ff9b::${hex}`,
    `64:ff9b:1::${hex}`,
    `2002:${hex}::1`,
    `2001:0:${hex}::1`,
    `fe80::5efe:${hex}`
  ]
}

const specialIpv6 = [
  "::",
  "::1",
  "fe80::1",
  "fc00::1",
  "fd00:ec2::254",
  "fec0::1",
  "ff02::1",
  "2001:db8::1",
  "3fff::1",
  "100::1"
]

/** The same address in several URL spellings. */
const spellings = (address: string) => {
  const [a = 0, b = 0, c = 0, d = 0] = partsOf(address)
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  return [
    address,
    `${address}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((part) => `0${part.toString(8)}`).join("."),
    [a, b, c, d].map((part) => `0x${part.toString(16)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    address.replaceAll(".", "。"),
    Array.from(address, (letter) => (letter === "." ? letter : String.fromCodePoint(0xff10 + Number(letter)))).join(""),
    encodeURIComponent(address).replaceAll(/\d/gu, (digit) => `%3${digit}`)
  ]
}

const bracketed = (address: string) => (isIPv6(address) ? `[${address}]` : address)

const family = (address: string): LookupAddress => ({ address, family: isIPv6(address) ? 6 : 4 })

const answer =
  (...addresses: ReadonlyArray<string>): Lookup =>
  (_, __, found) =>
    found(null, addresses.map(family))

const why = (url: string, lookup: Lookup) =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* makePublicClient(lookup)
      const error = yield* Effect.flip(client.execute(HttpClientRequest.get(url)))
      return error.reason._tag === "TransportError" && Predicate.hasProperty(error.reason.cause, "code")
        ? error.reason.cause.code
        : error.reason._tag
    })
  )

describe("an address", () => {
  it("is public where it is given out to the public", () => {
    for (const address of ["1.1.1.1", "31.13.84.51", "172.15.0.1", "172.32.0.1", "2606:4700::1111", "2a03:2880::1"]) {
      assert.isTrue(isPublicAddress(address), address)
    }
  })

  it("is not public where it is special, wraps another one, or is none", () => {
    const public4 = "1.1.1.1"
    const others = ["", "localhost", "fe80::1%eth0", "2606:4700::1111%1", "1.1.1", "1.1.1.1:80"]
    for (const address of [...special, ...specialIpv6, ...[...special, public4].flatMap(wrapped), ...others]) {
      assert.isFalse(isPublicAddress(address), address)
    }
  })
})

describe("a client for the public Internet", () => {
  it.live("connects to no other address, however it is spelled or wrapped", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "secret"))
      const { port } = new URL(canary.url)
      const hosts = [
        ...special.flatMap(spellings),
        ...special.flatMap(wrapped).map(bracketed),
        ...specialIpv6.map(bracketed)
      ]
      const urls = hosts.map((host) => `http://${host}:${port}/`).filter((url) => URL.canParse(url))
      assert.isAtLeast(urls.length, 350)
      for (const url of urls) assert.strictEqual(yield* why(url, answer("127.0.0.1")), "EACCES", url)
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.live("connects to no name that has such an address, be it one among public ones", () =>
    Effect.gen(function* () {
      const canary = yield* listening(answering(200, "secret"))
      const { port } = new URL(canary.url)
      for (const address of [...special, ...specialIpv6, ...wrapped("127.0.0.1")]) {
        for (const lookup of [answer(address), answer("1.1.1.1", address), answer(address, "2606:4700::1111")]) {
          for (const name of ["lookaside.fbsbx.com", "localhost.", "xn--fsbx-upa.test"]) {
            assert.strictEqual(yield* why(`http://${name}:${port}/`, lookup), "EACCES", `${name} at ${address}`)
          }
        }
      }
      assert.strictEqual(yield* why(`http://lookaside.fbsbx.com:${port}/`, answer()), "EACCES")
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it("asks for the addresses of a name once, and holds on to them", () => {
    const answers = [["1.1.1.1", "2606:4700::1111"], ["127.0.0.1"]]
    let asked = 0
    const rebinding: Lookup = (_, __, found) => found(null, (answers[asked++] ?? []).map(family))
    const given = (lookup: Lookup, options: LookupOptions) => {
      const seen: Array<unknown> = []
      publicOnly(lookup)("files.test", options, (error, ...rest) => seen.push(error?.code ?? null, ...rest))
      return seen
    }
    assert.deepStrictEqual(given(rebinding, { all: true }), [null, answers[0]?.map(family)])
    assert.strictEqual(asked, 1)
    assert.deepStrictEqual(given(rebinding, { all: true }), ["EACCES", ""])
    assert.deepStrictEqual(given(answer("1.1.1.1", "1.0.0.1"), {}), [null, "1.1.1.1", 4])
    const unknown: Lookup = (_, __, found) => found(Object.assign(new Error("Nobody"), { code: "ENOTFOUND" }), [])
    assert.deepStrictEqual(given(unknown, { all: true }), ["ENOTFOUND", ""])
  })
})
