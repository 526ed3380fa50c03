import { Schema } from "effect"
import { ChatAccountId, MessageTemplateId } from "./ChatAccount.ts"

/** What follows from a refusal of the provider. */
export const Remedy = Schema.Literals([
  /** The provider's own fault, or a moment's: the same call may be made again, later and later. */
  "retry",
  /** The number sends too fast: slow down, then retry. */
  "slow_down",
  /** This recipient had a message just now: retry for this one later, the others go on. */
  "delay_recipient",
  /** This recipient cannot get this message. */
  "skip_recipient",
  /** This recipient has had enough of marketing for now. */
  "skip_for_now",
  /** This recipient wants no marketing: unsubscribe. */
  "opt_out",
  /** The service window is closed: only a template may go. */
  "needs_template",
  /** The template is not as it was thought to be: fetch it again. */
  "refresh_template",
  /** The account may not send until its owner has fixed something. */
  "stop_account",
  /** The access of the account has ended: connect it again. */
  "reauthorize",
  /** The call itself was wrong. */
  "give_up"
])
export type Remedy = typeof Remedy.Type

/** The provider has refused: nothing was sent. */
export class ChannelRefused extends Schema.TaggedError<ChannelRefused>()("ChannelRefused", {
  remedy: Remedy,
  code: Schema.Int,
  reason: Schema.String,
  retryAfterMillis: Schema.NullOr(Schema.Int)
}) {
  override get message() {
    return `The chat provider refused: ${this.reason} (${this.code})`
  }
}

/** The provider was not reached: nothing was sent. */
export class ChannelUnreachable extends Schema.TaggedError<ChannelUnreachable>()("ChannelUnreachable", {}) {
  override get message() {
    return "The chat provider could not be reached."
  }
}

/** The call went out and no answer came that says what became of it. It is never repeated by itself. */
export class ChannelInDoubt extends Schema.TaggedError<ChannelInDoubt>()("ChannelInDoubt", {
  reason: Schema.Literals(["timeout", "connection_lost", "server_fault", "unreadable_answer"])
}) {
  override get message() {
    return "It is not known whether the chat provider has taken this."
  }
}

/** Why a call that only reads, or that may be repeated without harm, has failed. */
export type ChannelFailure = ChannelRefused | ChannelUnreachable

/** Whoever asks to have the webhook verified does not know its verify token. */
export class WebhookForbidden extends Schema.TaggedError<WebhookForbidden>()("WebhookForbidden", {}) {
  override get message() {
    return "The verify token is not the one of this webhook."
  }
}

/** The delivery is not signed with a secret that is good for this webhook, whether there is such an organization or not. */
export class WebhookSignatureInvalid extends Schema.TaggedError<WebhookSignatureInvalid>()(
  "WebhookSignatureInvalid",
  {}
) {
  override get message() {
    return "The delivery is not signed with the app secret of this webhook."
  }
}

/** The organization has connected this number already. */
export class ChatAccountExists extends Schema.TaggedError<ChatAccountExists>()("ChatAccountExists", {
  chatAccountId: ChatAccountId
}) {
  override get message() {
    return `This number is connected already, as the chat account ${this.chatAccountId}.`
  }
}

/** The provider has no such number, or does not let the access token use it: it does not say which. */
export class ChatNumberUnknown extends Schema.TaggedError<ChatNumberUnknown>()("ChatNumberUnknown", {
  providerCode: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `The chat provider knows no such number, or the access token may not use it: ${this.reason} Check externalPhoneId, and whose the access token is.`
  }
}

/** The provider does not accept the access token. */
export class ChatTokenRefused extends Schema.TaggedError<ChatTokenRefused>()("ChatTokenRefused", {
  providerCode: Schema.Int,
  reason: Schema.String
}) {
  override get message() {
    return `The chat provider does not accept the access token: ${this.reason}`
  }
}

/** The provider has used up the code of a signup, and then could not be reached. */
export class SignupInterrupted extends Schema.TaggedError<SignupInterrupted>()("SignupInterrupted", {}) {
  override get message() {
    return "The chat provider has taken the code of the signup, and could not be reached any more after that. Nothing was connected. Begin the signup again: a code is good once."
  }
}

/** Another organization has connected this number through the platform app. */
export class NumberConnectedElsewhere extends Schema.TaggedError<NumberConnectedElsewhere>()("NumberTaken", {}) {
  override get message() {
    return "This number is connected elsewhere through the platform app. Disconnect it there first."
  }
}

/** This service offers no app to connect numbers through. */
export class PlatformAppNotConfigured extends Schema.TaggedError<PlatformAppNotConfigured>()("PlatformAppAbsent", {}) {
  override get message() {
    return "This service offers no platform app. Connect the number through an app of your own: POST /chat_accounts."
  }
}

/** The account has a template of this name in this language already. */
export class MessageTemplateExists extends Schema.TaggedError<MessageTemplateExists>()("MessageTemplateExists", {
  messageTemplateId: MessageTemplateId
}) {
  override get message() {
    return `The message template ${this.messageTemplateId} has this name and language already.`
  }
}

/** The template is in a state that does not allow this. */
export class MessageTemplateStatusInvalid extends Schema.TaggedError<MessageTemplateStatusInvalid>()(
  "MessageTemplateState",
  {
    status: Schema.String,
    allowed: Schema.Array(Schema.String)
  }
) {
  override get message() {
    return `The message template is ${this.status}. This can be done while it is ${this.allowed.join(" or ")}.`
  }
}

/** The channel of the account has no such thing. */
export class UnsupportedByChannel extends Schema.TaggedError<UnsupportedByChannel>()("UnsupportedByChannel", {
  provider: Schema.String,
  /** What of the channel was asked for, such as `templates`. */
  need: Schema.String
}) {
  override get message() {
    return `Chat accounts of the provider ${this.provider} have no ${this.need}.`
  }
}
