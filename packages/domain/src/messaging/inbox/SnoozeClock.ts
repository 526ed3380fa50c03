import { Context, type DateTime, type Effect } from "effect"
import type { OrganizationId, TenantScoped } from "../../kernel/index.ts"
import { type Lane, organizationLane, type WorkName } from "../../platform/background/index.ts"
import type { ConversationId } from "./Ids.ts"

/** What waking snoozed conversations is called among the works. */
export const snoozesWork: WorkName = "snoozes"

/** Each organization has one lane: its conversations are woken in batches. */
export const snoozesLane = (organizationId: OrganizationId): Lane => organizationLane(snoozesWork, organizationId)

/** When the snoozed conversations of the organization have to be woken, for whoever owns its lane. */
export class SnoozeClock extends Context.Service<
  SnoozeClock,
  TenantScoped<{
    /** Those whose time has come: the longest overdue first, at most `limit`. */
    readonly due: (now: DateTime.Utc, limit: number) => Effect.Effect<ReadonlyArray<ConversationId>>
    /** When the time of the next one comes; `null` when none is snoozed. */
    readonly nextDue: () => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/inbox/SnoozeClock") {}
