import { Context, type DateTime, type Effect } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import type { ConversationId } from "../../../messaging/inbox/index.ts"
import type { TenantScoped, Transaction } from "../../../kernel/index.ts"
import type { ScheduleId } from "../WeeklySchedule.ts"

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
