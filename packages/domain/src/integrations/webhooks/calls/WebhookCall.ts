import type { Schema } from "effect"
import type { ActorRef, Causation } from "../../../kernel/index.ts"

/** What an automation or a workflow posts: no event, but a body of its own. */
export interface WebhookCall {
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly runId: string
  /** Those three are `null` once the contact is erased. */
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly body: Schema.Json
}

/** The type of the deliveries of calls. */
export const callType = "automation.call"
