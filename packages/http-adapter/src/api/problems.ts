import * as Domain from "@parley/domain"
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
    return `The body is larger than ${this.max} bytes.`
  }
}

/** What came is no request of HTTP/1.1. */
export class RequestMalformed extends Schema.TaggedError<RequestMalformed>()("RequestMalformed", {}) {
  override get message() {
    return "This is not a request of HTTP/1.1."
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
    return "The address and the headers of the request are too large together."
  }
}

/** Nothing lives at this path. */
export class PathNotFound extends Schema.TaggedError<PathNotFound>()("PathNotFound", {}) {
  override get message() {
    return "There is nothing at this path."
  }
}

/** The path does not know this method. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  allowed: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This path knows: ${this.allowed.join(", ")}.`
  }
}

/** The body is of a type that the endpoint does not read. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()("UnsupportedMediaType", {
  accepted: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This endpoint does not read a body of this type. Send ${this.accepted.join(" or ")}, and text in UTF-8.`
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
    return "Something went wrong on our side. The request's id finds it in our logs."
  }
}

/** The service cannot answer now: its database is away or does not keep up, or it starts, stops or is overloaded. */
export class ServiceUnavailable extends Schema.TaggedError<ServiceUnavailable>()("ServiceUnavailable", {
  retryAfterSeconds: Schema.Int,
  /** Whether what was asked for may have been done all the same. */
  outcomeUnknown: Schema.Boolean
}) {
  override get message() {
    const again = `Try again in ${this.retryAfterSeconds} ${this.retryAfterSeconds === 1 ? "second" : "seconds"}.`
    return this.outcomeUnknown
      ? `The service lost its database while it kept the change: it may have been made or not. Look before you send it again.`
      : `The service cannot answer now. Nothing was changed. ${again}`
  }
}

