import { DateTime, Duration, Effect, Schema } from "effect"
import { PhoneNumber } from "../../crm/index.ts"
import { isStorable, Timestamp, Uuid } from "../../kernel/index.ts"
import { SingleLineText } from "../../platform/identity/index.ts"
import { NumberDetails } from "./onboarding/NumberDetails.ts"
import { initialOnboarding, OnboardingState } from "./onboarding/OnboardingState.ts"
import { RegistrationPin } from "./onboarding/pin.ts"
import { SignupSession } from "./onboarding/SignupSession.ts"

export const ChatAccountId = Uuid.pipe(Schema.brand("ChatAccountId"))
export type ChatAccountId = typeof ChatAccountId.Type

export const MessageTemplateId = Uuid.pipe(Schema.brand("MessageTemplateId"))
export type MessageTemplateId = typeof MessageTemplateId.Type

/** Name of a chat provider, such as `whatsapp`. It selects the channel of an account. */
export const ChatProvider = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{0,31}$/u, { message: "Expected the name of a provider, such as whatsapp" })
).annotate({ identifier: "ChatProvider" })

/** Quality rating of a number or a template by the provider. */
export const Quality = Schema.Literals(["green", "yellow", "red", "unknown"])
export type Quality = typeof Quality.Type

/** Owner of the app that the number is connected through: the organization, or the operator of this service. */
export const ChatAccountMode = Schema.Literals(["own_app", "platform_app"])
export type ChatAccountMode = typeof ChatAccountMode.Type

/** `degraded`: connected, but the provider limits or refuses messages. */
export const ChatAccountStatus = Schema.Literals(["connected", "disconnected", "degraded"])
export type ChatAccountStatus = typeof ChatAccountStatus.Type

/** Name of an account for the members of the organization. */
export const DisplayName = SingleLineText.check(
  Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" })
)

/** Id assigned by the provider. It becomes a part of addresses, so it does not start with a dot. */
export const ProviderId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}$/u, {
    message: "Expected an id of the provider, such as 106540352242922"
  })
)

/** Secret of the provider, such as an access token. Responses never contain it. */
export const ProviderSecret = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.isPattern(/^[\x21-\x7e]+$/u, { message: "Expected printable characters without spaces" }),
    Schema.isMaxCodePoints(1_000, { message: "Expected at most 1000 characters" })
  )
)

/** Error of an account in the provider's terms. `code` is the provider's code; `null` without one. */
export const ChatAccountError = Schema.Struct({
  code: Schema.NullOr(Schema.Int),
  reason: Schema.String,
  /** Set if `restrictions` degrade the account. Their end also ends this error. */
  cause: Schema.optionalKey(Schema.Literal("restriction"))
}).annotate({ identifier: "ChatAccountError" })
export type ChatAccountError = typeof ChatAccountError.Type

/** Messages, calls or actions that a restriction stops. */
export const RestrictionScope = Schema.Literals([
  "business_initiated_messages",
  "customer_initiated_messages",
  "business_initiated_calls",
  "customer_initiated_calls",
  "phone_numbers",
  "utility_templates",
  "unknown"
])
export type RestrictionScope = typeof RestrictionScope.Type

