import { createHmac, hash } from "node:crypto"
import type { ConnectedLine } from "../../chat/provider.ts"
import type { Drawing } from "../drawing.ts"
import type { Person } from "./people.ts"
import type { Told, ToldMessage, ToldPreference, ToldReceipt } from "./told.ts"

const mostCopies = 5
const mostInBatch = 24
const mostInChange = 4

/** Places of events, in the order of their reports by the webhook. */
interface Batch {
  readonly path: string
  readonly told: Int32Array
  /** Seed for the split of a batch: each repetition has the same parts. */
  readonly seed: number
}

/** Each event one to five times, shuffled, in shuffled batches for each webhook. */
export const makeBatches = (
  draws: Drawing,
  lines: ReadonlyArray<ConnectedLine>,
  reports: ReadonlyArray<Told>
): ReadonlyArray<Batch> => {
  const copies = reports.map(() => draws.between(1, mostCopies))
  const all = new Int32Array(copies.reduce((sum, count) => sum + count, 0))
  let next = 0
  copies.forEach((count, place) => {
    all.fill(place, next, next + count)
    next += count
  })
  draws.shuffle(all)
  const byPath = new Map<string, Array<number>>()
  for (const place of all) {
    const path = lines[reports[place]?.line ?? -1]?.path ?? ""
    const mine = byPath.get(path)
    if (mine === undefined) byPath.set(path, [place])
    else mine.push(place)
  }
  const batches: Array<Batch> = []
  for (const [path, places] of byPath) {
    for (let first = 0; first < places.length;) {
      const size = draws.between(1, mostInBatch)
      batches.push({
        path,
        told: Int32Array.from(places.slice(first, first + size)),
        seed: draws.between(0, 2 ** 31 - 1)
      })
      first += size
    }
  }
  const order = Int32Array.from(batches.keys())
  draws.shuffle(order)
  return Array.from(order).flatMap((place) => batches[place] ?? [])
}

const contactOf = ({ chatUser, name, phone }: Person) => ({
  profile: { name },
  ...(phone !== null && { wa_id: phone }),
  ...(chatUser !== null && { user_id: chatUser })
})

const messageOf = ({ chatUser, phone }: Person, { id, isAdvertised, seconds, text }: ToldMessage) => ({
  ...(phone !== null && { from: phone }),
  ...(chatUser !== null && { from_user_id: chatUser }),
  id,
  timestamp: String(seconds),
  type: "text",
  text: { body: text },
  ...(isAdvertised && { referral: { source_type: "ad", source_id: "120200000000000000" } })
})

const receiptOf = ({ code, id, phone, reference, seconds, status }: ToldReceipt) => ({
  id,
  status,
  timestamp: String(seconds),
  recipient_id: phone,
  ...(reference !== null && { biz_opaque_callback_data: reference }),
  ...(code !== null && { errors: [{ code, title: "Failed", error_data: { details: "This was drawn." } }] })
})

const preferenceOf = ({ chatUser, phone }: Person, { seconds, word }: ToldPreference) => ({
  ...(phone !== null && { wa_id: phone }),
  ...(chatUser !== null && { user_id: chatUser }),
  detail: "Told by the app",
  category: "marketing_messages",
  value: word,
  timestamp: seconds
})

/** A stored part of a delivery, and its organization. */
export interface Part {
  readonly organizationId: string
  readonly digest: string
  readonly events: number
}

/** The bytes on the wire, and the parts that the service makes of them. */
export interface Written {
  readonly path: string
  readonly body: string
  readonly signature: string
  readonly parts: ReadonlyArray<Part>
}

const providerObject = "whatsapp_business_account"

/** Writes a batch like the provider: some changes report one event, some several. */
export const writeBatch = (
  draws: Drawing,
  lines: ReadonlyArray<ConnectedLine>,
  people: ReadonlyArray<Person>,
  reports: ReadonlyArray<Told>,
  { path, told: places }: Batch
): Written => {
  const personAt = (place: number): Person => {
    const person = people[place]
    if (person === undefined) throw new Error(`Place ${place} is empty.`)
    return person
  }
  const byLine = new Map<number, Array<Told>>()
  for (const place of places) {
    const one = reports[place]
    if (one === undefined) continue
    const mine = byLine.get(one.line)
    if (mine === undefined) byLine.set(one.line, [one])
    else mine.push(one)
  }
  const parts: Array<Part> = []
  let secret = ""
  const entry = Array.from(byLine, ([place, all]) => {
    const line = lines[place]
    if (line === undefined) throw new Error(`There is no number in place ${place}.`)
    secret = line.appSecret
    const common = {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: line.displayPhone, phone_number_id: line.phoneId }
    }
    const changes: Array<object> = []
    const tell = (events: number, change: object) => {
      changes.push(change)
      const body = JSON.stringify({ object: providerObject, entry: [{ id: line.businessId, changes: [change] }] })
      parts.push({ organizationId: line.organizationId, digest: hash("sha256", body).slice(0, 24), events })
    }
    for (const one of all) {
      if (one.kind !== "preference") continue
      const user_preferences = [preferenceOf(personAt(one.person), one)]
      tell(1, { value: { ...common, user_preferences }, field: "user_preferences" })
    }
    const rest = all.filter((one): one is ToldMessage | ToldReceipt => one.kind !== "preference")
    for (let first = 0; first < rest.length;) {
      const some = rest.slice(first, first + draws.between(1, mostInChange))
      first += some.length
      const messages = some.filter((one) => one.kind === "message")
      const statuses = some.filter((one) => one.kind === "receipt")
      tell(some.length, {
        value: {
          ...common,
          ...(messages.length > 0 && {
            contacts: messages.map(({ person }) => contactOf(personAt(person))),
            messages: messages.map((message) => messageOf(personAt(message.person), message))
          }),
          ...(statuses.length > 0 && { statuses: statuses.map(receiptOf) })
        },
        field: "messages"
      })
    }
    return { id: line.businessId, changes }
  })
  const body = JSON.stringify({ object: providerObject, entry })
  return { path, body, signature: `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`, parts }
}

export type { Batch }
