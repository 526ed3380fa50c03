import type { Fault } from "../../kernel/index.ts"

/** How many headers a subscription may have besides. */
export const mostHeaders = 10

/** What the request says itself, what says how long it is, and what is between two machines only. */
const reserved: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

const reservedBeginnings = ["content-", "webhook-", "parley-", "proxy-"] as const

const isReserved = (name: string) =>
  reserved.has(name) || reservedBeginnings.some((beginning) => name.startsWith(beginning))

/** JSON pointers write two characters in another way. */
const step = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1")

/** What is wrong with the names of headers that are to be sent besides. */
export const faultsOfHeaders = (names: ReadonlyArray<string>): ReadonlyArray<Fault> => {
  const seen = new Set<string>()
  const faults: Array<Fault> = []
  if (names.length > mostHeaders)
    faults.push({ pointer: "/headers", message: `Expected at most ${mostHeaders} headers` })
  for (const written of names) {
    const name = written.toLowerCase()
    const pointer = `/headers/${step(written)}`
    if (isReserved(name)) faults.push({ pointer, message: "This header cannot be chosen" })
    if (seen.has(name)) faults.push({ pointer, message: "Expected each header once" })
    seen.add(name)
  }
  return faults
}
