const maxUrlLength = 2_000

const ports: ReadonlySet<string> = new Set(["", "443", "8443"])

/** The parts of an address: what begins it, who is named before the host, the host, the port, and the rest. */
const urlPattern = /^(https?):\/\/(?:([^/?#]*)@)?(\[[^\]/?#]*\]|[^:/?#[\]@]*)(?::([^/?#]*))?([/?][^#]*)?(#.*)?$/iu

/**
 * Names as they are looked up: letters, digits and hyphens. What else a parser may make of a host is not let through: letters that are
 * one of these only where case is ignored, as the long s, have another name in front of those who parse.
 */
const label = /^[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?$/u

/** Visible characters that every parser leaves as they are. */
const visiblePattern = /^[\x21\x22\x24-\x5b\x5d-\x7e]*$/u

/** Parsers take a host whose last part is a number, in whatever notation, for an address. */
const isNumber = (part: string) => /^(?:\d+|0x[\da-f]*)$/iu.test(part)

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

/** How the service itself is reached, and whether receivers may be on this machine. */
export interface UrlPolicy {
  readonly ownHost: string | null
  readonly loopback: boolean
}

interface UrlParts {
  readonly scheme: string
  readonly user: string | undefined
  readonly host: string
  readonly port: string
  readonly rest: string
  readonly fragment: string | undefined
}

const parseUrl = (url: string): UrlParts | null => {
  const found = urlPattern.exec(url)
  if (found === null) return null
  const [, scheme = "", user, host = "", port = "", rest = "", fragment] = found
  return { scheme: scheme.toLowerCase(), user, host, port, rest, fragment }
}

/** The host that an address names; `null` if it is none. */
export const hostOfUrl = (url: string): string | null => parseUrl(url)?.host.toLowerCase() ?? null

/** Whether an address is on this machine. Such ones are let through only where somebody develops a receiver. */
export const isLoopbackUrl = (url: string): boolean => loopbackHosts.has(hostOfUrl(url) ?? "")

const example = "Expected an address such as https://example.com/parley"

const hostIssue = (host: string, ownHost: string | null): string | null => {
  const labels = host.split(".")
  if (host.startsWith("[") || isNumber(labels.at(-1) ?? "")) return "Expected the name of a host, not its address"
  if (labels.length < 2) return "Expected the name of a host with a dot in it"
  if (host.length > 253 || !labels.every((each) => label.test(each))) {
    return "Expected the name of a host in letters, digits and hyphens; one of other letters as it is looked up, xn--…"
  }
  return host.toLowerCase() === ownHost ? "Expected an address that is not of this service" : null
}

/**
 * What is wrong with an address that deliveries are to be posted to, as far as it can be read from its spelling; `null` if nothing
 * is. It lets through only what all parsers read alike. Which addresses its host has is asked when it is written, and again by
 * every connection.
 */
export const urlIssue = (url: string, { loopback, ownHost }: UrlPolicy): string | null => {
  if (url.length > maxUrlLength) return `Expected at most ${maxUrlLength} characters`
  const parts = parseUrl(url)
  if (parts === null) return /^https:\/\//iu.test(url) ? example : "Expected an address that begins with https://"
  const { fragment, host, port, rest, scheme, user } = parts
  if (user !== undefined) return "Expected an address without a user and a password in it"
  if (fragment !== undefined) return "Expected an address without a fragment"
  if (!visiblePattern.test(rest)) return example
  if (loopback && loopbackHosts.has(host.toLowerCase())) return /^(?:\d{1,5})?$/u.test(port) ? null : example
  if (scheme !== "https") return "Expected an address that begins with https://"
  return hostIssue(host, ownHost) ?? (ports.has(port) ? null : "Expected the port 443 or 8443")
}
