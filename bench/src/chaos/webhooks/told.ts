import type { ConnectedLine } from "../../chat/provider.ts"
import type { Drawing } from "../drawing.ts"
import type { Person } from "./people.ts"
import type { Outbound } from "./prepare.ts"

/** Places in lists: of the number, and of the person. */
interface Where {
  readonly line: number
  readonly seconds: number
}

export interface ToldMessage extends Where {
  readonly kind: "message"
  readonly person: number
  readonly id: string
  readonly text: string
  readonly isAdvertised: boolean
}

export interface ToldReceipt extends Where {
  readonly kind: "receipt"
  readonly id: string
  readonly reference: string | null
  readonly phone: string
  readonly status: "sent" | "delivered" | "read" | "failed"
  readonly code: number | null
  /** Place of the message of the receipt; `null` for an unknown message. */
  readonly outbound: number | null
}

export interface ToldPreference extends Where {
  readonly kind: "preference"
  readonly person: number
  readonly word: "stop" | "resume"
}

/** One report of the provider. */
export type Told = ToldMessage | ToldReceipt | ToldPreference

/** Possible states of an outgoing message. */
const fates: ReadonlyArray<ReadonlyArray<ToldReceipt["status"]>> = [
  ["sent"],
  ["sent", "delivered"],
  ["sent", "delivered", "read"],
  ["sent", "delivered", "read"],
  ["read"],
  ["failed"],
  ["sent", "failed"],
  ["failed", "delivered"]
]

/** The provider's codes for a person who cannot be reached, and for a person who wants no marketing. */
const failures = [131_026, 131_026, 131_050]

const texts = ["Is it still there?", "Where is my order?", "Schöne Grüße 👋", "Does it come in red?"]

/** All reports of the provider in order of occurrence. Within a conversation each has a different second. */
export const drawTold = (
  draws: Drawing,
  lines: ReadonlyArray<ConnectedLine>,
  people: ReadonlyArray<Person>,
  outbound: ReadonlyArray<Outbound>,
  count: number,
  begin: number
): ReadonlyArray<Told> => {
  const reports: Array<Told> = []
  const clocks = new Map<string, number>()
  const tick = (line: number, person: number) => {
    const key = `${line} ${person}`
    const seconds = clocks.get(key) ?? begin
    clocks.set(key, seconds + 1)
    return seconds
  }
  outbound.forEach(({ id, line, person, phone, providerId, status }, place) => {
    const code = draws.pick(failures)
    const reference = status === "in_doubt" || draws.chance(0.5) ? id : null
    for (const step of draws.pick(fates)) {
      reports.push({
        kind: "receipt",
        line,
        id: providerId,
        reference,
        phone,
        status: step,
        seconds: tick(line, person),
        code: step === "failed" ? code : null,
        outbound: place
      })
    }
  })
  while (reports.length < count) {
    const line = draws.between(0, lines.length - 1)
    const person = draws.between(0, people.length - 1)
    const number = reports.length
    const what = draws.between(1, 100)
    if (what <= 4) {
      const seconds = tick(line, person)
      reports.push({ kind: "preference", line, person, seconds, word: draws.pick(["stop", "resume"]) })
    } else if (what <= 6) {
      const status = draws.pick(["sent", "delivered", "read"] as const)
      const [id, phone, seconds] = [`wamid.stray.${number}`, "4915999999999", begin + (number % 3_600)]
      reports.push({ kind: "receipt", line, id, reference: null, phone, status, seconds, code: null, outbound: null })
    } else {
      reports.push({
        kind: "message",
        line,
        person,
        id: `wamid.in.${number}`,
        text: draws.chance(0.02) ? "STOP" : `${draws.pick(texts)} ${number}`,
        seconds: tick(line, person),
        isAdvertised: draws.chance(0.05)
      })
    }
  }
  return reports
}