export const ValidationFailed = problem(Domain.ValidationFailed, 400, "The request has faults")
export const Malformed = problem(RequestMalformed, 400, "The request is malformed")
export const CursorInvalid = problem(Domain.CursorInvalid, 400, "The cursor is not valid")
export const OrganizationHeaderMissing = problem(Domain.OrganizationHeaderMissing, 400, "The organization is missing")
export const OrganizationHeaderInvalid = problem(Domain.OrganizationHeaderInvalid, 400, "The organization is not an id")
export const DocsCodeInvalid = problem(Domain.DocsCodeInvalid, 400, "The code is not valid")
export const InvitationInvalid = problem(Domain.InvitationInvalid, 400, "The invitation is not valid")
export const PasswordResetInvalid = problem(Domain.PasswordResetInvalid, 400, "The link is not valid")
export const KeyInvalid = problem(IdempotencyKeyInvalid, 400, "The idempotency key is not valid")
export const Unauthenticated = problem(Domain.Unauthenticated, 401, "A token is needed")
export const InvalidCredentials = problem(Domain.InvalidCredentials, 401, "The credentials are wrong")
export const TokenInvalid = problem(Domain.TokenInvalid, 401, "The token is not valid")
export const TokenExpired = problem(Domain.TokenExpired, 401, "The token has expired")
export const TokenRevoked = problem(Domain.TokenRevoked, 401, "The token has been revoked")
export const SessionReuseDetected = problem(Domain.SessionReuseDetected, 401, "The refresh token was used before")
export const PermissionDenied = problem(Domain.PermissionDenied, 403, "A permission is missing")
export const PasswordChangeRequired = problem(Domain.PasswordChangeRequired, 403, "The password must be changed")
export const FeatureNotInPlan = problem(Domain.FeatureNotInPlan, 403, "The plan lacks the feature")
export const PlanLimitReached = problem(Domain.PlanLimitReached, 403, "The plan's limit is reached")
export const OrganizationForbidden = problem(Domain.OrganizationForbidden, 403, "No access to the organization")
export const OrganizationSuspended = problem(Domain.OrganizationSuspended, 403, "The organization is suspended")
export const NotFound = problem(Domain.NotFound, 404, "Not found")
export const NoPath = problem(PathNotFound, 404, "Unknown path")
export const NoMethod = problem(MethodNotAllowed, 405, "Unknown method")
export const TimedOut = problem(RequestTimeout, 408, "The request did not arrive in time")
export const RefreshSuperseded = problem(Domain.RefreshSuperseded, 409, "Another call has refreshed the session")
export const MemberExists = problem(Domain.MemberExists, 409, "The member exists")
export const AutomationTokenEnded = problem(Domain.AutomationTokenEnded, 409, "The automation token has ended")
export const MailerAbsent = problem(Domain.MailerAbsent, 409, "The service sends no mail")
export const LastOwner = problem(Domain.LastOwner, 409, "The last owner")
export const ContactExists = problem(Domain.ContactExists, 409, "Another contact has this already")
export const NameTaken = problem(Domain.NameTaken, 409, "The name is taken")
export const SegmentInUse = problem(Domain.SegmentInUse, 409, "The segment is in use")
export const WorkflowNotActive = problem(Domain.WorkflowNotActive, 409, "The workflow is not active")
export const ContactInWorkflow = problem(Domain.ContactInWorkflow, 409, "The contact may not enter the workflow now")
export const RunEnded = problem(Domain.RunEnded, 409, "The run is over")
export const WorkflowInUse = problem(Domain.WorkflowInUse, 409, "The workflow is in use")
export const WorkflowTransitionInvalid = problem(
  Domain.WorkflowTransitionInvalid,
  409,
  "The workflow does not go there"
)
export const WebhookSignatureInvalid = problem(Domain.WebhookSignatureInvalid, 401, "The signature is not valid")
export const WebhookForbidden = problem(Domain.WebhookForbidden, 403, "The verify token is wrong")
export const NoteOfAnother = problem(Domain.NotNoteAuthor, 403, "The note is somebody else's")
export const ChatAccountExists = problem(Domain.ChatAccountExists, 409, "The number is connected already")
export const NumberTaken = problem(Domain.NumberConnectedElsewhere, 409, "The number is connected elsewhere")
export const ChatNumberUnknown = problem(Domain.ChatNumberUnknown, 422, "The chat provider does not know the number")
export const ChatTokenRefused = problem(Domain.ChatTokenRefused, 422, "The chat provider refused the access token")
export const SignupInterrupted = problem(Domain.SignupInterrupted, 503, "The signup was interrupted")
export const PlatformAppAbsent = problem(Domain.PlatformAppNotConfigured, 409, "There is no platform app")
export const UnsupportedByChannel = problem(
  Domain.UnsupportedByChannel,
  422,
  "The channel of the chat account has no such thing"
)
export const MessageTemplateExists = problem(Domain.MessageTemplateExists, 409, "The message template exists")
export const MessageTemplateState = problem(
  Domain.MessageTemplateStatusInvalid,
  409,
  "The message template is in another status",
  { status: "templateStatus" }
)
export const ConversationExists = problem(Domain.ConversationExists, 409, "The conversation exists")
export const ConversationTransitionInvalid = problem(
  Domain.ConversationTransitionInvalid,
  409,
  "The conversation does not go there"
)
export const ServiceWindowClosed = problem(Domain.ServiceWindowClosed, 409, "The service window is closed")
export const ContactUnreachable = problem(Domain.ContactUnreachable, 409, "The contact cannot be written to")
export const RecipientTaken = problem(Domain.RecipientReassigned, 409, "The recipient is another contact")
export const ChatAccountDisconnected = problem(Domain.ChatAccountDisconnected, 409, "The chat account is disconnected")
export const TemplateNotApproved = problem(Domain.TemplateNotApproved, 409, "The message template is not approved", {
  status: "templateStatus"
})
export const MessageNotRetryable = problem(Domain.MessageNotRetryable, 409, "The message is not sent again", {
  status: "messageStatus"
})
export const ProviderRefused = problem(Domain.ChannelRefused, 422, "The chat provider refused", {
  code: "providerCode"
})
export const MediaLost = problem(Domain.MediaGone, 410, "The file is lost")
export const MediaUnavailable = problem(Domain.MediaUnavailable, 502, "The file cannot be had")
export const ProviderUnreachable = problem(Domain.ChannelUnreachable, 503, "The chat provider was not reached")
export const BroadcastTransitionInvalid = problem(
  Domain.BroadcastTransitionInvalid,
  409,
  "The broadcast does not go there"
)
export const BroadcastNotEditable = problem(Domain.BroadcastNotEditable, 409, "The broadcast is in another status", {
  status: "broadcastStatus"
})
export const AudienceEmpty = problem(Domain.AudienceEmpty, 409, "Nobody would get the broadcast")
export const AudienceSnapshotExpired = problem(
  Domain.AudienceSnapshotExpired,
  409,
  "The list of recipients has expired"
)
export const AudienceSnapshotMismatch = problem(
  Domain.AudienceSnapshotMismatch,
  409,
  "The list of recipients was made for another broadcast"
)
export const RecipientsExpired = problem(Domain.RecipientsExpired, 410, "The recipients are not kept any more")
export const CallbackSignatureInvalid = problem(
  Domain.CallbackSignatureInvalid,
  401,
  "The way back from the shop is not signed"
)
export const CallbackStateInvalid = problem(Domain.CallbackStateInvalid, 400, "The way back from the shop is not valid")
export const StoreCodeInvalid = problem(Domain.StoreCodeInvalid, 400, "The code is not valid")
export const AuthorizationDenied = problem(Domain.AuthorizationDenied, 403, "It was not agreed to in the shop")
export const StoreExists = problem(Domain.StoreExists, 409, "The shop is connected already")
export const StoreBeingRemoved = problem(Domain.StoreBeingRemoved, 409, "The store is being removed")
export const StoreNotConnected = problem(Domain.StoreNotConnected, 409, "The store is not connected")
export const PrivacyRequestState = problem(Domain.PrivacyRequestState, 409, "The privacy request is in another state")
export const StoreTaken = problem(Domain.StoreTaken, 409, "The shop is connected elsewhere")
export const StorefrontAppAbsent = problem(Domain.StorefrontAppAbsent, 409, "There is no app at the provider")
export const StoreScopesMissing = problem(Domain.StoreScopesMissing, 409, "Less was agreed to than is needed")
export const StoreRefused = problem(Domain.StoreRefused, 422, "The store refused", { code: "providerCode" })
export const StoreUnreachable = problem(Domain.StoreUnreachable, 503, "The store was not reached")
export const ScheduleInUse = problem(Domain.ScheduleInUse, 409, "The schedule is in use")
export const WebhookSubscriptionInUse = problem(
  Domain.WebhookSubscriptionInUse,
  409,
  "The webhook subscription is in use"
)
export const WebhookSubscriptionDisabled = problem(
  Domain.WebhookSubscriptionDisabled,
  409,
  "The webhook subscription is disabled"
)
export const PluginCallEnded = problem(Domain.PluginCallEnded, 409, "Nobody waits for the answer of the plugin")
export const PluginExists = problem(Domain.PluginExists, 409, "The plugin is installed already")
export const PluginInUse = problem(Domain.PluginInUse, 409, "The plugin is in use")
export const PluginVersionUnavailable = problem(
  Domain.PluginVersionUnavailable,
  409,
  "The catalogue has no such version"
)
export const ContactOptedOut = problem(Domain.ContactOptedOut, 409, "The person has opted out")
export const MergeUndone = problem(Domain.MergeUndone, 409, "The merge has been undone")
export const KeyInProgress = problem(Domain.IdempotencyKeyInProgress, 409, "The request is still at work")
export const VersionConflict = problem(Domain.VersionConflict, 412, "The resource has changed")
export const TooLarge = problem(PayloadTooLarge, 413, "The body is too large")
export const WrongMediaType = problem(UnsupportedMediaType, 415, "The media type is not supported")
export const KeyReused = problem(Domain.IdempotencyKeyReused, 422, "The idempotency key was used before")
export const TooMany = problem(RateLimited, 429, "Too many requests")
export const LargeHeaders = problem(HeadersTooLarge, 431, "The headers are too large")
export const BroadcastTestsThrottled = problem(Domain.BroadcastTestsThrottled, 429, "Too many test messages")
export const MailThrottled = problem(Domain.MailThrottled, 429, "Too many mails")
export const LoginThrottled = problem(Domain.LoginThrottled, 429, "Too many failed logins")
export const LoginBusy = problem(Domain.LoginBusy, 503, "Too many logins at once")
export const Internal = problem(InternalError, 500, "Something went wrong")
export const Unavailable = problem(ServiceUnavailable, 503, "The service cannot answer now")

