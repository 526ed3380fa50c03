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

/** Nobody's id, which hostile tests write everywhere: also where a secret belongs, and where it is logged. */
const nobody = "00000000-0000-0000-0000-000000000000"

const secrets = new Map<string, string>()
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
  if (secret.length >= window && secret !== nobody) secrets.set(lastOf(secret), secret)
}

/** Forgets what the tests of other files have left, where they ran in the same process. */
export const forgetOtherFiles = (): void => {
  secrets.clear()
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
  for (let start = 0; start + window <= text.length; start++) {
    const part = text.slice(start, start + window)
    if (secrets.has(part)) found.add(`…${part}`)
  }
  return Array.from(found)
}

/** How many different secrets there were. */
export const secretCount = () => secrets.size

/** Writes the log down instead of printing it. */
export const layerLogger = Logger.layer([
  Logger.map(Logger.formatJson, (line) => {
    logs.push(line)
  })
])
