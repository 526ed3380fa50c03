import { DateTime, Effect } from "effect"
import { invalid, type UserId } from "../../kernel/index.ts"
import { Conversation, type ConversationPatch, type Priority } from "./Conversation.ts"

/** A patch in which everybody is called by their id. */
export type NamedPatch = Omit<ConversationPatch, "assigneeId"> & { readonly assigneeId?: UserId | null }
import { inStatus } from "./states.ts"

/** The conversation with somebody else, or nobody, to look after it. */
export const assigned = (before: Conversation, assigneeId: UserId | null, now: DateTime.Utc): Conversation =>
  before.assigneeId === assigneeId ? before : new Conversation({ ...before, assigneeId, updatedAt: now })

/** The conversation with another priority. */
export const prioritized = (before: Conversation, priority: Priority, now: DateTime.Utc): Conversation =>
  before.priority === priority ? before : new Conversation({ ...before, priority, updatedAt: now })

/** The conversation with these labels. */
export const labelled = (before: Conversation, labels: ReadonlyArray<string>, now: DateTime.Utc): Conversation => {
  const isSame =
    labels.length === before.labels.length && labels.every((label, index) => label === before.labels[index])
  return isSame ? before : new Conversation({ ...before, labels, updatedAt: now })
}

/** The conversation as the team wants it. A status that it has already is no change. */
export const patched = Effect.fnUntraced(function* (
  before: Conversation,
  { assigneeId, labels, priority, status }: NamedPatch,
  now: DateTime.Utc
) {
  const moved = status === undefined || status === before.status ? before : yield* inStatus(before, status, now)
  const given = assigneeId === undefined ? moved : assigned(moved, assigneeId, now)
  const ranked = priority === undefined ? given : prioritized(given, priority, now)
  return labels === undefined ? ranked : labelled(ranked, labels, now)
})

/** Refuses to put a conversation off to a time that has passed, or that is too far away. */
export const checkSnooze = (until: DateTime.Utc, now: DateTime.Utc, pointer: string) => {
  if (DateTime.isLessThanOrEqualTo(until, now)) return Effect.fail(invalid(pointer, "Expected a time in the future"))
  return DateTime.isGreaterThan(until, DateTime.add(now, { years: 1 }))
    ? Effect.fail(invalid(pointer, "Expected a time within a year"))
    : Effect.void
}
