import { Logger } from "effect"

const window = 16

const lastOf = (secret: string) => secret.slice(-window)

const secretFields = new Set([
  "accessToken",
  "appSecret",
  "refreshToken",
  "token",
  "sessionToken",
  "code",
  "password",
  "currentPassword",
  "newPassword",
  "verifyToken"
])

/** An unknown id that hostile tests write everywhere, including fields for secrets and logged fields. */
const nobody = "00000000-0000-0000-0000-000000000000"

const secrets = new Map<string, string>()

const placesOfEnds = 2 ** 20

/** The last characters of all secrets. They exclude almost every other position of a text from the search. */
const ends = new Uint8Array(placesOfEnds)

/** Where the four characters before the place stand among the ends. */
const placeOfEnd = (text: string, place: number) =>
  (Math.imul(text.charCodeAt(place - 4), 0x1b873593) ^
    Math.imul(text.charCodeAt(place - 3), 0x85ebca6b) ^
    Math.imul(text.charCodeAt(place - 2), 0xc2b2ae35) ^
    Math.imul(text.charCodeAt(place - 1), 0x27d4eb2f)) >>>
  12
const logs: Array<string> = []
const problems: Array<string> = []
const open: Array<string> = []

/** Deeper down a code says why something was refused. */
const isReason = (name: string, depth: number) => name === "code" && depth > 0

const collect = (value: unknown, depth = 0): void => {
  if (typeof value !== "object" || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === "string" && secretFields.has(name) && !isReason(name, depth)) noteSecret(inner)
    collect(inner, depth + 1)
  }
}

/** Remembers a text that must never show up where people and programs read. */
export const noteSecret = (secret: string): void => {
  if (secret.length < window || secret === nobody) return
  secrets.set(lastOf(secret), secret)
  ends[placeOfEnd(secret, secret.length)] = 1
}

/** Forgets what the tests of other files have left, where they ran in the same process. */
export const forgetOtherFiles = (): void => {
  secrets.clear()
  ends.fill(0)
  for (const texts of [logs, problems, open]) texts.length = 0
}

/** Remembers what went over the wire: the secrets in it, and the texts that must hold none. */
export const noteExchange = (path: string, sent: unknown, status: number, text: string, body: unknown): void => {
  if (status >= 400) {
    problems.push(text)
    return
  }
  collect(sent)
  if (path.startsWith("/api/")) collect(body)
  if (/^\/api\/v1\/(audit_events|events)/.test(path)) open.push(text)
}

/** The texts that must hold no secret: everything logged, every problem, every audit event and event that was read. */
export const readable = () => ({ logs, problems, open })

/** The secrets that show up in the text, named by their ends only. */
export const secretsIn = (text: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (let end = window; end <= text.length; end++) {
    if (ends[placeOfEnd(text, end)] === 0) continue
    const part = text.slice(end - window, end)
    if (secrets.has(part)) found.add(`…${part}`)
  }
  return Array.from(found)
}

/** Number of different secrets. */
export const secretCount = () => secrets.size

/** Writes the log down instead of printing it. */
export const layerLogger = Logger.layer([
  Logger.map(Logger.formatJson, (line) => {
    logs.push(line)
  })
])
