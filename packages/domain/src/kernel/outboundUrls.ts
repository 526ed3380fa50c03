const maxUrlLength = 2_000

const ports: ReadonlySet<string> = new Set(["", "443", "8443"])

/** Parts of a URL: scheme, user info, host, port and the rest. */
const urlPattern = /^(https?):\/\/(?:([^/?#]*)@)?(\[[^\]/?#]*\]|[^:/?#[\]@]*)(?::([^/?#]*))?([/?][^#]*)?(#.*)?$/iu

/**
 * Host labels in DNS: letters, digits and hyphens. Rejects letters that equal one of these only when case is ignored, such as the long s. Parsers
 * would resolve a different name.
 */
const label = /^[a-zA-Z0-9_](?:[a-zA-Z0-9_-]{0,61}[a-zA-Z0-9_])?$/u

/** Visible characters that no parser changes. */
const visiblePattern = /^[\x21\x22\x24-\x5b\x5d-\x7e]*$/u

/** Parsers treat a host with a numeric last part, in any notation, as an IP address. */
const isNumber = (part: string) => /^(?:\d+|0x[\da-f]*)$/iu.test(part)

const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"])

const maxPort = 65_535

/** Returns whether the text is a port in decimal notation without leading zeros. */
export const isPort = (text: string): boolean => /^[1-9]\d{0,4}$/u.test(text) && Number(text) <= maxPort

/** Host of this service, and whether receivers can be on this machine. */
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

/** Returns the host of a URL; `null` for an invalid URL. */
export const hostOfUrl = (url: string): string | null => parseUrl(url)?.host.toLowerCase() ?? null

/** Returns whether a URL is on this machine. Such URLs are accepted only for development of receivers. */
export const isLoopbackUrl = (url: string): boolean => loopbackHosts.has(hostOfUrl(url) ?? "")

const example = "Expected an address such as https://example.com/parley"

const hostIssue = (host: string, ownHost: string | null): string | null => {
  const labels = host.split(".")
  if (host.startsWith("[") || isNumber(labels.at(-1) ?? "")) return "Expected a host name, not an IP address"
  if (labels.length < 2) return "Expected a host name with a dot"
  if (host.length > 253 || !labels.every((each) => label.test(each))) {
    return "Expected a host name of letters, digits and hyphens; other letters in the form xn--…"
  }
  return host.toLowerCase() === ownHost ? "Expected an address outside this service" : null
}

/**
 * Returns the problem in the text of a delivery URL; `null` if valid. Accepts only URLs that all parsers read identically. Addresses of the host
 * are checked at each write and each connection.
 */
export const urlIssue = (url: string, { loopback, ownHost }: UrlPolicy): string | null => {
  if (url.length > maxUrlLength) return `Expected at most ${maxUrlLength} characters`
  const parts = parseUrl(url)
  if (parts === null) return /^https:\/\//iu.test(url) ? example : "Expected an address that begins with https://"
  const { fragment, host, port, rest, scheme, user } = parts
  if (user !== undefined) return "Expected an address without a user and a password"
  if (fragment !== undefined) return "Expected an address without a fragment"
  if (!visiblePattern.test(rest)) return example
  if (loopback && loopbackHosts.has(host.toLowerCase()))
    return port === "" || isPort(port) ? null : "Expected a port from 1 to 65535"
  if (scheme !== "https") return "Expected an address that begins with https://"
  return hostIssue(host, ownHost) ?? (ports.has(port) ? null : "Expected the port 443 or 8443")
}
