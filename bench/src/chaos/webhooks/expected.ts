import type { ConnectedLine } from "../../chat/provider.ts"
import type { Person } from "./people.ts"
import type { Outbound } from "./prepare.ts"
import type { Told, ToldMessage, ToldPreference, ToldReceipt } from "./told.ts"

/** Expected final state, by keys that tests and service share. */
export interface Outcome {
  readonly contacts: ReadonlyMap<string, unknown>
  readonly conversations: ReadonlyMap<string, unknown>
  readonly inbound: ReadonlyMap<string, unknown>
  readonly outbound: ReadonlyMap<string, unknown>
  readonly strays: ReadonlyMap<string, unknown>
  /** By organization. */
  readonly counts: ReadonlyMap<string, unknown>
}

export const personKey = (organizationId: string, { chatUser, phone }: Pick<Person, "phone" | "chatUser">) =>
  `${organizationId} ${phone === null ? `user ${chatUser}` : `+${phone}`}`

const hour = 3_600

const latest = (seconds: ReadonlyArray<number>) => seconds.reduce<number | null>((a, b) => Math.max(a ?? b, b), null)
const earliest = (seconds: ReadonlyArray<number>) => seconds.reduce<number | null>((a, b) => Math.min(a ?? b, b), null)

const grouped = <A>(all: ReadonlyArray<A>, keyOf: (one: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [one])
    else group.push(one)
  }
  return groups
}

const reasonCodes: Readonly<Record<number, string>> = {
  131_026: "recipient_unreachable",
  131_050: "recipient_opted_out"
}

/** State of an outgoing message after all its reports. */
const outboundAfter = (status: Outbound["status"], sentAt: number, receipts: ReadonlyArray<ToldReceipt>) => {
  const timesOf = (...statuses: ReadonlyArray<ToldReceipt["status"]>) =>
    receipts.filter((receipt) => statuses.includes(receipt.status)).map(({ seconds }) => seconds)
  const read = timesOf("read")
  const there = timesOf("read", "delivered")
  const taken = timesOf("read", "delivered", "sent")
  const failures = receipts.filter((receipt) => receipt.status === "failed")
  const furthest = () => {
    if (read.length > 0) return "read"
    if (there.length > 0) return "delivered"
    if (failures.length > 0) return "failed"
    return taken.length > 0 ? "sent" : status
  }
  const final = furthest()
  const [failure] = final === "failed" ? failures : []
  return {
    status: final,
    sentAt: earliest(status === "sent" ? [sentAt, ...taken] : taken),
    deliveredAt: earliest(there),
    readAt: earliest(read),
    failedAt: failure?.seconds ?? null,
    error: failure?.code == null ? null : (reasonCodes[failure.code] ?? null)
  }
}

/** Last marketing consent of a person. Of two at one time, the opt-out counts. */
const consentAfter = (words: ReadonlyArray<{ readonly seconds: number; readonly stops: boolean }>) => {
  const at = latest(words.map(({ seconds }) => seconds))
  if (at === null) return { marketing: "unknown", at: null }
  const stops = words.some(({ seconds, stops }) => seconds === at && stops)
  return { marketing: stops ? "unsubscribed" : "subscribed", at }
}

/** Data from before the first report. */
export interface Before {
  readonly lines: ReadonlyArray<ConnectedLine>
  readonly people: ReadonlyArray<Person>
  readonly outbound: ReadonlyArray<Outbound>
  /** Send times of the messages, in seconds. */
  readonly sentAt: number
}

