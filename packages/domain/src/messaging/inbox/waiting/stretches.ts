import type { DateTime } from "effect"
import type { ActorRef } from "../../../kernel/index.ts"
import { Conversation } from "../Conversation.ts"
import type { Stretch } from "./Stretch.ts"

/** The stretch that begins after this one; the first one after `null`. */
export const stretchAfter = (before: Stretch | null, startedAt: DateTime.Utc): Stretch => ({
  number: (before?.number ?? 0) + 1,
  startedAt,
  resolvedAt: null,
  resolvedBy: null
})

/** The conversation in the stretch that begins with its opening; the same one where it was not resolved before. */
export const openedAt = (before: Conversation, after: Conversation, at: DateTime.Utc): Conversation =>
  before.status === "resolved" && after.status !== "resolved"
    ? new Conversation({ ...after, stretch: stretchAfter(before.stretch, at) })
    : after

/** The conversation, whose stretch ends where it has just been resolved. */
export const resolvedBy = (before: Conversation, after: Conversation, actor: ActorRef): Conversation =>
  before.status !== "resolved" && after.status === "resolved" && after.stretch !== null
    ? new Conversation({ ...after, stretch: { ...after.stretch, resolvedAt: after.resolvedAt, resolvedBy: actor } })
    : after
