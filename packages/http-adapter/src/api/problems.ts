import * as Kernel from "@parley/domain/kernel"
import * as Platform from "@parley/domain/platform"
import * as Crm from "@parley/domain/crm"
import * as Messaging from "@parley/domain/messaging"
import * as Integrations from "@parley/domain/integrations"
import * as Campaigns from "@parley/domain/campaigns"
import * as Commerce from "@parley/domain/commerce"
import * as Automation from "@parley/domain/automation"
import { Schema } from "effect"
import { problem } from "./problem.ts"

/** The service is not able to answer now. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many requests. Try again in ${this.retryAfterSeconds} seconds.`
  }
}

/** The body is larger than the service reads. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", { max: Schema.Int }) {
  override get message() {
    return `The body exceeds ${Kernel.formatBytes(this.max)}.`
  }
}

/** The received bytes are no HTTP/1.1 request. */
export class RequestMalformed extends Schema.TaggedError<RequestMalformed>()("RequestMalformed", {}) {
  override get message() {
    return "The request is not a valid HTTP/1.1 request."
  }
}

/** The request took too long to arrive. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {}) {
  override get message() {
    return "The request did not arrive in time."
  }
}

/** The request line and the headers are larger than the service reads. */
export class HeadersTooLarge extends Schema.TaggedError<HeadersTooLarge>()("HeadersTooLarge", {}) {
  override get message() {
    return "The URL and the headers of the request are too large."
  }
}

/** Nothing lives at this path. */
export class PathNotFound extends Schema.TaggedError<PathNotFound>()("PathNotFound", {}) {
  override get message() {
    return "This path does not exist."
  }
}

/** The path does not know this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allowed: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This path supports: ${this.allowed.join(", ")}.`
  }
}

/** The body is of a type that the endpoint does not read. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  accepted: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This endpoint does not support this media type. Send ${this.accepted.join(" or ")}, and text in UTF-8.`
  }
}

/** The Idempotency-Key is not one. */
export class IdempotencyKeyInvalid extends Schema.TaggedError<IdempotencyKeyInvalid>()("IdempotencyKeyInvalid", {}) {
  override get message() {
    return "An Idempotency-Key is 1 to 255 visible ASCII characters."
  }
}

/** Something went wrong inside; what, is in the service's log under the request's id. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {}) {
  override get message() {
    return "An internal error occurred. Specify the request id when you report it."
  }
}

/** The service cannot answer now: its database is away or does not keep up, or it starts, stops or is overloaded. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", {
  retryAfterSeconds: Schema.Int,
  /** Whether the change may have been committed. */
  outcomeUnknown: Schema.Boolean
}) {
  override get message() {
    const again = `Try again in ${this.retryAfterSeconds} ${this.retryAfterSeconds === 1 ? "second" : "seconds"}.`
    return this.outcomeUnknown
      ? `The service lost its database during the commit. The change may or may not be stored: check before you repeat the request.`
      : `The service is unavailable. Nothing was changed. ${again}`
  }
}

