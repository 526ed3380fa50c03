import type { DateTime } from "effect"
import { resolveCompleteSenders } from "./resolveCompleteSenders.ts"
import type { LoadedState } from "./LoadedState.ts"
import type { PersonalEvent } from "./PersonalEvent.ts"
import { receiveEcho } from "./receiveEcho.ts"
import { receiveMessage } from "./receiveMessage.ts"
import { receivePreference } from "./receivePreference.ts"
import { receiveReceipt } from "./receiveReceipt.ts"
import { InboundBatch } from "./InboundBatch.ts"
import type { ReceivingOutcome } from "./ReceivingOutcome.ts"

const apply = (batch: InboundBatch, { accounts }: LoadedState, event: PersonalEvent) => {
  const chatAccountId = accounts.get(event.phoneId)
  if (chatAccountId === undefined) return batch.ignore()
  switch (event.kind) {
    case "message":
      return receiveMessage(batch, chatAccountId, event)
    case "echo":
      return receiveEcho(batch, chatAccountId, event)
    case "receipt":
      return receiveReceipt(batch, chatAccountId, event)
    case "preference":
      return receivePreference(batch, event)
  }
}

/**
 * Computes the outcome of these events. Shuffled, repeated or batched otherwise, they lead to the same messages in the same order,
 * statuses, counts and windows. Nothing is read or stored here, and the ids of new rows come from outside.
 */
export const receive = (
  known: LoadedState,
  events: ReadonlyArray<PersonalEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReceivingOutcome => {
  const batch = new InboundBatch(known, now, nextId)
  resolveCompleteSenders(batch.contacts, known, events)
  for (const event of events) apply(batch, known, event)
  return batch.outcome
}
