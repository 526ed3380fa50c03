import { Context, DateTime, Effect } from "effect"
import { type ContactId, Contacts } from "../../crm/index.ts"
import { type TenantScoped, transact, type Transaction } from "../../kernel/index.ts"
import { type ConversationId, Conversations, type MessageId, Messages } from "../../messaging/inbox/index.ts"
import { type ScheduleId, WeeklySchedules, zoneOf } from "./WeeklySchedule.ts"
import { closedSince, isOpenAt } from "./openingHours.ts"

/** Where contacts were told that nobody is there. It goes with the conversations and the schedules. */
export class AwayReplies extends Context.Service<
  AwayReplies,
  TenantScoped<{
    /** When the contact was told last, by this schedule, in any of their conversations; `null` if they never were. */
    readonly last: (contactId: ContactId, scheduleId: ScheduleId) => Effect.Effect<DateTime.Utc | null>
    /** Whether a person of the team has written to the contact since, in any of their conversations. */
    readonly hasWritten: (contactId: ContactId, since: DateTime.Utc) => Effect.Effect<boolean>
    readonly put: (
      conversationId: ConversationId,
      scheduleId: ScheduleId,
      at: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/automation/schedules/AwayReplies") {}

/** Why nobody is told that nobody is there. */
export type AwaySkipReason = "open" | "reaction" | "too_old" | "member_wrote" | "told_already"

/** What has become of it. */
export type AwayOutcome<A> =
  | { readonly kind: "sent"; readonly sent: A }
  | { readonly kind: "silent"; readonly because: AwaySkipReason }

/** A message that came in. */
export interface ReceivedMessageRef {
  readonly conversationId: ConversationId
  readonly messageId: MessageId
}

/** What is older than that is not answered by a machine any more. */
const freshMinutes = 5

/** For so long after somebody of the team has written they count as being there. */
const presenceMinutes = 30

/** Why the contact is not told now; `null` if they are. Takes the contact, so that they are told once. */
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
  const told = yield* replies.last(contactId, scheduleId)
  const since = closedSince(schedule, zone, now)
  return told !== null && (since === null || DateTime.isGreaterThanOrEqualTo(told, since)) ? "told_already" : null
})

/**
 * Tells whoever has written that nobody is there, by `send`: while the schedule is closed, once for each contact and time that it is
 * closed. It runs in the unit of work of the caller, who has taken no conversation yet. Where `send` fails, the contact counts as not told.
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
