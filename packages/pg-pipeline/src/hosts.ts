import { Option, Redacted } from "effect"

/** One of the servers in an address. */
export interface Host {
  /** URL of this server alone. */
  readonly url: Redacted.Redacted
  /** Display form of the location. */
  readonly place: string
}

/** Servers of an address in the order of attempts, and whether a read-only one is acceptable. */
export interface Hosts {
  readonly all: readonly [Host, ...ReadonlyArray<Host>]
  readonly mayOnlyRead: boolean
}

const form =
  /^(?<scheme>postgres(?:ql)?:\/\/)(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/u

const wanted: ReadonlyMap<string, boolean> = new Map([
  ["any", true],
  ["read-write", false],
  ["primary", false]
])

/** The servers between the user and the path, or from the parameters, which libpq also accepts. */
const pairs = (authority: string, hosts: string | null, ports: string | null) => {
  if (hosts === null) return authority.split(",")
  const each = (ports ?? "").split(",")
  return hosts.split(",").map((host, index) => {
    const port = (each.length === 1 ? each[0] : each[index]) ?? ""
    const inUrl = host.startsWith("/") ? encodeURIComponent(host) : host.includes(":") ? `[${host}]` : host
    return port === "" ? inUrl : `${inUrl}:${port}`
  })
}

/** Parses the address of a database as libpq does: `postgres://user@one:5432,two:5432/name?target_session_attrs=read-write`. */
export const readHosts = (address: string): Option.Option<Hosts> => {
  const parts = form.exec(address)?.groups
  if (parts === undefined) return Option.none()
  const query = new URLSearchParams(parts.query ?? "")
  const mayOnlyRead = wanted.get(query.get("target_session_attrs") ?? "read-write")
  if (mayOnlyRead === undefined) return Option.none()
  const named = pairs(parts.hosts ?? "", query.get("host"), query.get("port"))
  for (const name of ["host", "port", "target_session_attrs"]) query.delete(name)
  const rest = query.size === 0 ? "" : `?${query}`
  const user = parts.user === undefined ? "" : `${parts.user}@`
  const all = named.map((place): Host => {
    const shown = place === "" ? "localhost" : decodeURIComponent(place)
    return { url: Redacted.make(`${parts.scheme}${user}${place}${parts.path ?? ""}${rest}`), place: shown }
  })
  const [first, ...others] = all
  const isWhole =
    all.every(({ url }) => URL.canParse(Redacted.value(url))) && (named.length === 1 || !named.includes(""))
  return first !== undefined && isWhole ? Option.some({ all: [first, ...others], mayOnlyRead }) : Option.none()
}

/** The address with this password; none if it already has one. */
export const completePassword = (address: string, password: string): Option.Option<string> => {
  const { hosts = "", path = "", query, scheme = "", user = "" } = form.exec(address)?.groups ?? {}
  const parameters = query === undefined ? "" : `?${query}`
  if (user.includes(":") || new URLSearchParams(query ?? "").has("password")) return Option.none()
  return Option.some(`${scheme}${user}:${encodeURIComponent(password)}@${hosts}${path}${parameters}`)
}
