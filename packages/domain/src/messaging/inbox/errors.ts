import { Schema } from "effect"
import { ContactId, IdentityKind } from "../../crm/index.ts"
import { ConversationStatus } from "./Conversation.ts"
import { ConversationId, MessageStatus } from "./Message.ts"

/** The conversation cannot move from this status to the other one. */
export class ConversationTransitionInvalid extends Schema.TaggedError<ConversationTransitionInvalid>()(
  "ConversationTransitionInvalid",
  { from: ConversationStatus, to: ConversationStatus, allowed: Schema.Array(ConversationStatus) }
) {
  override get message() {
    return `A conversation that is ${this.from} cannot become ${this.to}. It can become ${this.allowed.join(" or ")}.`
  }
}

/** The contact has an unresolved conversation over this number. */
export class ConversationExists extends Schema.TaggedError<ConversationExists>()("ConversationExists", {
  conversationId: ConversationId
}) {
  override get message() {
    return `The conversation ${this.conversationId} with this contact over this number is not resolved yet.`
  }
}

/** The service window is closed: only templates are allowed. */
export class ServiceWindowClosed extends Schema.TaggedError<ServiceWindowClosed>()("ServiceWindowClosed", {
  expiredAt: Schema.NullOr(Schema.String)
}) {
  override get message() {
    return this.expiredAt === null
      ? "The recipient has not written to this number yet. Send a template."
      : `The service window closed at ${this.expiredAt}. Send a template, or wait until the recipient writes again.`
  }
}

/** The contact is blocked, or has no identity that this number can reach. */
export class ContactUnreachable extends Schema.TaggedError<ContactUnreachable>()("ContactUnreachable", {
  reason: Schema.Literals(["blocked", "no_identity", "recipient_removed"])
}) {
  override get message() {
    switch (this.reason) {
      case "blocked":
        return "The contact is blocked. Unblock it first."
      case "no_identity":
        return "The contact has no phone number and no chat user id."
      case "recipient_removed":
        return "The contact no longer has the identity of the recipient. Specify another recipient."
    }
  }
}

/** The recipient belongs to another person by now. The contact is `null` if that person has not written yet. */
export class RecipientReassigned extends Schema.TaggedError<RecipientReassigned>()("RecipientReassigned", {
  contactId: Schema.NullOr(ContactId),
  kind: IdentityKind
}) {
  override get message() {
    const kind = this.kind.replaceAll("_", " ")
    const owner = this.contactId === null ? "another person" : `the contact ${this.contactId}`
    return `The ${kind} of the recipient now belongs to ${owner}. Choose another recipient, or merge the contacts if they are one person.`
  }
}

export class ChatAccountDisconnected extends Schema.TaggedError<ChatAccountDisconnected>()(
  "ChatAccountDisconnected",
  {}
) {
  override get message() {
    return "The chat account is disconnected. Connect it again."
  }
}

export class TemplateNotApproved extends Schema.TaggedError<TemplateNotApproved>()("TemplateNotApproved", {
  status: Schema.String
}) {
  override get message() {
    return `The message template is ${this.status}. Only approved templates can be sent.`
  }
}

/** The status of the message does not allow a retry. */
export class MessageNotRetryable extends Schema.TaggedError<MessageNotRetryable>()("MessageNotRetryable", {
  status: MessageStatus
}) {
  override get message() {
    return this.status === "in_doubt"
      ? "It is unknown whether this message was sent. To send it again anyway, set allowDuplicate."
      : `The message is ${this.status}. Only failed messages can be retried.`
  }
}

/** The code of a message with a one-time code was deleted after its use or its expiry. */
export class OneTimeCodeErased extends Schema.TaggedError<OneTimeCodeErased>()("OneTimeCodeErased", {}) {
  override get message() {
    return "The one-time code of this message was deleted. Send a new message with a new code."
  }
}

/** Only the author can change a note. */
export class NotNoteAuthor extends Schema.TaggedError<NotNoteAuthor>()("NotNoteAuthor", {}) {
  override get message() {
    return "Only the author can change this note. Members who manage members can delete it."
  }
}

/** The type or the size of the file cannot be sent. */
export class MediaRefused extends Schema.TaggedError<MediaRefused>()("MediaRefused", {
  reason: Schema.Literals(["type", "size", "content"]),
  detail: Schema.String,
  /** Maximum size of this file in bytes, for the reason `size`. */
  max: Schema.optionalKey(Schema.Int)
}) {
  override get message() {
    return this.detail
  }
}

/** The bytes are permanently unavailable: the provider has deleted them, or refuses the download. */
export class MediaGone extends Schema.TaggedError<MediaGone>()("MediaGone", {}) {
  override get message() {
    return "The chat provider no longer has the file. Ask the contact to send it again."
  }
}

/** The provider cannot deliver the bytes now. */
export class MediaUnavailable extends Schema.TaggedError<MediaUnavailable>()("MediaUnavailable", {}) {
  override get message() {
    return "The chat provider cannot deliver the file now. Try again later."
  }
}
