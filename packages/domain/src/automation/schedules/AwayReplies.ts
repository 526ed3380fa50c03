import { Context, DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { type TenantScoped, transact, type Transaction } from "../../kernel/index.ts"
import { type ConversationId, Conversations, type MessageId, Messages } from "../../messaging/inbox/index.ts"
import { type ScheduleId, WeeklySchedules, zoneOf } from "./WeeklySchedule.ts"
import { closedSince, isOpenAt } from "./openingHours.ts"

/** Sent away replies. They are deleted with the conversation or the schedule. */
export class AwayReplies extends Context.Service<
  AwayReplies,
  TenantScoped<{
    /** Time of the last away reply to the contact for this schedule, in any conversation; `null` if there is none. */
    readonly last: (contactId: ContactId, scheduleId: ScheduleId) => Effect.Effect<DateTime.Utc | null>
    /** Whether a member has written to the contact since then, in any conversation. */
    readonly hasWritten: (contactId: ContactId, since: DateTime.Utc) => Effect.Effect<boolean>
    readonly put: (
      conversationId: ConversationId,
      scheduleId: ScheduleId,
      at: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/schedules/AwayReplies") {}

/** Reason why no away reply is sent. */
export type AwaySkipReason = "open" | "reaction" | "too_old" | "member_wrote" | "told_already"

export type AwayOutcome<A> =
  | { readonly kind: "sent"; readonly sent: A }
  | { readonly kind: "silent"; readonly because: AwaySkipReason }

export interface ReceivedMessageRef {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
}

/** Maximum age of a message that gets an away reply. */
const freshMinutes = 5

/** A member counts as present for this time after each message. */
const presenceMinutes = 30

/** Returns why no away reply is sent; `null` if one is. Locks the contact to prevent a second reply. */
const findAwaySkipReason = Effect.fnUntraced(function* (
  scheduleId: ScheduleId,
  { conversationId, messageId }: ReceivedMessageRef
) {
  const now = yield* DateTime.now
  const schedule = yield* (yield* WeeklySchedules).get(scheduleId)
  const zone = yield* zoneOf(schedule)
  if (isOpenAt(schedule, zone, now)) return "open"
  const message = yield* (yield* Messages).get(conversationId, messageId)
  if (message.kind === "reaction") return "reaction"
  if (DateTime.isLessThan(message.at, DateTime.subtract(now, { minutes: freshMinutes }))) return "too_old"
  const { contactId } = (yield* (yield* Conversations).get(conversationId)).conversation
  yield* (yield* Contacts).lock([contactId])
  const replies = yield* AwayReplies
  if (yield* replies.hasWritten(contactId, DateTime.subtract(now, { minutes: presenceMinutes }))) return "member_wrote"
  const last = yield* replies.last(contactId, scheduleId)
  const since = closedSince(schedule, zone, now)
  return last !== null && (since === null || DateTime.isGreaterThanOrEqualTo(last, since)) ? "told_already" : null
})

/**
 * Sends an away reply with `send` while the schedule is closed: one per contact and closed period. It runs in the
 * caller's unit of work, which must not lock a conversation before. If `send` fails, no reply is recorded.
 */
export const sendAwayReply = Effect.fnUntraced(function* <A, E, R>(
  { received, scheduleId }: { readonly scheduleId: ScheduleId; readonly received: ReceivedMessageRef },
  send: Effect.Effect<A, E, R>
) {
  const because = yield* findAwaySkipReason(scheduleId, received)
  if (because !== null) return { kind: "silent", because } satisfies AwayOutcome<A>
  const sent = yield* send
  yield* (yield* AwayReplies).put(received.conversationId, scheduleId, yield* DateTime.now)
  return { kind: "sent", sent } satisfies AwayOutcome<A>
}, transact)
