import { DateTime, Effect, Equal } from "effect"
import { CurrentOrganization } from "../../../kernel/index.ts"
import { Lanes } from "../../../platform/background/index.ts"
import type { Conversation } from "../Conversation.ts"
import { snoozesLane } from "../SnoozeClock.ts"

interface Change {
  readonly before: Pick<Conversation, "snoozedUntil">
  readonly after: Conversation
}

const timeOf = ({ after, before }: Change) =>
  after.status !== "snoozed" || Equal.equals(before.snoozedUntil, after.snoozedUntil) ? [] : (after.snoozedUntil ?? [])

/** Schedules the wake-up of conversations whose snooze time has changed. */
export const scheduleWaking = Effect.fnUntraced(function* (changes: ReadonlyArray<Change>) {
  const [first, ...others] = changes.flatMap(timeOf)
  if (first === undefined) return
  const dueAt = others.reduce(DateTime.min, first)
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...snoozesLane(id), priority: "bulk", dueAt })
})