/** Restriction of an account by the provider. `type` is the provider's name. */
export const ChatAccountRestriction = Schema.Struct({
  type: Schema.String,
  scopes: Schema.Array(RestrictionScope),
  /** `null` if the provider reports no end. */
  expiresAt: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ChatAccountRestriction" })
export type ChatAccountRestriction = typeof ChatAccountRestriction.Type

/** Subject of a notice of the provider about an account. */
export const NoticeTopic = Schema.Literals([
  "account",
  "alert",
  "errors",
  "group",
  "handover",
  "history",
  "name",
  "payment",
  "review",
  "security",
  "username"
])
export type NoticeTopic = typeof NoticeTopic.Type

/** Number that the organization sends from. */
export class ChatAccount extends Schema.Class<ChatAccount>("ChatAccountRecord")({
  id: ChatAccountId,
  provider: ChatProvider,
  mode: ChatAccountMode,
  displayName: DisplayName,
  phone: Schema.NullOr(PhoneNumber),
  externalAccountId: ProviderId,
  externalPhoneId: ProviderId,
  /** The provider's id of the account that pays for messages, if it is known to differ. */
  messagingAccountId: Schema.NullOr(ProviderId).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  /** URL that messages are posted to; `null` if the provider has one URL for all accounts. */
  url: Schema.NullOr(Schema.String),
  status: ChatAccountStatus,
  qualityRating: Quality,
  messagingLimit: Schema.NullOr(Schema.String),
  throughputPerSecond: Schema.NullOr(Schema.Int),
  /** Fields of the number at the last check; `null` before the first one. */
  number: Schema.NullOr(NumberDetails).pipe(Schema.withConstructorDefault(Effect.succeed(null))),
  onboarding: OnboardingState.pipe(Schema.withConstructorDefault(Effect.succeed(initialOnboarding))),
  lastCheckedAt: Schema.NullOr(Timestamp),
  lastError: Schema.NullOr(ChatAccountError),
  /** Restrictions that the provider reported last. Some of them can have ended. */
  restrictions: Schema.Array(ChatAccountRestriction).pipe(Schema.withConstructorDefault(Effect.succeed([]))),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** Whether the id is one of the account's business accounts. A number can belong to several. */
export const isOfBusiness = (
  { externalAccountId, messagingAccountId }: Pick<ChatAccount, "externalAccountId" | "messagingAccountId">,
  businessId: string
): boolean => businessId === externalAccountId || businessId === messagingAccountId

const { onboarding: _, ...shownFields } = ChatAccount.fields

/** Chat account in responses, with its webhook URL. */
export class ChatAccountView extends Schema.Class<ChatAccountView>("ChatAccount")({
  ...shownFields,
  webhookUrl: Schema.String,
  verifyToken: Schema.NullOr(Schema.String).annotate({
    description:
      "Token that the provider sends when it verifies the webhook. Only for admins, and only for the organization's own app."
  }),
  signingSecret: Schema.NullOr(Schema.String).annotate({
    description:
      "Signing secret of requests in both directions, for accounts with their own URL. It is in the creating answer only."
  }),
  registrationPin: Schema.NullOr(Schema.String).annotate({
    description:
      "PIN of the two-step verification that Parley created when it registered the number. One answer and its idempotent repetitions show it; `null` in all others."
  })
}) {}

/** Returns the restriction that stops this at the given time; `null` if none does. */
export const activeRestriction = (
  { restrictions }: Pick<ChatAccount, "restrictions">,
  scope: RestrictionScope,
  now: DateTime.Utc
): ChatAccountRestriction | null =>
  restrictions.find(
    ({ expiresAt, scopes }) => scopes.includes(scope) && (expiresAt === null || DateTime.isGreaterThan(expiresAt, now))
  ) ?? null

/** Number to connect through the organization's own app. Default provider: `whatsapp`. */
export const NewNumber = Schema.Struct({
  provider: Schema.optionalKey(ChatProvider),
  displayName: Schema.optionalKey(DisplayName),
  externalAccountId: ProviderId,
  externalPhoneId: ProviderId,
  messagingAccountId: Schema.optionalKey(ProviderId),
  accessToken: ProviderSecret,
  appSecret: ProviderSecret,
  appId: Schema.optionalKey(ProviderId).annotate({
    description: "Id of the app with this secret. If given, a token of another app is refused."
  }),
  overrideCallback: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Delivers the events of this business account to Parley, even if the app has another webhook URL. Default: false."
  })
}).annotate({ identifier: "NewNumber" })
export type NewNumber = typeof NewNumber.Type

/** URL of an account; messages are posted to it. */
export const EndpointUrl = Schema.String.check(
  isStorable,
  Schema.isBetweenCodePoints(1, 2_000, { message: "Expected 1 to 2000 characters" })
)

/** Account with its own URL, such as one of `webhook`. Messages are posted to it. */
export const NewEndpoint = Schema.Struct({
  provider: ChatProvider,
  displayName: DisplayName,
  url: EndpointUrl
}).annotate({ identifier: "NewEndpoint" })
export type NewEndpoint = typeof NewEndpoint.Type

export const NewChatAccount = Schema.Union([NewEndpoint, NewNumber]).annotate({ identifier: "NewChatAccount" })
export type NewChatAccount = typeof NewChatAccount.Type

/** Changes of a chat account. After a new app secret, the former one stays valid for one day, which prevents the loss of deliveries. */
export const ChatAccountPatch = Schema.Struct({
  displayName: Schema.optionalKey(DisplayName),
  url: Schema.optionalKey(EndpointUrl),
  messagingAccountId: Schema.optionalKey(Schema.NullOr(ProviderId)).annotate({
    description: "Business account that pays for messages and owns the templates. Null: the one of the number."
  }),
  accessToken: Schema.optionalKey(ProviderSecret),
  appSecret: Schema.optionalKey(ProviderSecret)
}).annotate({ identifier: "ChatAccountPatch" })
export type ChatAccountPatch = typeof ChatAccountPatch.Type

const signupOptions = {
  code: ProviderSecret,
  displayName: Schema.optionalKey(DisplayName),
  pin: Schema.optionalKey(RegistrationPin).annotate({
    description: "PIN of a number that already has two-step verification. Without it, Parley creates a PIN."
  }),
  overrideCallback: Schema.optionalKey(Schema.Boolean)
}

/** Number to connect through the platform app, by its ids. */
export const PlatformSignup = Schema.Struct({
  ...signupOptions,
  externalAccountId: ProviderId,
  externalPhoneId: ProviderId,
  messagingAccountId: Schema.optionalKey(ProviderId),
  coexistence: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Whether the number stays in use in the provider's business app. Default: false."
  })
}).annotate({ identifier: "PlatformSignup" })
export type PlatformSignup = typeof PlatformSignup.Type

/** Number to connect through the platform app, with the session event of the signup as the browser received it. */
export const PlatformSignupSession = Schema.Struct({
  ...signupOptions,
  code: Schema.optionalKey(ProviderSecret),
  externalPhoneId: Schema.optionalKey(ProviderId),
  session: SignupSession
}).annotate({ identifier: "PlatformSignupSession" })
export type PlatformSignupSession = typeof PlatformSignupSession.Type

export const NewPlatformNumber = Schema.Union([PlatformSignupSession, PlatformSignup]).annotate({
  identifier: "NewPlatformNumber"
})
export type NewPlatformNumber = typeof NewPlatformNumber.Type

/** Whether this service has a platform app, with the data for its signup. The secret is excluded. */
export const PlatformApp = Schema.Struct({
  offered: Schema.Boolean,
  appId: Schema.NullOr(Schema.String),
  signupConfigurationId: Schema.NullOr(Schema.String),
  webhookPath: Schema.String
}).annotate({ identifier: "PlatformApp" })
export type PlatformApp = typeof PlatformApp.Type

/** Time that queued messages wait for a removed number: the period in which an answer is allowed. */
const sendWaitTimeout = Duration.days(1)

/** Returns the time until which queued messages wait for a number removed at that time. */
export const sendWaitDeadline = (removedAt: DateTime.Utc): DateTime.Utc =>
  DateTime.addDuration(removedAt, sendWaitTimeout)
