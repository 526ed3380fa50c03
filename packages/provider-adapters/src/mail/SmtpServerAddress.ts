import { Redacted } from "effect"

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

/** Where mail is handed over, and how: read from an address such as `smtps://user:password@mail.example:465`. */
export interface SmtpServerAddress {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise the connection begins in the clear and changes over before anything is said. */
  readonly secure: boolean
  /** Only what does not leave this machine may go without TLS. */
  readonly requireTLS: boolean
  readonly auth: { readonly user: string; readonly pass: Redacted.Redacted } | null
}

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

const authOf = ({ password, username }: URL) => {
  const [user, pass] = [decoded(username), decoded(password)]
  return user === null || pass === null ? null : { user, pass: Redacted.make(pass) }
}

/** Reads the address; `null` when it is none. Parameters would be settings by a side door, so there are none. */
export const smtpServerAddress = (url: Redacted.Redacted): SmtpServerAddress | null => {
  const text = Redacted.value(url)
  if (!/^smtps?:\/\/./u.test(text) || !URL.canParse(text)) return null
  const parsed = new URL(text)
  const { hash, hostname, password, pathname, port, protocol, search, username } = parsed
  if (hostname === "" || search !== "" || hash !== "" || !["", "/"].includes(pathname)) return null
  const auth = username === "" ? null : authOf(parsed)
  if ((username !== "" || password !== "") && auth === null) return null
  const secure = protocol === "smtps:"
  return {
    host: hostname.replace(/^\[|\]$/gu, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !loopback.has(hostname),
    auth
  }
}
