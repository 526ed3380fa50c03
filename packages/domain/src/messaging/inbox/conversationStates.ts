import { DateTime, Effect } from "effect"
import { type ActorRef, invalid, type UserId } from "../../kernel/index.ts"
import {
  Conversation,
  type ConversationPatch,
  type ConversationStatus,
  type Priority,
  type Episode
} from "./Conversation.ts"
import type { MessageStatus } from "./Message.ts"
import { ConversationTransitionInvalid } from "./errors.ts"
import { withWaitEnded } from "./waiting/waitTransitions.ts"

/** Returns the episode that follows this one; the first one after `null`. */
export const nextEpisode = (before: Episode | null, startedAt: DateTime.Utc): Episode => ({
  number: (before?.number ?? 0) + 1,
  startedAt,
  resolvedAt: null,
  resolvedBy: null
})

/** Starts an episode when a resolved conversation opens; otherwise the conversation stays unchanged. */
export const withEpisodeStarted = (before: Conversation, after: Conversation, at: DateTime.Utc): Conversation =>
  before.status === "resolved" && after.status !== "resolved"
    ? new Conversation({ ...after, episode: nextEpisode(before.episode, at) })
    : after

/** Ends the episode of a conversation that has just been resolved. */
export const withEpisodeResolved = (before: Conversation, after: Conversation, actor: ActorRef): Conversation =>
  before.status !== "resolved" && after.status === "resolved" && after.episode !== null
    ? new Conversation({ ...after, episode: { ...after.episode, resolvedAt: after.resolvedAt, resolvedBy: actor } })
    : after

/** Allowed transitions of each status. Snoozed conversations open manually, on time, or when the contact writes. */
export const conversationTransitions: Readonly<Record<ConversationStatus, ReadonlyArray<ConversationStatus>>> = {
  open: ["pending", "snoozed", "resolved"],
  pending: ["open", "snoozed", "resolved"],
  snoozed: ["open", "resolved"],
  resolved: ["open"]
}

/** Days after resolving that a message of the contact reopens the conversation. Later messages start a new one. */
export const maxReopenDays = 7

export const withStatus = (
  before: Conversation,
  to: ConversationStatus,
  now: DateTime.Utc,
  snoozedUntil: DateTime.Utc | null = null
) => {
  const allowed = conversationTransitions[before.status]
  if (!allowed.includes(to)) {
    return Effect.fail(new ConversationTransitionInvalid({ from: before.status, to, allowed }))
  }
  const after = new Conversation({
    ...before,
    status: to,
    snoozedUntil: to === "snoozed" ? snoozedUntil : null,
    ...(to === "resolved" && withWaitEnded(before)),
    resolvedAt: to === "resolved" ? now : null,
    updatedAt: now
  })
  return Effect.succeed(withEpisodeStarted(before, after, now))
}

/** Snoozes the conversation until then; a snoozed one gets the new time. */
export const withSnooze = (before: Conversation, until: DateTime.Utc, now: DateTime.Utc) => {
  if (before.status !== "snoozed") return withStatus(before, "snoozed", now, until)
  const isSame = before.snoozedUntil !== null && DateTime.Equivalence(before.snoozedUntil, until)
  return Effect.succeed(isSame ? before : new Conversation({ ...before, snoozedUntil: until, updatedAt: now }))
}

/** Progress of each outgoing status. A message never moves to a status with less progress. */
const statusRank: Readonly<Record<Exclude<MessageStatus, "received">, number>> = {
  queued: 0,
  in_doubt: 1,
  sent: 2,
  // A failure overrides earlier statuses, but not a confirmed arrival.
  failed: 3,
  delivered: 4,
  read: 5
}

/** Whether an outgoing message can move between these statuses, in any order of receipts. */
export const canAdvanceStatus = (from: MessageStatus, to: MessageStatus): boolean =>
  from !== "received" && to !== "received" && statusRank[to] > statusRank[from]

/** Patch with user ids in place of `me`. */
export type ResolvedConversationPatch = Omit<ConversationPatch, "assigneeId"> & { readonly assigneeId?: UserId | null }

export const withAssignee = (before: Conversation, assigneeId: UserId | null, now: DateTime.Utc): Conversation =>
  before.assigneeId === assigneeId ? before : new Conversation({ ...before, assigneeId, updatedAt: now })

export const withPriority = (before: Conversation, priority: Priority, now: DateTime.Utc): Conversation =>
  before.priority === priority ? before : new Conversation({ ...before, priority, updatedAt: now })

export const withLabels = (before: Conversation, labels: ReadonlyArray<string>, now: DateTime.Utc): Conversation => {
  const isSame =
    labels.length === before.labels.length && labels.every((label, index) => label === before.labels[index])
  return isSame ? before : new Conversation({ ...before, labels, updatedAt: now })
}

/** Applies a patch of the team. An unchanged status is no change. */
export const applyConversationPatch = Effect.fnUntraced(function* (
  before: Conversation,
  { assigneeId, labels, priority, status }: ResolvedConversationPatch,
  now: DateTime.Utc
) {
  const moved = status === undefined || status === before.status ? before : yield* withStatus(before, status, now)
  const given = assigneeId === undefined ? moved : withAssignee(moved, assigneeId, now)
  const ranked = priority === undefined ? given : withPriority(given, priority, now)
  return labels === undefined ? ranked : withLabels(ranked, labels, now)
})

/** Fails if the snooze time is in the past or too far in the future. */
export const checkSnooze = (until: DateTime.Utc, now: DateTime.Utc, pointer: string) => {
  if (DateTime.isLessThanOrEqualTo(until, now)) return Effect.fail(invalid(pointer, "Expected a time in the future"))
  return DateTime.isGreaterThan(until, DateTime.add(now, { years: 1 }))
    ? Effect.fail(invalid(pointer, "Expected a time within a year"))
    : Effect.void
}
