import { describe, expectTypeOf, it } from "@effect/vitest"
import type * as domain from "@parley/domain"
import type {
  CurrentActor,
  CurrentOrganization,
  FeatureGate,
  FeatureNotInPlan,
  IdempotencyKeys,
  Ids,
  Locks,
  NotFound,
  VersionConflict,
  Outbox,
  PermissionDenied,
  RateLimits,
  Transaction,
  UnitOfWork,
  UseCase,
  Vault
} from "@parley/domain/kernel"
import type {
  Accounts,
  MemberResponsibilities,
  OperatorTokens,
  AuditLog,
  AutomationTokens,
  Backlog,
  InboundDeliveries,
  InboundDeliveryQueue,
  DocsCodeRedemption,
  EventTypes,
  DocsCodes,
  Files,
  JobQueue,
  KnownAddresses,
  LaneQueue,
  Jobs,
  Mailer,
  EmailQueue,
  MailSettings,
  Member,
  Members,
  OrganizationDirectory,
  OrganizationIds,
  Organizations,
  PasswordHasher,
  PasswordPolicy,
  PasswordResets,
  Sessions,
  Shards,
  SigningKeys,
  EventConsumerDirectory,
  EventCursors,
  TokenSigner,
  Usage,
  Users,
  WorkerDirectory
} from "@parley/domain/platform"
import type { ContactFields, ContactHistory, ContactDataOwners, Contacts, Segments, Tags } from "@parley/domain/crm"
import type {
  AccountPaces,
  AssignedConversations,
  CannedReplies,
  ChatAccounts,
  ChatChannels,
  ChatNumbers,
  ChatSettings,
  ContactConversations,
  Conversations,
  MediaLibrary,
  MediaTransferLocks,
  MessageGroups,
  MessageCharges,
  Messages,
  MessageTemplates,
  Notes,
  OpenedSecretCache,
  OneTimeCodes,
  RateCards,
  SendQueue,
  QueuedSends,
  Waits
} from "@parley/domain/messaging"
import type {
  LifecycleCalls,
  ActionCallListeners,
  PluginCalls,
  PluginCatalogue,
  PluginHosts,
  Plugins,
  WebhookRateLimiter,
  WebhookSender,
  WebhookSettings
} from "@parley/domain/integrations"
import type {
  StoreAuthorizationRedemption,
  StoreDirectory,
  StorePlatforms,
  StoreSettings
} from "@parley/domain/commerce"
import type {
  AutomationClocks,
  AutomationRuns,
  Automations,
  HttpCalls,
  TriggerCalls,
  TriggerUrls,
  WeeklySchedules
} from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import type { Effect, Stream } from "effect"

type Tenancy = CurrentOrganization | CurrentActor

type Need<Method> = Method extends (
  ...args: never
) => Effect.Effect<infer _A, infer _E, infer R> | Stream.Stream<infer _A, infer _E, infer R>
  ? R
  : Method extends Effect.Effect<infer _A, infer _E, infer R>
    ? R
    : never

type NeedsTenancy<Method> = unknown extends Need<Method> ? false : [Tenancy] extends [Need<Method>] ? true : false

type WithoutTenancy<Service> = {
  readonly [Name in keyof Service]: NeedsTenancy<Service[Name]> extends true ? never : Name
}[keyof Service]

type TenantScopedPorts<Port> = Port extends { readonly Service: infer Service }
  ? [WithoutTenancy<Service>] extends [never]
    ? Port
    : never
  : never

type Writes<Port extends { readonly Service: unknown }> = {
  readonly [Name in keyof Port["Service"]]: [Transaction] extends [Need<Port["Service"][Name]>] ? Name : never
}[keyof Port["Service"]]

type Domain = typeof domain

type UseCaseName = {
  readonly [Name in keyof Domain]: Domain[Name] extends UseCase<infer _Args, infer _A, infer _E, infer _R>
    ? Name
    : never
}[keyof Domain]

type ErrorOf<Name extends UseCaseName> =
  Domain[Name] extends UseCase<infer _Args, infer _A, infer E, infer _R> ? E : never

type NeedOf<Name extends UseCaseName> =
  Domain[Name] extends UseCase<infer _Args, infer _A, infer _E, infer R> ? R : never

type Failing<Error> = {
  readonly [Name in UseCaseName]: [Error] extends [ErrorOf<Name>] ? Name : never
}[UseCaseName]

type Needing<Service> = {
  readonly [Name in UseCaseName]: [Service] extends [NeedOf<Name>] ? Name : never
}[UseCaseName]

