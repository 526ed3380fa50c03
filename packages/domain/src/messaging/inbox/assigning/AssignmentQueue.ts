import { Context, type DateTime, type Effect } from "effect"
import type { MemberId } from "../../../platform/identity/index.ts"
import type { ActorRef, Causation, OrganizationId, TenantScoped, Transaction, UserId } from "../../../kernel/index.ts"
import { type Lane, organizationLane, type WorkName } from "../../../platform/background/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { ConversationId } from "../Ids.ts"
import type { AutoAssignment } from "./AutoAssignment.ts"

/** What handing out conversations is called among the works. */
export const assignmentsWork: WorkName = "assignments"

/** Each organization has one lane: whoever waits for a member gets one in their order. */
export const assignmentsLane = (organizationId: OrganizationId): Lane =>
  organizationLane(assignmentsWork, organizationId)

/** A conversation that waits for a member. */
export interface QueuedConversation extends Pick<AutoAssignment, "memberIds" | "sticky"> {
  readonly conversationId: ConversationId
  /** Who has asked for it. */
  readonly by: ActorRef
  /** What that came from. */
  readonly causation: Causation | null
  /** Since when it waits for a member. */
  readonly since: DateTime.Utc
}

/** A conversation that waits for a member, and what its turn goes by. */
export interface WaitingConversation
  extends QueuedConversation, Pick<Conversation, "contactId" | "priority" | "waitingSince"> {
  /** Who looked after the contact last; `null` where nobody did, or it does not matter. */
  readonly lastAssigneeId: UserId | null
}

/** The conversations that wait for a member. They go with the conversation. */
export class AssignmentQueue extends Context.Service<
  AssignmentQueue,
  TenantScoped<{
    readonly isEmpty: () => Effect.Effect<boolean>
    /** Puts a conversation in. One that is in it already keeps since when it waits, and gets the rest anew. */
    readonly put: (queued: QueuedConversation) => Effect.Effect<void, never, Transaction>
    readonly remove: (ids: ReadonlyArray<ConversationId>) => Effect.Effect<void, never, Transaction>
    /**
     * Those that wait since later than that, are not resolved, that nobody looks after, and that any of these members may be handed:
     * in the order of `byTurn`, at most `limit`.
     */
    readonly next: (
      after: DateTime.Utc,
      memberIds: ReadonlyArray<MemberId>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingConversation>>
    /** Removes those that wait since then or longer, and those that wait for nobody any more. */
    readonly expire: (until: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Since when the first one waits; `null` where none does. */
    readonly oldest: () => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/inbox/AssignmentQueue") {}
