import { DateTime, Duration, Schema } from "effect"
import { PhoneNumber } from "../../crm/index.ts"
import { Timestamp, Uuid } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"

export const ChatAccountId = Uuid.pipe(Schema.brand("ChatAccountId"))
export type ChatAccountId = typeof ChatAccountId.Type

export const MessageTemplateId = Uuid.pipe(Schema.brand("MessageTemplateId"))
export type MessageTemplateId = typeof MessageTemplateId.Type

/** The name of a provider of chat, such as `whatsapp`: it says which channel an account goes through. */
export const ChatProvider = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/u, { message: "Expected the name of a provider, such as whatsapp" })
).annotate({ identifier: "ChatProvider" })

/** How the provider rates a number or a template. */
export const Quality = Schema.Literals(["green", "yellow", "red", "unknown"])
export type Quality = typeof Quality.Type

/** Whose app the number is connected through: the organization's own, or the one of this service. */
export const ChatAccountMode = Schema.Literals(["own_app", "platform_app"])
export type ChatAccountMode = typeof ChatAccountMode.Type

/** `degraded`: connected, but the provider limits or refuses what it sends. */
export const ChatAccountStatus = Schema.Literals(["connected", "disconnected", "degraded"])
export type ChatAccountStatus = typeof ChatAccountStatus.Type

const DisplayName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** An id that the provider has given. */
export const ProviderId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_.-]{1,64}$/u, { message: "Expected an id of the provider, such as 106540352242922" })
)

/** A secret of the provider, such as an access token. It is never shown again. */
export const ProviderSecret = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]+$/u, { message: "Expected printable characters without spaces" }),
    Schema.isMaxCodePoints(1_000, { message: "Expected at most 1000 characters" })
  )
)

/** What went wrong with an account, in the provider's words. `code` is the provider's; `null` where it gave none. */
export const ChatAccountError = Schema.Struct({ code: Schema.NullOr(Schema.Int), reason: Schema.String }).annotate({
  identifier: "ChatAccountError"
})
export type ChatAccountError = typeof ChatAccountError.Type

/** A number that the organization writes from. */
export class ChatAccount extends Schema.Class<ChatAccount>("ChatAccountRecord")({
  id: ChatAccountId,
  provider: ChatProvider,
  mode: ChatAccountMode,
  displayName: DisplayName,
  phone: Schema.NullOr(PhoneNumber),
  externalAccountId: ProviderId,
  externalPhoneId: ProviderId,
  /** Where its messages are posted; `null` where the provider has an address for all. */
  url: Schema.NullOr(Schema.String),
  status: ChatAccountStatus,
  qualityRating: Quality,
  messagingLimit: Schema.NullOr(Schema.String),
  throughputPerSecond: Schema.NullOr(Schema.Int),
  lastCheckedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(ChatAccountError),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** A chat account as it is shown: with where the provider delivers to. */
export class ChatAccountView extends Schema.Class<ChatAccountView>("ChatAccount")({
  ...ChatAccount.fields,
  webhookUrl: Schema.String,
  verifyToken: Schema.NullOr(Schema.String).annotate({
    description:
      "What the provider proves itself with when it verifies the webhook. Only for admins, and only with the organization's own app."
  }),
  signingSecret: Schema.NullOr(Schema.String).annotate({
    description:
      "What requests are signed with, in both directions, where the account is an address of its own. It is shown once: in the answer that makes it."
  })
}) {}

/** What is said of a number that is connected through the organization's own app: of `whatsapp`, if nothing else is said. */
export const NewNumber = Schema.Struct({
  provider: Schema.optionalKey(ChatProvider),
  displayName: Schema.optionalKey(DisplayName),
  externalAccountId: ProviderId,
  externalPhoneId: ProviderId,
  accessToken: ProviderSecret,
  appSecret: ProviderSecret
}).annotate({ identifier: "NewNumber" })
export type NewNumber = typeof NewNumber.Type

/** The address of an account: messages are posted there. */
export const EndpointUrl = Schema.String.check(
  Schema.isBetweenCodePoints(1, 2_000, { message: "Expected 1 to 2000 characters" })
)

/** What is said of an account that is an address of its own, such as one of `webhook`: messages are posted there. */
export const NewEndpoint = Schema.Struct({
  provider: ChatProvider,
  displayName: DisplayName,
  url: EndpointUrl
}).annotate({ identifier: "NewEndpoint" })
export type NewEndpoint = typeof NewEndpoint.Type

/** What is said of an account that is connected. */
export const NewChatAccount = Schema.Union([NewEndpoint, NewNumber]).annotate({ identifier: "NewChatAccount" })
export type NewChatAccount = typeof NewChatAccount.Type

/** What may be changed of a chat account. A new app secret stands beside the former one for a day, so that no delivery is lost. */
export const ChatAccountPatch = Schema.Struct({
  displayName: Schema.optionalKey(DisplayName),
  url: Schema.optionalKey(EndpointUrl),
  accessToken: Schema.optionalKey(ProviderSecret),
  appSecret: Schema.optionalKey(ProviderSecret)
}).annotate({ identifier: "ChatAccountPatch" })
export type ChatAccountPatch = typeof ChatAccountPatch.Type

/** What is said of a number that is connected through the platform app. */
export const PlatformSignup = Schema.Struct({
  code: ProviderSecret,
  externalAccountId: ProviderId,
  externalPhoneId: ProviderId,
  displayName: Schema.optionalKey(DisplayName)
}).annotate({ identifier: "PlatformSignup" })
export type PlatformSignup = typeof PlatformSignup.Type

/** Whether this service offers an app to connect numbers through, and what its signup needs. Never its secret. */
export const PlatformApp = Schema.Struct({
  offered: Schema.Boolean,
  appId: Schema.NullOr(Schema.String),
  signupConfigurationId: Schema.NullOr(Schema.String),
  webhookPath: Schema.String
}).annotate({ identifier: "PlatformApp" })
export type PlatformApp = typeof PlatformApp.Type

/** For how long what is queued waits for a number that was removed: for as long as an answer may go out at all. */
const sendWaitTimeout = Duration.days(1)

/** Until when what is queued waits for a number that was removed then. */
export const sendWaitDeadline = (removedAt: DateTime.Utc): DateTime.Utc =>
  DateTime.addDuration(removedAt, sendWaitTimeout)