type Public =
  | "acceptInvitation"
  | "exchangeDocsCode"
  | "getDocsSession"
  | "login"
  | "receiveAccountDelivery"
  | "receiveChatDelivery"
  | "receiveStoreCallback"
  | "receiveStoreDelivery"
  | "refreshSession"
  | "requestPasswordReset"
  | "setPasswordByLink"
  | "triggerAutomation"
  | "verifyChatWebhook"

type Gated =
  | "cancelAutomationRun"
  | "cancelAutomationRuns"
  | "createAutomation"
  | "deleteAutomation"
  | "deleteTriggerUrl"
  | "disableAutomation"
  | "enableAutomation"
  | "rerunAutomationRuns"
  | "rotateTriggerUrl"
  | "testAutomation"
  | "updateAutomation"
  | "updateAutomationSettings"
  | "completePluginCall"
  | "disablePlugin"
  | "enablePlugin"
  | "installPlugin"
  | "rotatePluginSecret"
  | "uninstallPlugin"
  | "updatePlugin"
  | "upgradePlugin"
  | "archiveWorkflow"
  | "cancelWorkflowRun"
  | "cancelWorkflowRuns"
  | "rerunWorkflowRuns"
  | "continueWorkflowRun"
  | "createWorkflow"
  | "deleteWorkflow"
  | "enrollContacts"
  | "migrateWorkflowRuns"
  | "pauseWorkflow"
  | "publishWorkflow"
  | "resumeWorkflow"
  | "startWorkflowRun"
  | "testWorkflow"
  | "updateWorkflow"
  | "validateWorkflow"

