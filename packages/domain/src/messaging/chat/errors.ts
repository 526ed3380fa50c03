import { DateTime, Schema } from "effect"
import { Timestamp } from "../../kernel/index.ts"
import { ChatAccountId, MessageTemplateId } from "./ChatAccount.ts"

/** Consequence of a refusal by the provider. */
export const Remedy = Schema.Literals([
  /** Temporary error or error of the provider: the same call can be retried with backoff. */
  "retry",
  /** The number sends too fast: reduce the rate, then retry. */
  "slow_down",
  /** The recipient got a message a moment ago: retry this recipient later; others continue. */
  "delay_recipient",
  /** This recipient cannot get this message. */
  "skip_recipient",
  /** This recipient has reached the limit of marketing messages for now. */
  "skip_for_now",
  /** This recipient wants no marketing: unsubscribe. */
  "opt_out",
  /** The service window is closed: only a template is allowed. */
  "needs_template",
  /** The template differs from the stored one: fetch it again. */
  "refresh_template",
  /** A value of the template is invalid: messages with other values can succeed. */
  "fix_values",
  /** The provider limits the number: broadcasts over it stop, answers continue. */
  "stop_campaigns",
  /** The provider allows the call again after minutes or days. */
  "try_later",
  /** The account cannot send until its owner fixes a problem. */
  "stop_account",
  /** The access of the account has ended: reconnect it. */
  "reauthorize",
  /** The call itself was invalid. */
  "give_up"
])
export type Remedy = typeof Remedy.Type

/** Numbers that a refusal about an account concerns: the number itself, or all numbers of its business account. */
export const RefusalScope = Schema.Literals(["number", "business_account"])
export type RefusalScope = typeof RefusalScope.Type

/** The provider refused the call. Nothing was sent. */
export class ChannelRefused extends Schema.TaggedError<ChannelRefused>()("ChannelRefused", {
  remedy: Remedy,
  code: Schema.Int,
  reason: Schema.String,
  retryAfterMillis: Schema.NullOr(Schema.Int),
  /** The provider's code within the code, such as the fault of a template. */
  subcode: Schema.optionalKey(Schema.Int),
  /** Default: the number. */
  scope: Schema.optionalKey(RefusalScope)
}) {
  override get message() {
    const code = this.subcode === undefined ? `${this.code}` : `${this.code}/${this.subcode}`
    return `The chat provider rejected the request: ${this.reason} (${code})`
  }
}

/** The provider was unreachable. Nothing was sent. */
export class ChannelUnreachable extends Schema.TaggedError<ChannelUnreachable>()("ChannelUnreachable", {}) {
  override get message() {
    return "The chat provider is not reachable. Repeat the call later."
  }
}

/** The call was made, but its result is unknown. It is never retried automatically. */
export class ChannelInDoubt extends Schema.TaggedError<ChannelInDoubt>()("ChannelInDoubt", {
  reason: Schema.Literals(["timeout", "connection_lost", "server_fault", "unreadable_answer"])
}) {
  override get message() {
    return "The chat provider did not confirm the request. The result is unknown."
  }
}

/** Failure of a call that only reads, or that can be repeated safely. */
export type ChannelFailure = ChannelRefused | ChannelUnreachable

/** The verification request has a wrong verify token. */
export class WebhookForbidden extends Schema.TaggedError<WebhookForbidden>()("WebhookForbidden", {}) {
  override get message() {
    return "The verify token does not match this webhook."
  }
}

/** The signature of the delivery matches no valid secret of this webhook. The error is the same for an unknown organization. */
export class WebhookSignatureInvalid extends Schema.TaggedError<WebhookSignatureInvalid>()(
  "WebhookSignatureInvalid",
  {}
) {
  override get message() {
    return "The signature does not match the app secret of this webhook."
  }
}

export class ChatAccountExists extends Schema.TaggedError<ChatAccountExists>()("ChatAccountExists", {
  chatAccountId: ChatAccountId
}) {
  override get message() {
    return `This number is already connected as the chat account ${this.chatAccountId}. Change it with PATCH /chat_accounts/:id, for example its access token.`
  }
}

/** The provider does not know the number, or denies access with this token. It does not distinguish the two. */
export class ChatNumberUnknown extends Schema.TaggedError<ChatNumberUnknown>()("ChatNumberUnknown", {
  providerCode: Schema.Int,
  reason: Schema.String,
  /** JSON pointer to the field of the request to correct. Empty: the request has no such field. */
  pointer: Schema.String
}) {
  override get message() {
    return `The chat provider does not know the number, or the access token has no access to it: ${this.reason} Check externalPhoneId and the owner of the access token.`
  }
}

export class ChatTokenRefused extends Schema.TaggedError<ChatTokenRefused>()("ChatTokenRefused", {
  providerCode: Schema.Int,
  reason: Schema.String,
  /** JSON pointer to the field of the request to correct. Empty: the token is stored, and the account needs another one. */
  pointer: Schema.String
}) {
  override get message() {
    return `The chat provider rejected the access token: ${this.reason}`
  }
}

/** The provider consumed the code of a signup and was then unreachable. */
export class SignupInterrupted extends Schema.TaggedError<SignupInterrupted>()("SignupInterrupted", {}) {
  override get message() {
    return "The chat provider accepted the code of the signup and then became unreachable. Nothing was connected. A code works once: start the signup again."
  }
}

/** Another organization has connected this number through the platform app. */
export class NumberConnectedElsewhere extends Schema.TaggedError<NumberConnectedElsewhere>()(
  "NumberConnectedElsewhere",
  {}
) {
  override get message() {
    return "Another organization has connected this number through the platform app. Disconnect it there first."
  }
}

export class PlatformAppNotConfigured extends Schema.TaggedError<PlatformAppNotConfigured>()(
  "PlatformAppNotConfigured",
  {}
) {
  override get message() {
    return "This service has no platform app configured. Connect the number through your own app: POST /chat_accounts."
  }
}

/** The account already has a template with this name and language. */
export class MessageTemplateExists extends Schema.TaggedError<MessageTemplateExists>()("MessageTemplateExists", {
  messageTemplateId: MessageTemplateId
}) {
  override get message() {
    return `The message template ${this.messageTemplateId} already has this name and language.`
  }
}

/** The status of the template does not allow this operation. */
export class MessageTemplateStatusInvalid extends Schema.TaggedError<MessageTemplateStatusInvalid>()(
  "MessageTemplateStatusInvalid",
  {
    status: Schema.String,
    allowed: Schema.Array(Schema.String)
  }
) {
  override get message() {
    return `The message template is ${this.status}. This is possible while it is ${this.allowed.join(" or ")}.`
  }
}

/** The provider limits the edits of an approved template. */
export class MessageTemplateEditLimited extends Schema.TaggedError<MessageTemplateEditLimited>()(
  "MessageTemplateEditLimited",
  { retryAt: Timestamp }
) {
  override get message() {
    return `The provider allows one edit of an approved template per day and ten in 30 days. The next edit is possible at ${DateTime.formatIso(this.retryAt)}.`
  }
}

export class UnsupportedByChannel extends Schema.TaggedError<UnsupportedByChannel>()("UnsupportedByChannel", {
  provider: Schema.String,
  /** Requested capability of the channel, such as `templates`. */
  need: Schema.String
}) {
  override get message() {
    return `Chat accounts of the provider ${this.provider} do not support ${this.need}.`
  }
}