/** Computes the expected state, with every event once and in any order. It shares no code with the service. */
export const expectedOf = ({ lines, outbound, people, sentAt }: Before, reports: ReadonlyArray<Told>): Outcome => {
  const lineAt = (place: number) => lines[place] ?? { organizationId: "nowhere", phoneId: "none" }
  const personAt = (place: number) => {
    const person = people[place]
    if (person === undefined) throw new Error(`Place ${place} is empty.`)
    return person
  }
  const whose = ({ line, person }: { readonly line: number; readonly person: number }) =>
    personKey(lineAt(line).organizationId, personAt(person))
  const where = (at: { readonly line: number; readonly person: number }) => `${lineAt(at.line).phoneId} ${whose(at)}`

  const messages = reports.filter((each): each is ToldMessage => each.kind === "message")
  const preferences = reports.filter((each): each is ToldPreference => each.kind === "preference")
  const receipts = reports.filter((each): each is ToldReceipt => each.kind === "receipt")
  const messagesOfTalks = grouped(messages, where)
  const messagesOfPeople = grouped(messages, whose)
  const preferencesOfPeople = grouped(preferences, whose)
  const outboundAt = (receipt: ToldReceipt) => (receipt.outbound === null ? undefined : outbound[receipt.outbound])
  const receiptsOfMessages = grouped(receipts, (receipt) => outboundAt(receipt)?.id ?? "nobody's")
  const refusalsOfPeople = grouped(
    receipts.filter(({ code }) => code === 131_050),
    (receipt) => {
      const to = outboundAt(receipt)
      return to === undefined ? "nobody's" : whose(to)
    }
  )

  const contacts = new Map<string, unknown>()
  const conversations = new Map<string, unknown>()
  const counts = new Map<string, Record<"open" | "resolved" | "unread" | "contacts", number>>()
  for (const [line, { organizationId, phoneId }] of lines.entries()) {
    const count = counts.get(organizationId) ?? { open: 0, resolved: 0, unread: 0, contacts: 0 }
    counts.set(organizationId, count)
    for (const [person, { chatUser, name, phone, standing }] of people.entries()) {
      const key = personKey(organizationId, personAt(person))
      const written = messagesOfPeople.get(key) ?? []
      const preferred = preferencesOfPeople.get(key) ?? []
      const isMet = written.length + preferred.length > 0
      if (!contacts.has(key) && (isMet || standing !== "stranger")) {
        const { at, marketing } = consentAfter([
          ...preferred.map(({ seconds, word }) => ({ seconds, stops: word === "stop" })),
          ...written.filter(({ text }) => text === "STOP").map(({ seconds }) => ({ seconds, stops: true })),
          ...(refusalsOfPeople.get(key) ?? []).map(({ seconds }) => ({ seconds, stops: true }))
        ])
        contacts.set(key, {
          name: written.length > 0 || standing !== "stranger" ? name : null,
          identities: [
            ...(chatUser === null || !isMet ? [] : [`chat_user ${chatUser}`]),
            ...(phone === null ? [] : [`phone +${phone}`])
          ].toSorted(),
          marketing,
          consentAt: at,
          lastInboundAt: latest(written.map(({ seconds }) => seconds)),
          isBlocked: standing === "blocked"
        })
        count.contacts += 1
      }
      const here = messagesOfTalks.get(where({ line, person })) ?? []
      if (here.length === 0 && standing !== "known") continue
      const last = here.reduce<ToldMessage | null>((a, b) => (a === null || b.seconds > a.seconds ? b : a), null)
      const isResolved = standing === "blocked"
      const unread = isResolved ? 0 : here.length
      conversations.set(`${phoneId} ${key}`, {
        status: isResolved ? "resolved" : "open",
        inbound: here.length,
        unread,
        last: last === null ? null : `${last.seconds} ${last.text}`,
        lastInboundAt: last?.seconds ?? null,
        windowEndsAt: latest(here.map(({ isAdvertised, seconds }) => seconds + (isAdvertised ? 72 : 24) * hour))
      })
      if (isResolved) count.resolved += 1
      else count.open += 1
      if (unread > 0) count.unread += 1
    }
  }
  return {
    contacts,
    conversations,
    inbound: new Map(
      messages.map((message) => [
        `${lineAt(message.line).phoneId} ${message.id}`,
        { talk: where(message), text: message.text, at: message.seconds }
      ])
    ),
    outbound: new Map(
      outbound.map(({ id, providerId, status }) => {
        const mine = receiptsOfMessages.get(id) ?? []
        const isNamed = status === "sent" || mine.length > 0
        return [id, { providerId: isNamed ? providerId : null, ...outboundAfter(status, sentAt, mine) }]
      })
    ),
    strays: new Map(
      receipts
        .filter((receipt) => receipt.outbound === null)
        .map(({ id, line, seconds, status }) => [`${lineAt(line).phoneId} ${id}`, { status, at: seconds }])
    ),
    counts
  }
}
