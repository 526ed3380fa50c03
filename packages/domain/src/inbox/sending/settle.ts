import { DateTime, Effect, Equal } from "effect"
import { transact } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Message, type MessageError } from "../Message.ts"
import { type EarlyReceipt, Messages } from "../Messages.ts"
import { withReceipt } from "../receipts.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import { movesOn } from "../states.ts"
import { keepWaits } from "../waiting/keepWaits.ts"
import { Waits } from "../waiting/Waits.ts"

/** What came of a call of the provider. */
export type Sent =
  | { readonly kind: "sent"; readonly providerMessageId: string }
  | { readonly kind: "failed"; readonly error: MessageError }
  | { readonly kind: "in_doubt" }
  /** There is nothing left to do for it. */
  | { readonly kind: "over" }

/** Without what a late receipt said of an earlier attempt, now that the provider has accepted the message again. */
const renewed = (before: Message, providerMessageId: string): Message =>
  before.status === "failed" && before.providerMessageId !== providerMessageId
    ? new Message({ ...before, status: "queued", failedAt: null, error: null })
    : before

const after = (before: Message, sent: Sent, early: ReadonlyArray<EarlyReceipt>, now: DateTime.Utc): Message => {
  switch (sent.kind) {
    case "over":
      return before
    case "in_doubt":
      return movesOn(before.status, "in_doubt") ? new Message({ ...before, status: "in_doubt" }) : before
    case "failed":
      return movesOn(before.status, "failed")
        ? new Message({ ...before, status: "failed", failedAt: now, error: sent.error })
        : before
    case "sent": {
      const { providerMessageId } = sent
      const named = new Message({ ...renewed(before, providerMessageId), providerMessageId })
      const taken: EarlyReceipt = { providerMessageId, status: "sent", at: now, error: null }
      return [taken, ...early].reduce(withReceipt, named)
    }
  }
}

/**
 * Stores what came of sending, together with the receipts that were quicker. What came of a call is stored also when the lease is
 * lost: whoever took over knows less, and no status moves backwards. Without a call, whoever took over decides.
 */
export const settle = Effect.fnUntraced(function* (lease: SendLease, sent: Sent) {
  const messages = yield* Messages
  const held = yield* (yield* Waits).lockMessage(lease)
  const isSettled = yield* (yield* SendQueue).settle(lease)
  if (held !== null && (isSettled || lease.hasBegun)) {
    const { message: before, waiting } = held
    const early = sent.kind === "sent" ? yield* messages.removeEarly(lease.chatAccountId, [sent.providerMessageId]) : []
    const message = after(before, sent, early, yield* DateTime.now)
    if (!Equal.equals({ ...before }, { ...message })) {
      yield* messages.saveAll(lease.chatAccountId, [message])
      yield* keepWaits(lease.chatAccountId, waiting, before, message)
      const { conversationId, id: messageId, status: to } = message
      const { status: from } = before
      if (from !== to) {
        yield* appendEvent({
          type: "message.status_changed",
          conversationId,
          messageId,
          from,
          to
        })
      }
    }
  }
}, transact)