export const ValidationFailed = problem(Kernel.ValidationFailed, 400, "The request is not valid")
export const Malformed = problem(RequestMalformed, 400, "The request is malformed")
export const CursorInvalid = problem(Kernel.CursorInvalid, 400, "The cursor is not valid")
export const OrganizationHeaderMissing = problem(
  Platform.OrganizationHeaderMissing,
  400,
  "X-Organization-Id is missing"
)
export const OrganizationHeaderInvalid = problem(
  Platform.OrganizationHeaderInvalid,
  400,
  "X-Organization-Id is not an id"
)
export const DocsCodeInvalid = problem(Platform.DocsCodeInvalid, 400, "The code is not valid")
export const InvitationInvalid = problem(Platform.InvitationInvalid, 400, "The invitation is not valid")
export const PasswordResetInvalid = problem(Platform.PasswordResetInvalid, 400, "The password reset link is not valid")
export const KeyInvalid = problem(IdempotencyKeyInvalid, 400, "The idempotency key is not valid")
export const Unauthenticated = problem(Platform.Unauthenticated, 401, "An access token is required")
export const InvalidCredentials = problem(Platform.InvalidCredentials, 401, "The credentials are wrong")
export const TokenInvalid = problem(Platform.TokenInvalid, 401, "The token is not valid")
export const TokenExpired = problem(Platform.TokenExpired, 401, "The token has expired")
export const TokenRevoked = problem(Platform.TokenRevoked, 401, "The token has been revoked")
export const SessionReuseDetected = problem(Platform.SessionReuseDetected, 401, "The refresh token was already used")
export const PermissionDenied = problem(Kernel.PermissionDenied, 403, "A permission is missing")
export const ScopeDenied = problem(Kernel.ScopeDenied, 403, "A scope is missing")
export const AddressNotAllowed = problem(Platform.AddressNotAllowed, 403, "The address is not allowed")
export const PasswordChangeRequired = problem(Platform.PasswordChangeRequired, 403, "The password must be changed")
export const FeatureNotInPlan = problem(Kernel.FeatureNotInPlan, 403, "The plan does not include the feature")
export const PlanLimitReached = problem(Platform.PlanLimitReached, 403, "The plan limit is reached")
export const OrganizationForbidden = problem(Platform.OrganizationForbidden, 403, "No access to the organization")
export const OrganizationSuspended = problem(Platform.OrganizationSuspended, 403, "The organization is suspended")
export const NotFound = problem(Kernel.NotFound, 404, "Not found")
export const NoPath = problem(PathNotFound, 404, "Unknown path")
export const NoMethod = problem(MethodNotAllowed, 405, "Method not allowed")
export const TimedOut = problem(RequestTimeout, 408, "The request did not arrive in time")
export const RefreshSuperseded = problem(Platform.RefreshSuperseded, 409, "Another call refreshed the session")
export const MemberExists = problem(Platform.MemberExists, 409, "The member already exists")
export const AutomationTokenInactive = problem(
  Platform.AutomationTokenInactive,
  409,
  "The automation token is not active"
)
export const EmailNotConfigured = problem(Platform.EmailNotConfigured, 409, "Email is not configured")
export const LastOwner = problem(Platform.LastOwner, 409, "The organization needs an owner")
export const ContactExists = problem(Crm.ContactExists, 409, "Another contact already has this identity")
export const NameTaken = problem(Crm.NameTaken, 409, "The name is already in use")
export const SegmentInUse = problem(Crm.SegmentInUse, 409, "The segment is in use")
export const WorkflowNotActive = problem(Automation.WorkflowNotActive, 409, "The workflow is not active")
export const ContactInWorkflow = problem(Automation.ContactInWorkflow, 409, "The contact cannot enter the workflow")
export const TriggerSignatureInvalid = problem(
  Automation.TriggerSignatureInvalid,
  401,
  "The signature of the call is not valid"
)
export const AutomationNotEnabled = problem(Automation.AutomationNotEnabled, 409, "The automation is disabled")

