import { DateTime, Effect } from "effect"
import { CartId, StoreCarts } from "../../../commerce/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import { ConversationId, Conversations, type Message, Messages } from "../../../messaging/inbox/index.ts"
import { isWithinStartWindow } from "../runs/newRuns.ts"
import type { TimerOwner, InactivityTrigger, TimerTriggers, TriggerTimer } from "./TriggerTimers.ts"

/** Result of a due timer: it starts a run for the contact, counts again, or does nothing. */
export type TimerOutcome =
  | {
      readonly kind: "starts"
      readonly contactId: ContactId
      /** Identifies the elapsed period. It starts one run, even if the timer counted from another event. */
      readonly name: string
    }
  | { readonly kind: "counts_anew"; readonly since: DateTime.Utc }
  | { readonly kind: "nothing" }

/** Timer with its result. */
export interface EvaluatedTimer<Owner extends TimerOwner> {
  readonly clock: TriggerTimer
  readonly owner: Owner
  readonly verdict: TimerOutcome
}

const noOutcome: TimerOutcome = { kind: "nothing" }

const startOutcome = (contactId: ContactId, name: string): TimerOutcome => ({ kind: "starts", contactId, name })

type IdleTrigger = Extract<InactivityTrigger, { readonly event: "conversation.idle" }>

/** Number of latest messages to search for a message of a person. */
const maxScannedMessages = 50

const writerOf = ({ author, direction }: Message): "contact" | "team" | null => {
  if (direction === "inbound") return "contact"
  return author.kind === "user" || author.kind === "phone_app" ? "team" : null
}

/**
 * Evaluates the latest message of a person and the current trigger, so messages during a hold also count. The
 * consumer can read the event of that message later; it then sets the timer again.
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
 * Evaluates the current cart and trigger. A changed cart can be abandoned again on the same day without another
 * event. The trigger can now require other stores or a longer time.
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
 * Evaluates timers. A timer does nothing if its owner is disabled or was enabled after the counted event. A timer
 * that is a day late does nothing either.
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