/** Every problem there is, by the tag of its error: the one place that knows how an error looks outside. */
export const problems = {
  AudienceEmpty,
  AudienceSnapshotExpired,
  AudienceSnapshotMismatch,
  AuthorizationDenied,
  AutomationTokenEnded,
  BroadcastNotEditable,
  BroadcastTransitionInvalid,
  CallbackSignatureInvalid,
  CallbackStateInvalid,
  ChannelRefused: ProviderRefused,
  ChannelUnreachable: ProviderUnreachable,
  ChatAccountDisconnected,
  ChatAccountExists,
  ChatNumberUnknown,
  ChatTokenRefused,
  ContactExists,
  ContactOptedOut,
  ContactUnreachable,
  ConversationExists,
  ConversationTransitionInvalid,
  CursorInvalid,
  DocsCodeInvalid,
  FeatureNotInPlan,
  HeadersTooLarge: LargeHeaders,
  IdempotencyKeyInProgress: KeyInProgress,
  IdempotencyKeyInvalid: KeyInvalid,
  IdempotencyKeyReused: KeyReused,
  InternalError: Internal,
  InvalidCredentials,
  InvitationInvalid,
  LastOwner,
  LoginBusy,
  LoginThrottled,
  MailerAbsent,
  BroadcastTestsThrottled,
  MailThrottled,
  MediaLost,
  MediaUnavailable,
  MemberExists,
  MergeUndone,
  MessageNotRetryable,
  MessageTemplateExists,
  MessageTemplateState,
  MethodNotAllowed: NoMethod,
  NameTaken,
  NoteOfAnother,
  NotFound,
  NumberTaken,
  OrganizationForbidden,
  PasswordChangeRequired,
  OrganizationHeaderInvalid,
  OrganizationHeaderMissing,
  OrganizationSuspended,
  PasswordResetInvalid,
  PathNotFound: NoPath,
  PayloadTooLarge: TooLarge,
  PermissionDenied,
  PlanLimitReached,
  PlatformAppAbsent,
  RateLimited: TooMany,
  RecipientsExpired,
  RecipientTaken,
  RefreshSuperseded,
  RequestMalformed: Malformed,
  RequestTimeout: TimedOut,
  ScheduleInUse,
  SegmentInUse,
  ServiceUnavailable: Unavailable,
  ServiceWindowClosed,
  SessionReuseDetected,
  SignupInterrupted,
  StoreBeingRemoved,
  StoreExists,
  StorefrontAppAbsent,
  StoreRefused,
  StoreCodeInvalid,
  StoreScopesMissing,
  StoreNotConnected,
  PluginCallEnded,
  PluginExists,
  PluginInUse,
  PluginVersionUnavailable,
  PrivacyRequestState,
  StoreTaken,
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
  WebhookSignatureInvalid,
  WebhookSubscriptionDisabled,
  WebhookSubscriptionInUse,
  WorkflowInUse,
  WorkflowNotActive,
  WorkflowTransitionInvalid,
  ContactInWorkflow,
  RunEnded
}