describe("ports", () => {
  it("a call without a tenant and an actor does not type-check", () => {
    type Get = ReturnType<Members["Service"]["get"]>
    expectTypeOf<Get>().toEqualTypeOf<Effect.Effect<Member, NotFound, Tenancy>>()
    expectTypeOf<Get>().not.toExtend<Effect.Effect<Member, NotFound>>()
    expectTypeOf<Get>().not.toExtend<Effect.Effect<Member, NotFound, CurrentActor>>()
    expectTypeOf<Get>().not.toExtend<Effect.Effect<Member, NotFound, CurrentOrganization>>()
    type Read = ReturnType<Files["Service"]["read"]>
    expectTypeOf<Read>().toEqualTypeOf<Stream.Stream<Uint8Array, NotFound, Tenancy>>()
  })

  it("every method of a port needs the tenant, except these ports above tenants", () => {
    expectTypeOf<Exclude<Ports, TenantScopedPorts<Ports>>>().toEqualTypeOf<
      | AccountPaces
      | Accounts
      | Backlog
      | ChatChannels
      | ChatNumbers
      | ChatSettings
      | InboundDeliveryQueue
      | DocsCodeRedemption
      | EventTypes
      | IdempotencyKeys
      | Ids
      | KnownAddresses
      | LaneQueue
      | Mailer
      | EmailQueue
      | MailSettings
      | MediaTransferLocks
      | MessageGroups
      | OpenedSecretCache
      | OperatorTokens
      | OrganizationDirectory
      | OrganizationIds
      | PasswordHasher
      | PasswordPolicy
      | PasswordResets
      | PluginCatalogue
      | PluginHosts
      | RateCards
      | RateLimits
      | Sessions
      | Shards
      | SigningKeys
      | StoreAuthorizationRedemption
      | StoreDirectory
      | StorePlatforms
      | StoreSettings
      | EventConsumerDirectory
      | TokenSigner
      | UnitOfWork
      | Users
      | Vault
      | WebhookRateLimiter
      | WebhookSender
      | WebhookSettings
      | WorkerDirectory
    >()
  })

  it("what a unit of work must be able to take back cannot be written outside of one", () => {
    expectTypeOf<Writes<AssignedConversations>>().toEqualTypeOf<"release">()
    expectTypeOf<Writes<MemberResponsibilities>>().toEqualTypeOf<"release">()
    expectTypeOf<Writes<AuditLog>>().toEqualTypeOf<"append" | "forget">()
    expectTypeOf<Writes<AutomationClocks>>().toEqualTypeOf<"set" | "advance" | "remove">()
    expectTypeOf<Writes<HttpCalls>>().toEqualTypeOf<"lock" | "add" | "save" | "blank">()
    expectTypeOf<Writes<TriggerCalls>>().toEqualTypeOf<"add" | "forget">()
    expectTypeOf<Writes<TriggerUrls>>().toEqualTypeOf<"put" | "remove">()
    expectTypeOf<Writes<Automations>>().toEqualTypeOf<"insert" | "move" | "save" | "remove">()
    expectTypeOf<Writes<AutomationTokens>>().toEqualTypeOf<"insert" | "lock" | "adopt" | "revoke">()
    expectTypeOf<Writes<CannedReplies>>().toEqualTypeOf<"insert" | "save" | "remove">()
    expectTypeOf<Writes<ChatAccounts>>().toEqualTypeOf<
      "insert" | "save" | "recordCheck" | "wantTemplates" | "remove" | "revive"
    >()
    expectTypeOf<Writes<ContactConversations>>().toEqualTypeOf<"handOver" | "handBack" | "enter" | "forget">()
    expectTypeOf<Writes<ContactFields>>().toEqualTypeOf<"insert" | "save" | "remove">()
    expectTypeOf<Writes<ContactDataOwners>>().toEqualTypeOf<"move" | "moveBack" | "block" | "forget">()
    expectTypeOf<Writes<ContactHistory>>().toEqualTypeOf<
      "appendConsent" | "note" | "merge" | "unmerge" | "rebase" | "erase"
    >()
    expectTypeOf<Writes<Contacts>>().toEqualTypeOf<
      | "lock"
      | "lockByIdentity"
      | "forgetWords"
      | "refold"
      | "insert"
      | "save"
      | "saveAll"
      | "remove"
      | "tag"
      | "untag"
      | "clearAttribute"
    >()
    expectTypeOf<Writes<Conversations>>().toEqualTypeOf<
      "lock" | "lockFree" | "lockLatest" | "lockInvolved" | "insert" | "saveAll" | "saveWritten"
    >()
    expectTypeOf<Writes<InboundDeliveries>>().toEqualTypeOf<"move" | "forget">()
    expectTypeOf<Writes<InboundDeliveryQueue>>().toEqualTypeOf<"next" | "applied" | "failed">()
    expectTypeOf<Writes<DocsCodeRedemption>>().toEqualTypeOf<"redeem">()
    expectTypeOf<Writes<DocsCodes>>().toEqualTypeOf<"insert">()
    expectTypeOf<Writes<Files>>().toEqualTypeOf<"remove">()
    expectTypeOf<Writes<IdempotencyKeys>>().toEqualTypeOf<"claim" | "store" | "withdraw">()
    expectTypeOf<Writes<JobQueue>>().toEqualTypeOf<"begin" | "advance" | "finish" | "giveBack" | "postpone">()
    expectTypeOf<Writes<Jobs>>().toEqualTypeOf<"insert" | "requestCancel">()
    expectTypeOf<Writes<Locks>>().toEqualTypeOf<"exclusive" | "shared">()
    expectTypeOf<Writes<EmailQueue>>().toEqualTypeOf<"enqueue" | "countAttempt">()
    expectTypeOf<Writes<MediaLibrary>>().toEqualTypeOf<"insert" | "save" | "use">()
    expectTypeOf<Writes<KnownAddresses>>().toEqualTypeOf<"note" | "forget">()
    expectTypeOf<Writes<Members>>().toEqualTypeOf<"lockByUser" | "insert" | "setRole" | "join" | "remove">()
    expectTypeOf<Writes<Messages>>().toEqualTypeOf<
      "lock" | "lockByProvider" | "insert" | "refold" | "saveAll" | "storeEarly" | "removeEarly"
    >()
    expectTypeOf<Writes<MessageCharges>>().toEqualTypeOf<"record">()
    expectTypeOf<Writes<MessageTemplates>>().toEqualTypeOf<"insert" | "save" | "lease" | "release" | "remove">()
    expectTypeOf<Writes<Notes>>().toEqualTypeOf<"insert" | "save" | "remove">()
    expectTypeOf<Writes<OneTimeCodes>>().toEqualTypeOf<"insert" | "erase">()
    expectTypeOf<Writes<OperatorTokens>>().toEqualTypeOf<"insert" | "revoke">()
    expectTypeOf<Writes<OrganizationDirectory>>().toEqualTypeOf<"insert">()
    expectTypeOf<Writes<Organizations>>().toEqualTypeOf<"save">()
    expectTypeOf<Writes<Outbox>>().toEqualTypeOf<"append">()
    expectTypeOf<Writes<Plugins>>().toEqualTypeOf<
      "lock" | "insert" | "save" | "keep" | "remove" | "addToken" | "endTokens"
    >()
    expectTypeOf<Writes<PluginCalls>>().toEqualTypeOf<"lock" | "add" | "save" | "blank">()
    expectTypeOf<Writes<ActionCallListeners>>().toEqualTypeOf<"ended">()
    expectTypeOf<Writes<LifecycleCalls>>().toEqualTypeOf<"add" | "retry" | "drop" | "dropAll">()
    expectTypeOf<Writes<PasswordResets>>().toEqualTypeOf<"replace" | "spend" | "withdraw">()
    expectTypeOf<Writes<Segments>>().toEqualTypeOf<"insert" | "save" | "remove">()
    expectTypeOf<Writes<SendQueue>>().toEqualTypeOf<"settleAll">()
    expectTypeOf<Writes<EventConsumerDirectory>>().toEqualTypeOf<"remove">()
    expectTypeOf<Writes<EventCursors>>().toEqualTypeOf<
      | "begin"
      | "lock"
      | "advance"
      | "passBy"
      | "rest"
      | "wake"
      | "retry"
      | "park"
      | "replayParked"
      | "lockReplay"
      | "replayFailed"
      | "unpark"
      | "rewind"
      | "remove"
    >()
    expectTypeOf<Writes<QueuedSends>>().toEqualTypeOf<"enqueue">()
    expectTypeOf<Writes<Sessions>>().toEqualTypeOf<"insert" | "rotate" | "revoke" | "revokeAllOf">()
    expectTypeOf<Writes<Tags>>().toEqualTypeOf<"insert" | "save" | "remove" | "move" | "clear">()
    expectTypeOf<Writes<Usage>>().toEqualTypeOf<"hold">()
    expectTypeOf<Writes<Waits>>().toEqualTypeOf<"lockMessages" | "save" | "drop">()
    expectTypeOf<Writes<Users>>().toEqualTypeOf<
      | "lockCredentials"
      | "insert"
      | "rename"
      | "setStatus"
      | "setPassword"
      | "setPasswordHash"
      | "requirePasswordChange"
      | "verifyEmail"
    >()
  })
})

