import * as Domain from "@parley/domain"
import * as Edge from "../../api/problems.ts"
import { sending } from "./broadcasts.ts"
import { chatAccount, conversation, messageTemplate } from "./inbox.ts"
import { plugin } from "./plugins.ts"
import { at, automation, contact, organization, owner, segment, tag } from "./samples.ts"
import { storeConnection } from "./stores.ts"

type Samples = { readonly [Tag in keyof typeof Edge.problems]: (typeof Edge.problems)[Tag]["Type"] }

/** One of every error. An error without an example does not compile. */
export const problems: Samples = {
  ChannelRefused: new Domain.ChannelRefused({
    remedy: "give_up",
    code: 100,
    reason: "This authorization code has been used.",
    retryAfterMillis: null
  }),
  ChannelUnreachable: new Domain.ChannelUnreachable(),
  AudienceEmpty: new Domain.AudienceEmpty({ matched: 0 }),
  AudienceSnapshotExpired: new Domain.AudienceSnapshotExpired({ expiredAt: at("14:20:00.000") }),
  AudienceSnapshotMismatch: new Domain.AudienceSnapshotMismatch({ fields: ["audience", "chatAccountId"] }),
  StoreAuthorizationDenied: new Domain.StoreAuthorizationDenied(),
  AutomationTokenInactive: new Domain.AutomationTokenInactive(),
  BroadcastStatusInvalid: new Domain.BroadcastStatusInvalid({
    status: sending.status,
    allowed: ["draft", "scheduled"]
  }),
  BroadcastTransitionInvalid: new Domain.BroadcastTransitionInvalid({
    from: "completed",
    to: "sending",
    allowed: []
  }),
  ChatAccountDisconnected: new Domain.ChatAccountDisconnected(),
  ChatAccountExists: new Domain.ChatAccountExists({ chatAccountId: chatAccount.id }),
  ChatNumberUnknown: new Domain.ChatNumberUnknown({
    providerCode: 100,
    reason: "Object with ID '106540352242922' does not exist.",
    pointer: "/externalPhoneId"
  }),
  ChatTokenRefused: new Domain.ChatTokenRefused({
    providerCode: 190,
    reason: "The access token has expired.",
    pointer: "/accessToken"
  }),
  ContactExists: new Domain.ContactExists({ contactId: contact.id, kind: "phone" }),
  ContactUnreachable: new Domain.ContactUnreachable({ reason: "blocked" }),
  RecipientsExpired: new Domain.RecipientsExpired({ expiredAt: at("14:20:00.000") }),
  RecipientReassigned: new Domain.RecipientReassigned({ contactId: contact.id, kind: "phone" }),
  ConversationExists: new Domain.ConversationExists({ conversationId: conversation.id }),
  ConversationTransitionInvalid: new Domain.ConversationTransitionInvalid({
    from: "resolved",
    to: "snoozed",
    allowed: ["open"]
  }),
  CursorInvalid: new Domain.CursorInvalid(),
  DocsCodeInvalid: new Domain.DocsCodeInvalid(),
  FeatureNotInPlan: new Domain.FeatureNotInPlan({
    feature: "automations",
    plan: "free",
    availableIn: Domain.plansWith("automations")
  }),
  HeadersTooLarge: new Edge.HeadersTooLarge(),
  IdempotencyAnswerWithdrawn: new Domain.IdempotencyAnswerWithdrawn({
    reason: "permission_lost",
    missing: ["contacts.read"]
  }),
  IdempotencyKeyInProgress: new Domain.IdempotencyKeyInProgress(),
  IdempotencyKeyInvalid: new Edge.IdempotencyKeyInvalid(),
  IdempotencyKeyReused: new Domain.IdempotencyKeyReused(),
  InternalError: new Edge.InternalError(),
  InvalidCredentials: new Domain.InvalidCredentials(),
  InvitationInvalid: new Domain.InvitationInvalid(),
  LastOwner: new Domain.LastOwner(),
  LoginOverloaded: new Domain.LoginOverloaded({ retryAfterSeconds: 2 }),
  LoginThrottled: new Domain.LoginThrottled({ retryAfterSeconds: 540 }),
  EmailNotConfigured: new Domain.EmailNotConfigured(),
  BroadcastTestsThrottled: new Domain.BroadcastTestsThrottled({ retryAfterSeconds: 1200 }),
  MailThrottled: new Domain.MailThrottled({ retryAfterSeconds: 2400 }),
  MediaGone: new Domain.MediaGone(),
  MediaUnavailable: new Domain.MediaUnavailable(),
  MemberExists: new Domain.MemberExists({ memberId: owner.id }),
  ContactOptedOut: new Domain.ContactOptedOut({ optedOutAt: "2026-11-12T08:30:00.000Z" }),
  MergeUndone: new Domain.MergeUndone(),
  MessageNotRetryable: new Domain.MessageNotRetryable({ status: "in_doubt" }),
  OneTimeCodeErased: new Domain.OneTimeCodeErased(),
  MessageTemplateExists: new Domain.MessageTemplateExists({ messageTemplateId: messageTemplate.id }),
  MessageTemplateEditLimited: new Domain.MessageTemplateEditLimited({
    retryAt: at("13:08:00.000")
  }),
  MessageTemplateStatusInvalid: new Domain.MessageTemplateStatusInvalid({
    status: "approved",
    allowed: ["draft", "rejected"]
  }),
  MethodNotAllowed: new Edge.MethodNotAllowed({ allowed: ["GET", "HEAD", "POST"] }),
  NameTaken: new Domain.NameTaken({ resource: "tag", id: tag.id }),
  NotNoteAuthor: new Domain.NotNoteAuthor(),
  NotFound: new Domain.NotFound({ resource: "automation" }),
  NumberConnectedElsewhere: new Domain.NumberConnectedElsewhere(),
  OrganizationForbidden: new Domain.OrganizationForbidden(),
  OrganizationHeaderInvalid: new Domain.OrganizationHeaderInvalid(),
  OrganizationHeaderMissing: new Domain.OrganizationHeaderMissing(),
  OrganizationSuspended: new Domain.OrganizationSuspended(),
  PasswordResetInvalid: new Domain.PasswordResetInvalid(),
  PathNotFound: new Edge.PathNotFound(),
  PayloadTooLarge: new Edge.PayloadTooLarge({ max: 1024 * 1024 }),
  PermissionDenied: new Domain.PermissionDenied({ permission: "members.manage" }),
  PlanLimitReached: new Domain.PlanLimitReached({
    limit: "seats",
    current: Domain.plans[organization.plan].limits.seats,
    max: Domain.plans[organization.plan].limits.seats
  }),
  PlatformAppNotConfigured: new Domain.PlatformAppNotConfigured(),
  RateLimited: new Edge.RateLimited({ retryAfterSeconds: 17 }),
  RefreshSuperseded: new Domain.RefreshSuperseded(),
  RequestMalformed: new Edge.RequestMalformed(),
  RequestTimeout: new Edge.RequestTimeout(),
  WebhookSubscriptionDisabled: new Domain.WebhookSubscriptionDisabled(),
  WebhookSubscriptionInUse: new Domain.WebhookSubscriptionInUse({
    usedBy: [{ kind: "automation", id: automation.id }]
  }),
  ScheduleInUse: new Domain.ScheduleInUse({ usedBy: [{ kind: "automation", id: automation.id }] }),
  SegmentInUse: new Domain.SegmentInUse({ segmentIds: [segment.id] }),
  PasswordChangeRequired: new Domain.PasswordChangeRequired(),
  PluginCallEnded: new Domain.PluginCallEnded({ state: "done" }),
  PluginExists: new Domain.PluginExists({ pluginId: plugin.id }),
  PluginInUse: new Domain.PluginInUse({ usedBy: [{ kind: "automation", id: automation.id }] }),
  PluginVersionUnavailable: new Domain.PluginVersionUnavailable({ available: "1.5.0" }),
  ServiceUnavailable: new Edge.ServiceUnavailable({ retryAfterSeconds: 2, outcomeUnknown: false }),
  ServiceWindowClosed: new Domain.ServiceWindowClosed({ expiredAt: "2026-11-19T14:05:00.000Z" }),
  SessionReuseDetected: new Domain.SessionReuseDetected(),
  ChatTokenUnsuitable: new Domain.ChatTokenUnsuitable({
    reason: "scopes_missing",
    missingScopes: ["whatsapp_business_messaging"],
    appId: "670843887433847",
    externalAccountId: null,
    pointer: "/accessToken"
  }),
  OnboardingRefused: new Domain.OnboardingRefused({
    reason: "pin_mismatch",
    providerCode: 133_005,
    providerReason: "Two step verification PIN mismatch.",
    retryAt: null
  }),
  SignupCancelled: new Domain.SignupCancelled({ step: "PHONE_NUMBER_SETUP", shownError: null, errorId: null }),
  SignupCodeRefused: new Domain.SignupCodeRefused({
    providerCode: 100,
    reason: "This authorization code has expired."
  }),
  SignupNumberMissing: new Domain.SignupNumberMissing({ externalPhoneIds: [] }),
  SignupInterrupted: new Domain.SignupInterrupted(),
  StoreCallbackSignatureInvalid: new Domain.StoreCallbackSignatureInvalid(),
  StoreCodeInvalid: new Domain.StoreCodeInvalid(),
  StoreExchangeInProgress: new Domain.StoreExchangeInProgress(),
  StoreCallbackStateInvalid: new Domain.StoreCallbackStateInvalid(),
  StoreBeingRemoved: new Domain.StoreBeingRemoved({ storeConnectionId: storeConnection.id, retryAfterSeconds: 5 }),
  StoreExists: new Domain.StoreExists({ storeConnectionId: storeConnection.id }),
  StoreAppNotConfigured: new Domain.StoreAppNotConfigured({ provider: "shopify" }),
  StoreRefused: new Domain.StoreRefused({
    remedy: "give_up",
    code: "invalid_request",
    reason: "The authorization code was not found or was already used.",
    retryAfterMillis: null
  }),
  StoreScopesMissing: new Domain.StoreScopesMissing({ missing: ["read_orders"] }),
  StoreNotConnected: new Domain.StoreNotConnected({ storeStatus: "error" }),
  PrivacyRequestStatusInvalid: new Domain.PrivacyRequestStatusInvalid({ requestState: "open" }),
  StoreConnectedElsewhere: new Domain.StoreConnectedElsewhere(),
  StoreUnreachable: new Domain.StoreUnreachable(),
  TemplateNotApproved: new Domain.TemplateNotApproved({ status: "paused" }),
  TokenExpired: new Domain.TokenExpired(),
  TokenInvalid: new Domain.TokenInvalid(),
  TokenRevoked: new Domain.TokenRevoked(),
  UnsupportedByChannel: new Domain.UnsupportedByChannel({ provider: "webhook", need: "templates" }),
  Unauthenticated: new Domain.Unauthenticated(),
  UnsupportedMediaType: new Edge.UnsupportedMediaType({ accepted: ["application/json"] }),
  ValidationFailed: new Domain.ValidationFailed({
    errors: [
      { pointer: "/name", message: "Expected a name" },
      { pointer: "/role", message: 'Expected "owner" | "admin" | "agent" | "viewer"' }
    ]
  }),
  VersionConflict: new Domain.VersionConflict({ current: automation.version + 1 }),
  WebhookForbidden: new Domain.WebhookForbidden(),
  WebhookSignatureInvalid: new Domain.WebhookSignatureInvalid(),
  WorkflowInUse: new Domain.WorkflowInUse({ liveRuns: 3 }),
  WorkflowNotActive: new Domain.WorkflowNotActive({ workflowStatus: "paused" }),
  ContactInWorkflow: new Domain.ContactInWorkflow({ isLive: true }),
  RunEnded: new Domain.RunEnded(),
  RunNotWaiting: new Domain.RunNotWaiting({ node: Domain.NodeId.make("reply") }),
  WorkflowTransitionInvalid: new Domain.WorkflowTransitionInvalid({
    from: "draft",
    to: "paused",
    allowed: ["active"]
  })
}
