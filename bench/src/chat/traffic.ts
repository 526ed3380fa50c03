import type { ConnectedLine } from "./provider.ts"
import { messageIdAt, phoneAt, providerIdAt } from "./seedOutbound.ts"
import { deliveryOf, idOf, receiptOf, textIn } from "./signed.ts"

/** Ten of eleven deliveries are receipts: a thousand messages a second have three each, and every tenth is answered. */
const round = 11
const receiptsInRound = 10

/** Number of messages until a message is delivered, and until it is read. */
export const lag = 500

/** Every third writer has never written before. */
const newOneOf = 3

/** The item at this place of a cycle. */
export const goingRound = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("There is nothing to take.")
  return item
}

const states = ["sent", "delivered", "read"] as const

/** Number of messages for this number of deliveries. */
export const messagesFor = (deliveries: number) => 2 * lag + Math.ceil(deliveries / 3)

/** Subjects of deliveries. */
export interface Audience {
  readonly lines: ReadonlyArray<ConnectedLine>
  readonly contacts: number
}

/** Deliveries of a provider that sends a thousand messages a second, in sequence, with the expected result. */
export const makeTraffic = ({ contacts, lines }: Audience) => {
  let count = 0
  let receipts = 0
  let inbound = 0
  const sums = { receipts: { sent: 0, delivered: 0, read: 0 }, inbound: 0, people: 0 }

  const receipt = (seconds: number) => {
    const state = receipts % 3
    const number = Math.floor(receipts / 3) + (2 - state) * lag
    receipts += 1
    const status = states[state] ?? "sent"
    sums.receipts[status] += 1
    const value = receiptOf(phoneAt(number % contacts), providerIdAt(number), messageIdAt(number), status, seconds)
    return { line: goingRound(lines, number), value }
  }

  const message = (seconds: number) => {
    const isNew = inbound % newOneOf === 0
    const number = isNew ? contacts + inbound : inbound % contacts
    inbound += 1
    sums.inbound += 1
    if (isNew) sums.people += 1
    const person = { phone: phoneAt(number), name: `Person ${number}` }
    const value = textIn(person, `wamid.inbound.${idOf(inbound)}`, "Does it come in another color?", seconds)
    return { line: goingRound(lines, number), value }
  }

  return {
    sums,
    /** The next delivery, and its number. */
    next: () => {
      const seconds = Math.floor(Date.now() / 1_000)
      const { line, value } = count % round < receiptsInRound ? receipt(seconds) : message(seconds)
      count += 1
      return { line, body: deliveryOf(line, value) }
    }
  }
}

export type Traffic = ReturnType<typeof makeTraffic>
