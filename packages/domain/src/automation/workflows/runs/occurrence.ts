import {
  type Facts,
  isMetBy,
  type SourceEvent,
  type Trigger,
  type TriggerEvent,
  triggerEventOf,
  type WorkflowId
} from "../../automations/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import type { LoggedEvent } from "../../../platform/events/index.ts"
import type { RunKey } from "../graph/Node.ts"

/** Something that has happened, as workflows see it. */
export interface Occurrence {
  readonly logged: LoggedEvent<SourceEvent>
  /** What it is as triggers name it; `null` where nothing begins on it. */
  readonly trigger: TriggerEvent | null
}

/** What an event is as workflows see it. */
export const occurrenceOf = (logged: LoggedEvent<SourceEvent>): Occurrence => ({
  logged,
  trigger: triggerEventOf(logged.event)
})

/** Whether it is what a graph says. */
export const isThat = ({ logged, trigger }: Occurrence, wanted: Trigger): boolean =>
  wanted.event === trigger && isMetBy(wanted, logged.event)

/** Whether a workflow has done it itself. */
export const isDoneBy = ({ logged: { causation } }: Occurrence, workflowId: WorkflowId): boolean => {
  const by = causation?.via.at(-1)
  return by !== undefined && by.kind === "workflow" && by.id === workflowId
}

/** The contact, the conversation, the order or the cart that it is about; `null` where it is about none. */
export const subjectOf = (
  by: RunKey,
  event: SourceEvent | null,
  { contactId, conversationId }: { readonly contactId: ContactId; readonly conversationId: Facts["conversationId"] }
): string | null => {
  switch (by) {
    case "contact":
      return contactId
    case "conversation":
      return conversationId
    case "order":
      return event !== null && "orderId" in event ? event.orderId : null
    case "cart":
      return event !== null && "cartId" in event ? event.cartId : null
  }
}