export const RunEnded = problem(Automation.RunEnded, 409, "The run has ended")
export const RunNotWaiting = problem(Automation.RunNotWaiting, 409, "The run is not in a wait")
export const WorkflowInUse = problem(Automation.WorkflowInUse, 409, "The workflow is in use")
export const WorkflowTransitionInvalid = problem(
  Automation.WorkflowTransitionInvalid,
  409,
  "The status change is not allowed"
)
export const WebhookSignatureInvalid = problem(Messaging.WebhookSignatureInvalid, 401, "The signature is not valid")
export const WebhookForbidden = problem(Messaging.WebhookForbidden, 403, "The verify token is wrong")
export const NotNoteAuthor = problem(Messaging.NotNoteAuthor, 403, "Only the author can change the note")
export const ChatAccountExists = problem(Messaging.ChatAccountExists, 409, "The number is already connected")
export const NumberConnectedElsewhere = problem(
  Messaging.NumberConnectedElsewhere,
  409,
  "Another organization has connected the number"
)
export const ChatNumberUnknown = problem(Messaging.ChatNumberUnknown, 422, "The chat provider does not know the number")
export const ChatTokenRefused = problem(Messaging.ChatTokenRefused, 422, "The chat provider rejected the access token")
export const ChatTokenUnsuitable = problem(Messaging.ChatTokenUnsuitable, 422, "The access token cannot be used")
export const OnboardingRefused = problem(Messaging.OnboardingRefused, 422, "The number is not ready for this step")
export const SignupCancelled = problem(Messaging.SignupCancelled, 422, "The signup was cancelled")
export const SignupCodeRefused = problem(Messaging.SignupCodeRefused, 422, "The chat provider rejected the code")
export const SignupNumberMissing = problem(Messaging.SignupNumberMissing, 422, "The signup has no number")
export const SignupInterrupted = problem(Messaging.SignupInterrupted, 503, "The signup was interrupted")
export const PlatformAppNotConfigured = problem(
  Messaging.PlatformAppNotConfigured,
  409,
  "The platform app is not configured"
)
export const UnsupportedByChannel = problem(Messaging.UnsupportedByChannel, 422, "The channel does not support this")
export const MessageTemplateExists = problem(
  Messaging.MessageTemplateExists,
  409,
  "The message template already exists"
)
export const MessageTemplateStatusInvalid = problem(
  Messaging.MessageTemplateStatusInvalid,
  409,
  "The status does not allow this",
  { status: "templateStatus" }
)
export const MessageTemplateEditLimited = problem(
  Messaging.MessageTemplateEditLimited,
  409,
  "The message template was edited too often"
)
export const ConversationExists = problem(Messaging.ConversationExists, 409, "The conversation already exists")
export const ConversationTransitionInvalid = problem(
  Messaging.ConversationTransitionInvalid,
  409,
  "The status change is not allowed"
)
export const ServiceWindowClosed = problem(Messaging.ServiceWindowClosed, 409, "The service window is closed")
export const ContactUnreachable = problem(Messaging.ContactUnreachable, 409, "The contact cannot receive messages")
export const RecipientReassigned = problem(
  Messaging.RecipientReassigned,
  409,
  "The recipient now belongs to another contact"
)
export const ChatAccountDisconnected = problem(
  Messaging.ChatAccountDisconnected,
  409,
  "The chat account is disconnected"
)
export const TemplateNotApproved = problem(Messaging.TemplateNotApproved, 409, "The message template is not approved", {
  status: "templateStatus"
})
export const MessageNotRetryable = problem(Messaging.MessageNotRetryable, 409, "The message cannot be retried", {
  status: "messageStatus"
})
export const OneTimeCodeErased = problem(Messaging.OneTimeCodeErased, 409, "The one-time code was deleted")
export const ProviderRefused = problem(Messaging.ChannelRefused, 422, "The chat provider rejected the request", {
  code: "providerCode"
})
export const MediaGone = problem(Messaging.MediaGone, 410, "The file no longer exists")
export const MediaUnavailable = problem(Messaging.MediaUnavailable, 502, "The file is temporarily unavailable")
export const ProviderUnreachable = problem(Messaging.ChannelUnreachable, 503, "The chat provider is not reachable")
export const BroadcastTransitionInvalid = problem(
  Campaigns.BroadcastTransitionInvalid,
  409,
  "The status change is not allowed"
)
export const BroadcastStatusInvalid = problem(Campaigns.BroadcastStatusInvalid, 409, "The status does not allow this", {
  status: "broadcastStatus"
})
export const AudienceEmpty = problem(Campaigns.AudienceEmpty, 409, "The audience is empty")
export const AudienceSnapshotExpired = problem(Campaigns.AudienceSnapshotExpired, 409, "The recipient list has expired")
export const AudienceSnapshotMismatch = problem(
  Campaigns.AudienceSnapshotMismatch,
  409,
  "The recipient list does not match the broadcast"
)
export const RecipientsExpired = problem(
  Campaigns.RecipientsExpired,
  410,
  "The recipients were deleted after the retention period"
)
export const StoreCallbackSignatureInvalid = problem(
  Commerce.StoreCallbackSignatureInvalid,
  401,
  "The store callback is not signed"
)
export const StoreCallbackStateInvalid = problem(
  Commerce.StoreCallbackStateInvalid,
  400,
  "The store callback is not valid"
)
export const StoreCodeInvalid = problem(Commerce.StoreCodeInvalid, 400, "The code is not valid")
export const StoreExchangeInProgress = problem(
  Commerce.StoreExchangeInProgress,
  409,
  "Another call is connecting this shop"
)
export const StoreAuthorizationDenied = problem(Commerce.StoreAuthorizationDenied, 403, "The merchant denied access")
export const StoreExists = problem(Commerce.StoreExists, 409, "The store is already connected")
export const StoreBeingRemoved = problem(Commerce.StoreBeingRemoved, 409, "The store is being removed")
export const StoreNotConnected = problem(Commerce.StoreNotConnected, 409, "The store is not connected")
export const PrivacyRequestStatusInvalid = problem(
  Commerce.PrivacyRequestStatusInvalid,
  409,
  "The status does not allow this"
)
export const StoreConnectedElsewhere = problem(
  Commerce.StoreConnectedElsewhere,
  409,
  "Another organization has connected the store"
)
export const StoreAppNotConfigured = problem(Commerce.StoreAppNotConfigured, 409, "The store app is not configured")
export const StoreScopesMissing = problem(Commerce.StoreScopesMissing, 409, "Required store permissions are missing")
export const StoreRefused = problem(Commerce.StoreRefused, 422, "The store rejected the request", {
  code: "providerCode"
})
export const StoreUnreachable = problem(Commerce.StoreUnreachable, 503, "The store is not reachable")
export const ScheduleInUse = problem(Automation.ScheduleInUse, 409, "The schedule is in use")
export const WebhookSubscriptionInUse = problem(
  Integrations.WebhookSubscriptionInUse,
  409,
  "The webhook subscription is in use"
)
export const WebhookSubscriptionDisabled = problem(
  Integrations.WebhookSubscriptionDisabled,
  409,
  "The webhook subscription is disabled"
)
export const PluginCallEnded = problem(Integrations.PluginCallEnded, 409, "The plugin call has ended")
export const PluginExists = problem(Integrations.PluginExists, 409, "The plugin is already installed")
export const PluginInUse = problem(Integrations.PluginInUse, 409, "The plugin is in use")
export const PluginVersionUnavailable = problem(
  Integrations.PluginVersionUnavailable,
  409,
  "The catalogue does not have this version"
)
export const ContactOptedOut = problem(Crm.ContactOptedOut, 409, "The contact has opted out")
export const MergeUndone = problem(Crm.MergeUndone, 409, "The merge was already undone")
export const KeyInProgress = problem(Kernel.IdempotencyKeyInProgress, 409, "The first request is still in progress")
export const AnswerWithdrawn = problem(Kernel.IdempotencyAnswerWithdrawn, 409, "The answer is no longer available")
export const VersionConflict = problem(Kernel.VersionConflict, 412, "The resource has changed")
export const TooLarge = problem(PayloadTooLarge, 413, "The body is too large")
export const WrongMediaType = problem(UnsupportedMediaType, 415, "The media type is not supported")
export const KeyReused = problem(Kernel.IdempotencyKeyReused, 422, "The idempotency key was already used")
export const TooMany = problem(RateLimited, 429, "Too many requests")
export const LargeHeaders = problem(HeadersTooLarge, 431, "The headers are too large")
export const BroadcastTestsThrottled = problem(Campaigns.BroadcastTestsThrottled, 429, "Too many test messages")
export const MailThrottled = problem(Platform.MailThrottled, 429, "Too many emails")
export const LoginThrottled = problem(Platform.LoginThrottled, 429, "Too many failed logins")
export const LoginOverloaded = problem(Platform.LoginOverloaded, 503, "Too many concurrent logins")
export const Internal = problem(InternalError, 500, "Internal error")
export const Unavailable = problem(ServiceUnavailable, 503, "The service is unavailable")

