import { DateTime, Effect } from "effect"
import type { ContactId } from "../../../../crm/index.ts"
import { EventLog, readingWith } from "../../../../platform/events/index.ts"
import { AnySourceEvent, type Facts } from "../../../automations/index.ts"
import type { RunKey, WaitForNode } from "../../graph/Node.ts"
import { hasUnread } from "../following/unread.ts"
import { enter, postponed, restFor, stepIn } from "../moving/moves.ts"
import { subjectOf } from "../occurrence.ts"
import { WorkflowRuns } from "../WorkflowRuns.ts"
import { after, type Leg, withContact, withFacts } from "./Leg.ts"

const read = readingWith({ schema: AnySourceEvent })

/** How soon it is looked again whether everything was read that was logged before a deadline. */
const soon = { seconds: 1 }

/** What an awaited event has to be about: that of the run's own key, or of what it was last woken by. */
const awaitedSubject = Effect.fnUntraced(function* ({ course, trip }: Leg, match: RunKey, facts: Facts) {
  const { event, key } = trip.kept.run
  if (course.graph.entry?.by === match) return key
  const [logged] = event === null ? [] : yield* read(yield* (yield* EventLog).at([event.position]))
  return subjectOf(match, logged?.event ?? null, facts)
})

/** Comes to where it waits for an event about this, beside its contact. What is logged from now on counts. */
const restWith = Effect.fnUntraced(function* (
  leg: Leg,
  { timeoutSeconds }: WaitForNode,
  contactId: ContactId,
  subject: string | null
) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  // Whoever follows the log shows it what is logged from now on only once it is known to wait here.
  yield* (yield* WorkflowRuns).lockLive([contactId])
  const awaited = { subject, since: yield* (yield* EventLog).head() }
  const until = DateTime.add(now, { seconds: timeoutSeconds })
  return after(leg, { kept: restFor(kept, until, awaited), steps: stepIn(kept, { state: "waiting" }, now) })
})

/** Comes to where it waits for an event. */
export const beginWaitFor = Effect.fnUntraced(function* (before: Leg, node: WaitForNode) {
  const { match = "contact" } = node
  if (match === "contact") {
    const { contact, leg } = yield* withContact(before)
    return contact === null ? leg : yield* restWith(leg, node, contact.id, null)
  }
  const { facts, leg } = yield* withFacts(before)
  return facts === null ? leg : yield* restWith(leg, node, facts.contactId, yield* awaitedSubject(leg, match, facts))
})

/** The time is over; but an event that was logged before may still be unread, and it counts. */
export const endWaitFor = Effect.fnUntraced(function* (leg: Leg, node: WaitForNode) {
  const now = yield* DateTime.now
  const { kept } = leg.trip
  if (yield* hasUnread(kept.run.wakeAt ?? now)) {
    return after(leg, { kept: postponed(kept, DateTime.add(now, soon)), steps: [] })
  }
  const steps = stepIn(kept, { state: "done", output: { timeout: true } }, now)
  return after(leg, { kept: enter(kept, node.timeout, now), steps })
})
