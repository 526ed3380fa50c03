import { DateTime, Effect } from "effect"
import { CartId, StoreCarts } from "../../../commerce/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { ConversationId, Conversations, type Message, Messages } from "../../../messaging/inbox/index.ts"
import { isWithinStartWindow } from "../runs/newRuns.ts"
import type { TimerOwner, InactivityTrigger, TimerTriggers, TriggerTimer } from "./TriggerTimers.ts"

/** What becomes of a clock whose time has come: something starts for the contact, it counts anew, or nothing comes of it. */
export type TimerOutcome =
  | {
      readonly kind: "starts"
      readonly contactId: ContactId
      /** Names the time that has passed: it begins something once, whichever event it was counted from. */
      readonly name: string
    }
  | { readonly kind: "counts_anew"; readonly since: DateTime.Utc }
  | { readonly kind: "nothing" }

/** A clock with what becomes of it. */
export interface EvaluatedTimer<Owner extends TimerOwner> {
  readonly clock: TriggerTimer
  readonly owner: Owner
  readonly verdict: TimerOutcome
}

const noOutcome: TimerOutcome = { kind: "nothing" }

const startOutcome = (contactId: ContactId, name: string): TimerOutcome => ({ kind: "starts", contactId, name })

type IdleTrigger = Extract<InactivityTrigger, { readonly event: "conversation.idle" }>

/** Among so many of the latest messages the last one of a person is looked for. */
const maxScannedMessages = 50

const writerOf = ({ author, direction }: Message): "contact" | "team" | null => {
  if (direction === "inbound") return "contact"
  return author.kind === "user" || author.kind === "phone_app" ? "team" : null
}

/**
 * Whatever was written while nobody looked, as under the kill switch, counts all the same: the last message of a person decides, and what
 * its owner says now. Its own event may be read later, and sets the clock once more.
 */
const evaluateIdleTimer = Effect.fnUntraced(function* (
  { position, since, subjectId }: TriggerTimer,
  { lastFrom = "any", seconds }: IdleTrigger,
  now: DateTime.Utc
) {
  const id = ConversationId.make(subjectId)
  const found = yield* Effect.option((yield* Conversations).get(id))
  if (found._tag === "None") return noOutcome
  const messages = yield* (yield* Messages).list(id, { after: null, limit: maxScannedMessages })
  const last = messages.find((message) => writerOf(message) !== null)
  const { contactId } = found.value.conversation
  if (last === undefined) return startOutcome(contactId, `${subjectId}:${position}`)
  if (lastFrom !== "any" && writerOf(last) !== lastFrom) return noOutcome
  const from = DateTime.max(since, last.createdAt)
  const anew: TimerOutcome = { kind: "counts_anew", since: from }
  const isEarly = DateTime.isGreaterThan(DateTime.add(from, { seconds }), now)
  return isEarly ? anew : startOutcome(contactId, `${subjectId}:${last.id}`)
})

type CartTrigger = Extract<InactivityTrigger, { readonly event: "cart.abandoned" }>

/**
 * A cart in which something was done since may be abandoned once more without being told of again on the same day. Its owner may ask for
 * other stores by now, or for more time.
 */
const evaluateCartTimer = Effect.fnUntraced(function* (
  { since, subjectId }: TriggerTimer,
  { seconds, storeConnectionIds }: CartTrigger,
  now: DateTime.Utc
) {
  const found = yield* Effect.option((yield* StoreCarts).get(CartId.make(subjectId)))
  if (found._tag === "None") return noOutcome
  const { contactId, record, state, storeConnectionId } = found.value
  if (contactId === null || (state !== "abandoned" && state !== "active")) return noOutcome
  if (storeConnectionIds !== undefined && !storeConnectionIds.includes(storeConnectionId)) return noOutcome
  const from = DateTime.max(since, record.updatedAt)
  const isEarly = DateTime.isGreaterThan(DateTime.add(from, { seconds }), now)
  const anew: TimerOutcome = { kind: "counts_anew", since: from }
  if (isEarly || DateTime.isGreaterThan(record.updatedAt, since)) return anew
  return state === "abandoned" ? startOutcome(contactId, subjectId) : noOutcome
})

/**
 * Judges clocks. Those of owners that begin no more, or begin only after what they count from, and those that are a day late, come to
 * nothing.
 */
export const evaluateTimers = Effect.fnUntraced(function* <Owner extends TimerOwner, Held, Found, Begun>(
  { on }: TimerTriggers<Owner, Held, Found, Begun>,
  due: ReadonlyArray<TriggerTimer>
) {
  const now = yield* DateTime.now
  const owners = [...(yield* on("conversation.idle")), ...(yield* on("cart.abandoned"))]
  const judged: Array<EvaluatedTimer<Owner>> = []
  for (const clock of due) {
    const owner = owners.find(({ id }) => id === clock.ownerId)
    if (owner === undefined || clock.position <= owner.after || !isWithinStartWindow(clock.dueAt, now)) continue
    const { when } = owner
    const verdict =
      when.event === "conversation.idle"
        ? yield* evaluateIdleTimer(clock, when, now)
        : yield* evaluateCartTimer(clock, when, now)
    judged.push({ clock, owner, verdict })
  }
  return judged
})
