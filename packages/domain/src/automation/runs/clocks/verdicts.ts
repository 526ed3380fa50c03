import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import { ConversationId, Conversations } from "../../../inbox/index.ts"
import { CartId, StoreCarts } from "../../../stores/index.ts"
import type { Automation } from "../../Automation.ts"
import { Automations } from "../../Automations.ts"
import { isFresh } from "../starting/startFromEvents.ts"
import type { AutomationClock } from "./AutomationClocks.ts"

/** What becomes of a clock whose time has come: something starts for the contact, it counts anew, or nothing comes of it. */
export type Verdict =
  | { readonly kind: "starts"; readonly contactId: ContactId }
  | { readonly kind: "counts_anew"; readonly since: DateTime.Utc }
  | { readonly kind: "nothing" }

/** A clock with what becomes of it. */
export interface JudgedClock {
  readonly clock: AutomationClock
  readonly automation: Automation
  readonly verdict: Verdict
}

const nothing: Verdict = { kind: "nothing" }

const starts = (contactId: ContactId): Verdict => ({ kind: "starts", contactId })

const ofConversation = Effect.fnUntraced(function* ({ subjectId }: AutomationClock) {
  const found = yield* Effect.option((yield* Conversations).get(ConversationId.make(subjectId)))
  return found._tag === "None" ? nothing : starts(found.value.conversation.contactId)
})

/** A cart in which something was done since may be abandoned once more without being told of again on the same day. */
const ofCart = Effect.fnUntraced(function* ({ since, subjectId }: AutomationClock) {
  const found = yield* Effect.option((yield* StoreCarts).get(CartId.make(subjectId)))
  if (found._tag === "None") return nothing
  const { contactId, record, state } = found.value
  if (contactId === null || (state !== "abandoned" && state !== "active")) return nothing
  const isLater = DateTime.isGreaterThan(record.updatedAt, since)
  const verdict: Verdict = isLater ? { kind: "counts_anew", since: record.updatedAt } : starts(contactId)
  return isLater || state === "abandoned" ? verdict : nothing
})

/** Judges clocks. Those of automations that are not enabled any more, and those that are a day late, come to nothing. */
export const judgeClocks = Effect.fnUntraced(function* (due: ReadonlyArray<AutomationClock>) {
  const now = yield* DateTime.now
  const port = yield* Automations
  const enabled = [...(yield* port.enabledOn("conversation.idle")), ...(yield* port.enabledOn("cart.abandoned"))]
  const judged: Array<JudgedClock> = []
  for (const clock of due) {
    const automation = enabled.find(({ id }) => id === clock.automationId)
    if (automation === undefined || !isFresh(clock.dueAt, now)) continue
    const isOfCart = automation.when?.event === "cart.abandoned"
    judged.push({ clock, automation, verdict: isOfCart ? yield* ofCart(clock) : yield* ofConversation(clock) })
  }
  return judged
})
