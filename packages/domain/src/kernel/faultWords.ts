import { Predicate } from "effect"

const messageOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault))

const causeOf = (fault: unknown): unknown => {
  if (!Predicate.isObject(fault)) return undefined
  if (Predicate.hasProperty(fault, "cause") && Predicate.isObject(fault.cause)) return fault.cause
  return Predicate.hasProperty(fault, "reason") && Predicate.isObject(fault.reason) ? fault.reason : undefined
}

/** What a fault says, with what the faults behind it say: that of the database is the last, and the one that helps. */
export const wordsOfFault = (fault: unknown): string => {
  const said: Array<string> = []
  let here: unknown = fault
  for (let depth = 0; depth < 8 && here !== undefined; depth += 1) {
    const words = messageOf(here)
    if (words !== "" && words !== "[object Object]" && !said.some((each) => each.includes(words))) said.push(words)
    here = causeOf(here)
  }
  return said.join(": ")
}
