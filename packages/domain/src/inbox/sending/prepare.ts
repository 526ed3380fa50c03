import { DateTime, Effect } from "effect"
import {
  type Business,
  channelFor,
  ChatChannels,
  dailyLimitOf,
  type MessageSending,
  type Outgoing,
  type Recipient
} from "../../chat/index.ts"
import { type ContactId, Contacts } from "../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import { ContactUnreachable } from "../Errors.ts"
import { Messages } from "../Messages.ts"
import type { SendLease } from "../SendQueue.ts"
import { isWindowOpen, reachedBy, recipientNow, windowOf } from "../recipients.ts"
import { requireOwn } from "../writing/reach.ts"
import { cannotSend } from "./CannotSend.ts"
import { answeredTo, contentFor } from "./contentFor.ts"
import { findLine } from "./findLine.ts"

/** A message that is ready to be given to the provider, and to whom it goes. */
export interface Prepared {
  readonly outgoing: Outgoing
  /** Gives it to the provider. */
  readonly call: ReturnType<MessageSending["send"]>
  readonly contactId: ContactId
  /** How fast the account may send, as far as the provider has said. */
  readonly throughputPerSecond: number | null
  /** Whom it counts for as somebody who is written to outside of a service window; `null` where that is not limited. */
  readonly reaching: { readonly business: Business; readonly recipient: Recipient } | null
}

const defaultRecipient = Effect.fnUntraced(function* (
  conversation: Conversation,
  provider: string | null,
  ways: ReadonlyArray<Recipient>
) {
  const sending = (yield* ChatChannels).get(provider ?? "")?.sending
  return sending === undefined ? null : recipientNow(conversation, reachedBy(ways, sending), yield* DateTime.now)
})

/** It goes to whom it was written to, whatever the contact is known by since, but to nobody who is another contact by now. */
const findRecipient = Effect.fnUntraced(
  function* (conversationId: ConversationId, written: Recipient | null) {
    const { conversation, provider, ways } = yield* (yield* Conversations).get(conversationId)
    const contact = yield* (yield* Contacts).get(conversation.contactId)
    if (contact.blockedAt !== null) return yield* cannotSend("contact_blocked", "The contact is blocked.")
    const to = written ?? (yield* defaultRecipient(conversation, provider, ways))
    if (to === null)
      return yield* cannotSend("contact_unreachable", new ContactUnreachable({ reason: "no_identity" }).message)
    yield* requireOwn(contact, to)
    return { to, contactId: contact.id, windowExpiresAt: windowOf(conversation, to) }
  },
  Effect.catchTags({
    RecipientTaken: ({ message }) => Effect.fail(cannotSend("recipient_taken", message)),
    NotFound: () => Effect.fail(cannotSend("contact_unreachable", "The contact is not there any more."))
  })
)

/** Reads everything that goes to the provider; `null` if the message does not wait any more. */
export const prepare = Effect.fnUntraced(function* ({ chatAccountId, conversationId, messageId }: SendLease) {
  const messages = yield* Messages
  const message = yield* Effect.catchTag(messages.get(conversationId, messageId), "NotFound", () =>
    Effect.succeed(null)
  )
  if (message?.status !== "queued") return null
  const { contactId, to, windowExpiresAt } = yield* findRecipient(conversationId, message.recipient)
  const sending = yield* findLine(chatAccountId)
  const { account, line } = sending
  // A template is not there when its number was removed meanwhile: then that is why.
  const content = yield* Effect.tapErrorTag(contentFor(sending, message), "CannotSend", () => findLine(chatAccountId))
  const replyTo = content.kind === "reaction" ? null : yield* answeredTo(conversationId, message.replyToId)
  const outgoing: Outgoing = { to, content, replyTo, reference: message.id }
  const { send } = yield* Effect.catchTag(channelFor(account, "sending"), "UnsupportedByChannel", ({ message }) =>
    Effect.fail(cannotSend("unsupported_by_channel", message))
  )
  const { throughputPerSecond } = account
  const isOutside = !isWindowOpen(windowExpiresAt, yield* DateTime.now)
  const counts = content.kind === "template" && isOutside && dailyLimitOf(account) !== null
  return {
    outgoing,
    contactId,
    throughputPerSecond,
    reaching: counts ? { business: account, recipient: to } : null,
    call: send(line, outgoing)
  } satisfies Prepared
})
