import { Schema } from "effect"
import { ChatAccountId, MessageTemplateId } from "./Ids.ts"

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
export class NumberTaken extends Schema.TaggedError<NumberTaken>()("NumberTaken", {}) {
  override get message() {
    return "This number is connected elsewhere through the platform app. Disconnect it there first."
  }
}

/** This service offers no app to connect numbers through. */
export class PlatformAppAbsent extends Schema.TaggedError<PlatformAppAbsent>()("PlatformAppAbsent", {}) {
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
export class MessageTemplateState extends Schema.TaggedError<MessageTemplateState>()("MessageTemplateState", {
  status: Schema.String,
  allowed: Schema.Array(Schema.String)
}) {
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
