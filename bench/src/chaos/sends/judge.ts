import { check, type Check } from "../verdict.ts"
import type { ProviderLog } from "./control.ts"
import { isCertainlyRefused } from "./script.ts"

/** A stored outgoing message. */
export interface Kept {
  readonly id: string
  readonly conversationId: string
  readonly text: string
  readonly status: string
  readonly providerId: string | null
}

/** How often a message is tried that was certainly refused. */
const mostCalls = 5

/** Minimum delay of the service before a retry. */
const leastPause = 900

const grouped = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string) => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(keyOf(one))
    if (group === undefined) groups.set(keyOf(one), [one])
    else group.push(one)
  }
  return groups
}

const numberOf = (text: string) => Number(text.split(" ").at(-1))

/** Compares the provider's log with the records of the service: the provider's log is right. */
export const judge = (
  log: ProviderLog,
  kept: ReadonlyArray<Kept>,
  taken: ReadonlyMap<string, string>
): ReadonlyArray<Check> => {
  const callsOf = grouped(log.calls, ({ reference }) => reference ?? "nobody's")
  const acceptedOf = grouped(log.accepted, ({ reference }) => reference ?? "nobody's")
  const byId = new Map(kept.map((message) => [message.id, message]))
  const byText = grouped(kept, ({ text }) => text)
  const shown = (id: string) => (callsOf.get(id) ?? []).map(({ scripted }) => scripted?.kind ?? "none").join(", ")

  const endOf = ({ id, providerId, status }: Kept) => {
    const [accepted] = acceptedOf.get(id) ?? []
    const last = callsOf.get(id)?.at(-1)?.scripted?.kind
    const ends = () => {
      if (accepted === undefined) return ["failed", "in_doubt"]
      if (last === "fail_receipt") return ["failed"]
      // Only the answer reports it, and the answer can be lost.
      return last === "no_receipts" ? ["sent", "in_doubt"] : ["read"]
    }
    if (!ends().includes(status)) return `${id} is ${status}, not ${ends().join(" or ")}, after ${shown(id)}`
    if (accepted !== undefined && status !== "in_doubt" && providerId !== accepted.id) {
      return `${id} is known as ${providerId}, and was accepted as ${accepted.id}`
    }
    return null
  }

  const orderOf = ([conversationId, messages]: readonly [string, ReadonlyArray<Kept>]) => {
    const order = messages
      .flatMap(({ id, text }) => (acceptedOf.get(id) ?? []).map(({ at }) => ({ at, number: numberOf(text) })))
      .toSorted((one, other) => one.number - other.number)
    const isInOrder = order.every(({ at }, place) => at >= (order[place - 1]?.at ?? 0))
    return isInOrder ? null : `${conversationId}: ${order.map(({ at, number }) => `${number} at ${at}`).join(", ")}`
  }

  return [
    check("no message is accepted twice", acceptedOf, ([id, accepted]) =>
      accepted.length === 1 ? null : `${id} was accepted ${accepted.length} times, after ${shown(id)}`
    ),
    check("each accepted message has an author", acceptedOf.keys(), (id) =>
      byId.has(id) ? null : `${id} was accepted`
    ),
    check("only what was certainly refused is tried again", callsOf, ([id, calls]) =>
      calls.slice(0, -1).every(({ scripted }) => scripted !== null && isCertainlyRefused(scripted))
        ? null
        : `${id}: ${shown(id)}`
    ),
    check(`nothing is tried more than ${mostCalls} times`, callsOf, ([id, calls]) =>
      calls.length <= mostCalls ? null : `${id}: ${shown(id)}`
    ),
    check("no retry is immediate", callsOf, ([id, calls]) => {
      const pauses = calls.slice(1).map(({ at }, place) => at - (calls[place]?.at ?? 0))
      return pauses.every((pause) => pause >= leastPause) ? null : `${id} after ${pauses.join(", ")} ms`
    }),
    check("nothing that was acknowledged is lost", taken, ([text, id]) => {
      const found = byText.get(text) ?? []
      return found.length === 1 && found[0]?.id === id
        ? null
        : `"${text}" is there ${found.length} times, taken as ${id}`
    }),
    check("nothing is written twice", byText, ([text, found]) =>
      found.length === 1 ? null : `"${text}" is there ${found.length} times`
    ),
    check("everything ends as the provider has seen it", kept, endOf),
    check(
      "the messages of a conversation go out in their order",
      grouped(kept, ({ conversationId }) => conversationId),
      orderOf
    )
  ]
}
