import * as Kernel from "@parley/domain/kernel"
import * as Platform from "@parley/domain/platform"
import * as Crm from "@parley/domain/crm"
import * as Messaging from "@parley/domain/messaging"
import * as Integrations from "@parley/domain/integrations"
import * as Campaigns from "@parley/domain/campaigns"
import * as Commerce from "@parley/domain/commerce"
import * as Automation from "@parley/domain/automation"
import * as Edge from "../../api/problems.ts"
import { sending } from "./broadcasts.ts"
import { chatAccount, conversation, messageTemplate } from "./inbox.ts"
import { plugin } from "./plugins.ts"
import { at, automation, contact, organization, owner, segment, tag } from "./samples.ts"
import { storeConnection } from "./stores.ts"

type Samples = { readonly [Tag in keyof typeof Edge.problems]: (typeof Edge.problems)[Tag]["Type"] }

/** One of every error. An error without an example does not compile. */
export const problems: Samples = {
  ChannelRefused: new Messaging.ChannelRefused({
    remedy: "give_up",
    code: 100,
    reason: "This authorization code has been used.",
    retryAfterMillis: null
  }),
  ChannelUnreachable: new Messaging.ChannelUnreachable(),
  AudienceEmpty: new Campaigns.AudienceEmpty({ matched: 0 }),
  AudienceSnapshotExpired: new Campaigns.AudienceSnapshotExpired({ expiredAt: at("14:20:00.000") }),
  AudienceSnapshotMismatch: new Campaigns.AudienceSnapshotMismatch({ fields: ["audience", "chatAccountId"] }),
  StoreAuthorizationDenied: new Commerce.StoreAuthorizationDenied(),
  AutomationTokenInactive: new Platform.AutomationTokenInactive(),
  BroadcastStatusInvalid: new Campaigns.BroadcastStatusInvalid({
    status: sending.status,
    allowed: ["draft", "scheduled"]
  }),
  BroadcastTransitionInvalid: new Campaigns.BroadcastTransitionInvalid({
    from: "completed",
    to: "sending",
    allowed: []
  }),
  ChatAccountDisconnected: new Messaging.ChatAccountDisconnected(),
  ChatAccountExists: new Messaging.ChatAccountExists({ chatAccountId: chatAccount.id }),
  ChatNumberUnknown: new Messaging.ChatNumberUnknown({
    providerCode: 100,
    reason: "Object with ID '106540352242922' does not exist.",
    pointer: "/externalPhoneId"
  }),
  ChatTokenRefused: new Messaging.ChatTokenRefused({
    providerCode: 190,
    reason: "The access token has expired.",
    pointer: "/accessToken"
  }),
  ContactExists: new Crm.ContactExists({ contactId: contact.id, kind: "phone" }),
  ContactUnreachable: new Messaging.ContactUnreachable({ reason: "blocked" }),
  RecipientsExpired: new Campaigns.RecipientsExpired({ expiredAt: at("14:20:00.000") }),
  RecipientReassigned: new Messaging.RecipientReassigned({ contactId: contact.id, kind: "phone" }),
  ConversationExists: new Messaging.ConversationExists({ conversationId: conversation.id }),
  ConversationTransitionInvalid: new Messaging.ConversationTransitionInvalid({
    from: "resolved",
    to: "snoozed",
    allowed: ["open"]
  }),
  CursorInvalid: new Kernel.CursorInvalid(),
  DocsCodeInvalid: new Platform.DocsCodeInvalid(),
  FeatureNotInPlan: new Kernel.FeatureNotInPlan({
    feature: "automations",
    plan: "free",
    availableIn: Platform.plansWith("automations")
  }),
  HeadersTooLarge: new Edge.HeadersTooLarge(),
  IdempotencyAnswerWithdrawn: new Kernel.IdempotencyAnswerWithdrawn({
    reason: "permission_lost",
    missing: ["contacts.read"]
  }),
  IdempotencyKeyInProgress: new Kernel.IdempotencyKeyInProgress(),
  IdempotencyKeyInvalid: new Edge.IdempotencyKeyInvalid(),
  IdempotencyKeyReused: new Kernel.IdempotencyKeyReused(),
  InternalError: new Edge.InternalError(),
  InvalidCredentials: new Platform.InvalidCredentials(),
  InvitationInvalid: new Platform.InvitationInvalid(),
  LastOwner: new Platform.LastOwner(),
  LoginOverloaded: new Platform.LoginOverloaded({ retryAfterSeconds: 2 }),
  LoginThrottled: new Platform.LoginThrottled({ retryAfterSeconds: 540 }),
  EmailNotConfigured: new Platform.EmailNotConfigured(),
  BroadcastTestsThrottled: new Campaigns.BroadcastTestsThrottled({ retryAfterSeconds: 1200 }),
  MailThrottled: new Platform.MailThrottled({ retryAfterSeconds: 2400 }),
  MediaGone: new Messaging.MediaGone(),
  MediaUnavailable: new Messaging.MediaUnavailable(),
  MemberExists: new Platform.MemberExists({ memberId: owner.id }),
  ContactOptedOut: new Crm.ContactOptedOut({ optedOutAt: "2026-11-12T08:30:00.000Z" }),
  MergeUndone: new Crm.MergeUndone(),
  MessageNotRetryable: new Messaging.MessageNotRetryable({ status: "in_doubt" }),
  OneTimeCodeErased: new Messaging.OneTimeCodeErased(),
  MessageTemplateExists: new Messaging.MessageTemplateExists({ messageTemplateId: messageTemplate.id }),
  MessageTemplateEditLimited: new Messaging.MessageTemplateEditLimited({
    retryAt: at("13:08:00.000")
  }),
  MessageTemplateStatusInvalid: new Messaging.MessageTemplateStatusInvalid({
    status: "approved",
    allowed: ["draft", "rejected"]
  }),
  MethodNotAllowed: new Edge.MethodNotAllowed({ allowed: ["GET", "HEAD", "POST"] }),
  NameTaken: new Crm.NameTaken({ resource: "tag", id: tag.id }),
  NotNoteAuthor: new Messaging.NotNoteAuthor(),
  NotFound: new Kernel.NotFound({ resource: "automation" }),
  NumberConnectedElsewhere: new Messaging.NumberConnectedElsewhere(),
  OrganizationForbidden: new Platform.OrganizationForbidden(),
  OrganizationHeaderInvalid: new Platform.OrganizationHeaderInvalid(),
  OrganizationHeaderMissing: new Platform.OrganizationHeaderMissing(),
  OrganizationSuspended: new Platform.OrganizationSuspended(),
  PasswordResetInvalid: new Platform.PasswordResetInvalid(),
  PathNotFound: new Edge.PathNotFound(),
  PayloadTooLarge: new Edge.PayloadTooLarge({ max: 1024 * 1024 }),
  AddressNotAllowed: new Platform.AddressNotAllowed(),
  ScopeDenied: new Kernel.ScopeDenied({ scope: "rate_cards.write" }),
  PermissionDenied: new Kernel.PermissionDenied({ permission: "members.manage" }),
  PlanLimitReached: new Platform.PlanLimitReached({
    limit: "seats",
    current: Platform.plans[organization.plan].limits.seats,
    max: Platform.plans[organization.plan].limits.seats
  }),
  PlatformAppNotConfigured: new Messaging.PlatformAppNotConfigured(),
  RateLimited: new Edge.RateLimited({ retryAfterSeconds: 17 }),
  RefreshSuperseded: new Platform.RefreshSuperseded(),
  RequestMalformed: new Edge.RequestMalformed(),
  RequestTimeout: new Edge.RequestTimeout(),
  WebhookSubscriptionDisabled: new Integrations.WebhookSubscriptionDisabled(),
  WebhookSubscriptionInUse: new Integrations.WebhookSubscriptionInUse({
    usedBy: [{ kind: "automation", id: automation.id }]
  }),
  ScheduleInUse: new Automation.ScheduleInUse({ usedBy: [{ kind: "automation", id: automation.id }] }),
  SegmentInUse: new Crm.SegmentInUse({ segmentIds: [segment.id] }),
  PasswordChangeRequired: new Platform.PasswordChangeRequired(),
  PluginCallEnded: new Integrations.PluginCallEnded({ state: "done" }),
  PluginExists: new Integrations.PluginExists({ pluginId: plugin.id }),
  PluginInUse: new Integrations.PluginInUse({ usedBy: [{ kind: "automation", id: automation.id }] }),
  PluginVersionUnavailable: new Integrations.PluginVersionUnavailable({ available: "1.5.0" }),
  ServiceUnavailable: new Edge.ServiceUnavailable({ retryAfterSeconds: 2, outcomeUnknown: false }),
  ServiceWindowClosed: new Messaging.ServiceWindowClosed({ expiredAt: "2026-11-19T14:05:00.000Z" }),
  SessionReuseDetected: new Platform.SessionReuseDetected(),
  ChatTokenUnsuitable: new Messaging.ChatTokenUnsuitable({
    reason: "scopes_missing",
    missingScopes: ["whatsapp_business_messaging"],
    appId: "670843887433847",
    externalAccountId: null,
    pointer: "/accessToken"
  }),
  OnboardingRefused: new Messaging.OnboardingRefused({
    reason: "pin_mismatch",
    providerCode: 133_005,
    providerReason: "Two step verification PIN mismatch.",
    retryAt: null
  }),
  SignupCancelled: new Messaging.SignupCancelled({ step: "PHONE_NUMBER_SETUP", shownError: null, errorId: null }),
  SignupCodeRefused: new Messaging.SignupCodeRefused({
    providerCode: 100,
    reason: "This authorization code has expired."
  }),
  SignupNumberMissing: new Messaging.SignupNumberMissing({ externalPhoneIds: [] }),
  SignupInterrupted: new Messaging.SignupInterrupted(),
  StoreCallbackSignatureInvalid: new Commerce.StoreCallbackSignatureInvalid(),
  StoreCodeInvalid: new Commerce.StoreCodeInvalid(),
  StoreExchangeInProgress: new Commerce.StoreExchangeInProgress(),
  StoreCallbackStateInvalid: new Commerce.StoreCallbackStateInvalid(),
  StoreBeingRemoved: new Commerce.StoreBeingRemoved({ storeConnectionId: storeConnection.id, retryAfterSeconds: 5 }),
  StoreExists: new Commerce.StoreExists({ storeConnectionId: storeConnection.id }),
  StoreAppNotConfigured: new Commerce.StoreAppNotConfigured({ provider: "shopify" }),
  StoreRefused: new Commerce.StoreRefused({
    remedy: "give_up",
    code: "invalid_request",
    reason: "The authorization code was not found or was already used.",
    retryAfterMillis: null
  }),
  StoreScopesMissing: new Commerce.StoreScopesMissing({ missing: ["read_orders"] }),
  StoreNotConnected: new Commerce.StoreNotConnected({ storeStatus: "error" }),
  PrivacyRequestStatusInvalid: new Commerce.PrivacyRequestStatusInvalid({ requestState: "open" }),
  StoreConnectedElsewhere: new Commerce.StoreConnectedElsewhere(),
  StoreUnreachable: new Commerce.StoreUnreachable(),
  TemplateNotApproved: new Messaging.TemplateNotApproved({ status: "paused" }),
  TokenExpired: new Platform.TokenExpired(),
  TokenInvalid: new Platform.TokenInvalid(),
  TokenRevoked: new Platform.TokenRevoked(),
  UnsupportedByChannel: new Messaging.UnsupportedByChannel({ provider: "webhook", need: "templates" }),
  Unauthenticated: new Platform.Unauthenticated(),
  UnsupportedMediaType: new Edge.UnsupportedMediaType({ accepted: ["application/json"] }),
  ValidationFailed: new Kernel.ValidationFailed({
    errors: [
      { pointer: "/name", message: "Expected a name" },
      { pointer: "/role", message: 'Expected "owner" | "admin" | "agent" | "viewer"' }
    ]
  }),
  VersionConflict: new Kernel.VersionConflict({ current: automation.version + 1 }),
  WebhookForbidden: new Messaging.WebhookForbidden(),
  TriggerSignatureInvalid: new Automation.TriggerSignatureInvalid(),
  WebhookSignatureInvalid: new Messaging.WebhookSignatureInvalid(),
  WorkflowInUse: new Automation.WorkflowInUse({ liveRuns: 3 }),
  WorkflowNotActive: new Automation.WorkflowNotActive({ workflowStatus: "paused" }),
  ContactInWorkflow: new Automation.ContactInWorkflow({ isLive: true }),
  AutomationNotEnabled: new Automation.AutomationNotEnabled(),
  RunEnded: new Automation.RunEnded(),
  RunNotWaiting: new Automation.RunNotWaiting({ node: Automation.NodeId.make("reply") }),
  WorkflowTransitionInvalid: new Automation.WorkflowTransitionInvalid({
    from: "draft",
    to: "paused",
    allowed: ["active"]
  })
}
