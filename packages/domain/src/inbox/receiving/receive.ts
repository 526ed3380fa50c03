import type { DateTime } from "effect"
import { introduce } from "./introduce.ts"
import type { KnownToReceiving } from "./KnownToReceiving.ts"
import type { PersonalEvent } from "./PersonalEvent.ts"
import { receiveEcho } from "./receiveEcho.ts"
import { receiveMessage } from "./receiveMessage.ts"
import { receivePreference } from "./receivePreference.ts"
import { receiveReceipt } from "./receiveReceipt.ts"
import { Receiving } from "./Receiving.ts"
import type { ReceivingOutcome } from "./ReceivingOutcome.ts"

const apply = (receiving: Receiving, { accounts }: KnownToReceiving, event: PersonalEvent) => {
  const chatAccountId = accounts.get(event.phoneId)
  if (chatAccountId === undefined) return receiving.ignore()
  switch (event.kind) {
    case "message":
      return receiveMessage(receiving, chatAccountId, event)
    case "echo":
      return receiveEcho(receiving, chatAccountId, event)
    case "receipt":
      return receiveReceipt(receiving, chatAccountId, event)
    case "preference":
      return receivePreference(receiving, event)
  }
}

/**
 * What comes of these events. Shuffled, repeated, or told in other batches they come to the same messages in the same order,
 * statuses, counts and windows. Nothing is read or stored here, and the ids of what is new come from outside.
 */
export const receive = (
  known: KnownToReceiving,
  events: ReadonlyArray<PersonalEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReceivingOutcome => {
  const receiving = new Receiving(known, now, nextId)
  introduce(receiving.meeting, known, events)
  for (const event of events) apply(receiving, known, event)
  return receiving.outcome
}