describe("use cases", () => {
  it("never ask for a transaction: each brings its own", () => {
    expectTypeOf<Needing<Transaction>>().toEqualTypeOf<never>()
  })

  it("may be refused for want of a permission, unless they are public", () => {
    expectTypeOf<Failing<PermissionDenied>>().toEqualTypeOf<Exclude<UseCaseName, Public>>()
  })

  it("ask who acts, unless they are public", () => {
    expectTypeOf<Needing<CurrentActor>>().toEqualTypeOf<Exclude<UseCaseName, Public>>()
  })

  it("may be refused for want of a plan exactly when they are gated", () => {
    expectTypeOf<Failing<FeatureNotInPlan>>().toEqualTypeOf<Gated>()
    expectTypeOf<Needing<FeatureGate>>().toEqualTypeOf<Gated>()
  })

  it("work in an organization, unless they are about a person or the service", () => {
    expectTypeOf<Exclude<UseCaseName, Needing<CurrentOrganization>>>().toEqualTypeOf<
      | Public
      | "changePassword"
      | "createOrganization"
      | "createUser"
      | "forgetEventConsumer"
      | "getPlatformApp"
      | "getRateCard"
      | "importRateCard"
      | "importRates"
      | "issueOperatorToken"
      | "linkPasswordReset"
      | "listEventTypes"
      | "listMyOrganizations"
      | "listOfferedPlugins"
      | "listParkedEvents"
      | "listOperatorTokens"
      | "listPlatformAuditEvents"
      | "listRates"
      | "listEventConsumers"
      | "logout"
      | "offerPlugin"
      | "previewTemplateContent"
      | "removeRates"
      | "resetPassword"
      | "revokeOperatorToken"
      | "rotateSigningKey"
      | "setUserStatus"
      | "getWorkerStatus"
      | "updateMe"
      | "withdrawPlugin"
    >()
  })

  it("a public one needs ports and nothing of the caller", () => {
    expectTypeOf<NeedOf<"refreshSession">>().toEqualTypeOf<
      Accounts | AuditLog | Ids | Sessions | TokenSigner | UnitOfWork | Vault
    >()
  })

  it("one for signed-in users needs the actor and no tenant", () => {
    expectTypeOf<NeedOf<"logout">>().toEqualTypeOf<Accounts | AuditLog | CurrentActor | Ids | Sessions | UnitOfWork>()
  })

  it("one for operators needs the actor", () => {
    expectTypeOf<NeedOf<"createOrganization">>().toEqualTypeOf<
      AuditLog | CurrentActor | Ids | OrganizationDirectory | Outbox | UnitOfWork
    >()
  })

  it("one behind a permission that reads needs the tenant and no unit of work", () => {
    expectTypeOf<NeedOf<"getSchedule">>().toEqualTypeOf<WeeklySchedules | Tenancy>()
    expectTypeOf<ErrorOf<"getSchedule">>().toEqualTypeOf<NotFound | PermissionDenied>()
  })

  it("one behind a permission and a plan needs the gate too", () => {
    expectTypeOf<NeedOf<"deleteAutomation">>().toEqualTypeOf<
      AuditLog | AutomationRuns | Automations | FeatureGate | Ids | Locks | Outbox | Tenancy | UnitOfWork
    >()
    expectTypeOf<ErrorOf<"deleteAutomation">>().toEqualTypeOf<
      FeatureNotInPlan | NotFound | PermissionDenied | VersionConflict
    >()
  })
})