/** Every problem there is, by the tag of its error: the one place that knows how an error looks outside. */
export const problems = {
  AudienceEmpty,
  AudienceSnapshotExpired,
  AudienceSnapshotMismatch,
  StoreAuthorizationDenied,
  AutomationTokenInactive,
  BroadcastStatusInvalid,
  BroadcastTransitionInvalid,
  StoreCallbackSignatureInvalid,
  StoreCallbackStateInvalid,
  ChannelRefused: ProviderRefused,
  ChannelUnreachable: ProviderUnreachable,
  ChatAccountDisconnected,
  ChatAccountExists,
  ChatNumberUnknown,
  ChatTokenRefused,
  ChatTokenUnsuitable,
  ContactExists,
  ContactOptedOut,
  ContactUnreachable,
  ConversationExists,
  ConversationTransitionInvalid,
  CursorInvalid,
  DocsCodeInvalid,
  FeatureNotInPlan,
  HeadersTooLarge: LargeHeaders,
  IdempotencyAnswerWithdrawn: AnswerWithdrawn,
  IdempotencyKeyInProgress: KeyInProgress,
  IdempotencyKeyInvalid: KeyInvalid,
  IdempotencyKeyReused: KeyReused,
  InternalError: Internal,
  InvalidCredentials,
  InvitationInvalid,
  LastOwner,
  LoginOverloaded,
  LoginThrottled,
  EmailNotConfigured,
  BroadcastTestsThrottled,
  MailThrottled,
  MediaGone,
  MediaUnavailable,
  MemberExists,
  MergeUndone,
  MessageNotRetryable,
  MessageTemplateExists,
  MessageTemplateEditLimited,
  MessageTemplateStatusInvalid,
  MethodNotAllowed: NoMethod,
  NameTaken,
  NotNoteAuthor,
  NotFound,
  NumberConnectedElsewhere,
  OneTimeCodeErased,
  OnboardingRefused,
  OrganizationForbidden,
  PasswordChangeRequired,
  AddressNotAllowed,
  ScopeDenied,
  OrganizationHeaderInvalid,
  OrganizationHeaderMissing,
  OrganizationSuspended,
  PasswordResetInvalid,
  PathNotFound: NoPath,
  PayloadTooLarge: TooLarge,
  PermissionDenied,
  PlanLimitReached,
  PlatformAppNotConfigured,
  RateLimited: TooMany,
  RecipientsExpired,
  RecipientReassigned,
  RefreshSuperseded,
  RequestMalformed: Malformed,
  RequestTimeout: TimedOut,
  ScheduleInUse,
  SegmentInUse,
  ServiceUnavailable: Unavailable,
  ServiceWindowClosed,
  SessionReuseDetected,
  SignupCancelled,
  SignupCodeRefused,
  SignupInterrupted,
  SignupNumberMissing,
  StoreBeingRemoved,
  StoreExists,
  StoreAppNotConfigured,
  StoreRefused,
  StoreCodeInvalid,
  StoreExchangeInProgress,
  StoreScopesMissing,
  StoreNotConnected,
  PluginCallEnded,
  PluginExists,
  PluginInUse,
  PluginVersionUnavailable,
  PrivacyRequestStatusInvalid,
  StoreConnectedElsewhere,
  StoreUnreachable,
  TemplateNotApproved,
  TokenExpired,
  TokenInvalid,
  TokenRevoked,
  Unauthenticated,
  UnsupportedByChannel,
  UnsupportedMediaType: WrongMediaType,
  ValidationFailed,
  VersionConflict,
  WebhookForbidden,
  TriggerSignatureInvalid,
  WebhookSignatureInvalid,
  WebhookSubscriptionDisabled,
  WebhookSubscriptionInUse,
  WorkflowInUse,
  WorkflowNotActive,
  WorkflowTransitionInvalid,
  ContactInWorkflow,
  AutomationNotEnabled,
  RunEnded,
  RunNotWaiting
}
