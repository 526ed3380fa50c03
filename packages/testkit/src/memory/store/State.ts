import type {
  ActionEffect,
  ActorRef,
  RollupState,
  Count,
  DayTally,
  ContactActivity,
  RollupVersion,
  Tally,
  AudienceSnapshot,
  AudienceSnapshotId,
  AuditEvent,
  AuditEventId,
  Automation,
  AutomationDefinition,
  TriggerTimer,
  AutomationId,
  AutomationSettings,
  AutomationRunId,
  AutomationToken,
  AutomationTokenId,
  Availability,
  Broadcast,
  BroadcastId,
  BroadcastReport,
  BroadcastSettings,
  BroadcastWindow,
  ButtonTally,
  CannedReply,
  CannedReplyId,
  CartId,
  Causation,
  CatalogueEntry,
  ChatAccount,
  ChatAccountId,
  ChatSecrets,
  ConsentChange,
  Contact,
  ContactField,
  ContactFieldId,
  ContactId,
  ContactImportId,
  ContactMerge,
  ContactMergeId,
  Conversation,
  ConversationId,
  ConversationMerge,
  InboundDelivery,
  InboundDeliveryId,
  DocsCode,
  DueLane,
  DuplicateLink,
  EarlyReceipt,
  EndedWait,
  EventShape,
  ExclusionReason,
  FileId,
  ImportIssue,
  StoredImport,
  InvitationRecord,
  Job,
  JobId,
  StoredCart,
  StoredCustomer,
  StoredOrder,
  StoredPlugin,
  StoredPluginCall,
  StoredPrivacyRequest,
  StoredProduct,
  StoredWorkflowRun,
  LifecycleCall,
  LifecycleCallId,
  LoggedEvent,
  PluginCallId,
  PluginId,
  PluginToken,
  QueuedConversation,
  MessageRate,
  Media,
  MediaId,
  Member,
  MemberId,
  Message,
  MessageCharge,
  MessageError,
  MessageId,
  MessageTemplate,
  MessageTemplateId,
  Note,
  NoteId,
  NewAutomationRun,
  NewResponse,
  OrderId,
  Organization,
  OrganizationId,
  ParkedStoreCode,
  ParkedEvent,
  Permission,
  PrivacyRequestId,
  ProductId,
  Recipient,
  RecipientStatus,
  ScheduleId,
  Segment,
  SegmentId,
  SentValues,
  SealedOneTimeCode,
  Session,
  SessionId,
  SigningKeyRecord,
  StoreAuthorization,
  StoreConnection,
  StoreConnectionId,
  StoreCustomerId,
  SyncTarget,
  StaleRecord,
  StoreSecrets,
  StoredSkippedRecord,
  Episode,
  EventConsumerName,
  Tag,
  TagId,
  TimelineNote,
  User,
  UserId,
  StoredWebhookDelivery,
  StoredWebhookSubscription,
  VariantKey,
  WaitingEmail,
  WeeklySchedule,
  WebhookAttempt,
  WebhookDeliveryId,
  WebhookSubscriptionId,
  Workflow,
  WorkflowHold,
  WorkflowId,
  WorkflowRunId,
  WorkflowStep,
  WorkflowVersion
} from "@parley/domain"
import { type DateTime, HashMap, Option, type Schema } from "effect"

/** Stored member, with the invitation until its acceptance. */
export interface MemberRow {
  readonly member: Member
  readonly invitation: InvitationRecord | null
  /** Default availability if absent. */
  readonly availability?: Availability
}

export interface UserRow {
  readonly user: User
  readonly passwordHash: string
  readonly mustChangePassword: boolean
}

/** Stored password reset link, keyed by its digest. */
export interface PasswordResetRow {
  readonly email: string
  readonly expiresAt: DateTime.Utc
}

/** An address with an earlier login to an account. */
export interface KnownAddressRow {
  readonly slot: number
  readonly address: string
  readonly seenAt: DateTime.Utc
}

export interface SessionRow {
  readonly session: Session
  readonly revokedAt: DateTime.Utc | null
}

/** A refresh token of a session, by its digest. */
export interface RefreshRow {
  readonly sessionId: SessionId
  readonly spentAt: DateTime.Utc | null
}

/** Usage of one bucket in the window with this end. */
export interface BucketRow {
  readonly used: number
  readonly resetsAt: number
}

/** Stored response for an idempotency key. */
export interface AnswerRow {
  readonly response: NewResponse
  /** Erasures of the organization when the request claimed the key. */
  readonly seenErasures: number
  readonly isDeleted: boolean
  readonly storedAt: number
}

/** Stored job, with the data for its runner. */
export interface JobRow {
  readonly job: Job
  readonly input: Schema.Json
  readonly checkpoint: Schema.Json | null
  readonly permissions: ReadonlySet<Permission>
  readonly attempts: number
  /** Fence of the worker that started the job; `null` before the start and after a reported failure. */
  readonly begunUnder: number | null
}

/** An event that waits for its position, which it gets when the unit of work commits. */
export interface PendingEvent {
  readonly organizationId: OrganizationId
  readonly at: DateTime.Utc
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly event: EventShape
}

/** A timer that starts something after some time. One that fired permanently has no time. */
export interface TriggerTimerRow extends Omit<TriggerTimer, "dueAt"> {
  readonly dueAt: DateTime.Utc | null
}

/** Automation run, the number of its last change, and the merges that transferred it. */
export interface AutomationRunRow extends NewAutomationRun {
  readonly revision: number
  readonly handedBy: ReadonlyArray<string>
}

/** When a run of a key ended that is forgotten. */
export interface WorkflowEndRow {
  readonly workflowId: WorkflowId
  readonly key: string
  readonly endedAt: DateTime.Utc
}

/** Workflow run, its performed steps by place, and the merges that transferred it. */
export interface WorkflowRunRow extends StoredWorkflowRun {
  readonly steps: ReadonlyMap<number, WorkflowStep>
  readonly handedBy: ReadonlyArray<string>
}

/** The cursor of a subscriber. */
export interface EventCursorRow {
  readonly position: number
  readonly attempts: number
  readonly reason: string | null
  readonly retryAt: DateTime.Utc | null
  readonly rests: boolean
}

/** Stored file, without its bytes during the write. */
export interface FileRow {
  readonly begunAt: DateTime.Utc
  readonly bytes: Uint8Array | null
}

/** An import of contacts, and its bad rows in their order. */
export interface ImportRow {
  readonly order: StoredImport
  readonly faults: ReadonlyArray<ImportIssue>
}

/** History entry of a contact and its previous contacts before merges, oldest first. */
export interface HistoryRow<Entry> {
  readonly contactId: ContactId
  readonly handedBy: ReadonlyArray<ContactMergeId>
  readonly entry: Entry
}

/** Conversation and the merges that transferred it, oldest first. */
export interface ConversationRow {
  readonly conversation: Conversation
  readonly handedBy: ReadonlyArray<ContactMergeId>
  /** Earlier episodes of the conversation, oldest first. */
  readonly pastEpisodes?: ReadonlyArray<Episode>
}

/** Time of the last away reply to a contact. */
export interface AwayReplyRow {
  readonly conversationId: ConversationId
  readonly scheduleId: ScheduleId
  readonly at: DateTime.Utc
}

/** Stored message, with the account of its provider id. */
export interface MessageRow {
  readonly chatAccountId: ChatAccountId
  readonly message: Message
  /** The provider's id of the message that it answers, where that was not known when it came. */
  readonly answered: string | null
  /** What it has ended by being accepted, if it is an answer. */
  readonly ending?: EndedWait | null
}

/** Receipt for a message that is not stored yet. */
export interface EarlyReceiptRow {
  readonly chatAccountId: ChatAccountId
  readonly receipt: EarlyReceipt
}

/** Stored delivery, with its payload and its earliest processing time. */
export interface DeliveryRow {
  /** The lane that it is worked through in. */
  readonly lane: string
  readonly delivery: InboundDelivery
  readonly digest: string
  readonly body: Uint8Array
  readonly dueAt: DateTime.Utc
}

/** A message that waits to be sent. */
export interface SendRow {
  readonly messageId: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly attempts: number
  /** Increases with each write. */
  readonly revision: number
  /** Which reading of the queue began last. */
  readonly begunBy: string | null
  /** Whether a provider call is recorded. */
  readonly hasBegun: boolean
  /** Earliest send time. */
  readonly runnableAt: DateTime.Utc
}

/** Stored chat account, with its sealed secrets. */
export interface ChatAccountRow {
  readonly account: ChatAccount
  /** `null` when it was removed. */
  readonly secrets: ChatSecrets | null
  readonly removedAt: DateTime.Utc | null
  /** Number of consecutive failed calls. */
  readonly failures: number
  /** End of the last sending pause; `null` if sending never paused. */
  readonly restsUntil: DateTime.Utc | null
  /** Time when the templates must be fetched again, and whether a fetch has started. */
  readonly wanted: { readonly from: DateTime.Utc; readonly isBegun: boolean } | null
  /** Increases with each change of the wanted fetch. */
  readonly wantedRevision: number
}

/** Recipients of a broadcast that count against a month. */
export interface ReservationRow {
  readonly month: DateTime.Utc
  readonly amount: number
}

/** A process that works. */
export interface WorkNodeRow {
  readonly id: string
  readonly name: string
  readonly tasks: ReadonlyArray<string>
  readonly beat: number
  readonly joinedAt: DateTime.Utc
  readonly seenAt: DateTime.Utc
}

/** A shard of a task, its owner, and its highest fence so far. */
export interface WorkShardRow {
  readonly task: string
  readonly shard: number
  readonly node: string | null
  readonly fence: number
}

/** Open lane and the fence of its last claim. */
export interface WorkLaneRow extends DueLane {
  readonly fence: number
}

/** Progress of a broadcast, with its statistics. */
export interface BroadcastProgressRow {
  /** The last contact that was put on the list. */
  readonly frozenAfter: ContactId | null
  readonly listed: number
  readonly mark: number
  /** Increases when a writer other than the sender changes the pending recipients. */
  readonly revision: number
  readonly stoppedAt: DateTime.Utc | null
  readonly doubtedAt: DateTime.Utc | null
  readonly claimedAt: DateTime.Utc | null
  readonly toldAt: DateTime.Utc | null
  /** Whether postponed recipients must be checked again. */
  readonly isRecalled: boolean
  /** Highest fence that claimed recipients or fenced off other workers. */
  readonly fence: number
  /** When its recipients went. */
  readonly deletedAt: DateTime.Utc | null
}

/** Listed recipient of a broadcast. `waiting` is also pending, until the due time or the next retry. */
export interface BroadcastRecipientRow {
  readonly seq: number
  readonly contactId: ContactId
  /** Merges through which it reached the contact. */
  readonly handedBy: ReadonlyArray<ContactMergeId>
  readonly address: Recipient | null
  readonly variant: VariantKey | null
  readonly status: Exclude<RecipientStatus, "in_flight"> | "waiting"
  readonly dueAt: DateTime.Utc | null
  /** End of the last postponement, even if the recipient now waits for something else. */
  readonly putOffUntil: DateTime.Utc | null
  /** Due time at the draw, before any postponement; `null` without a holdout and for recipients excluded before the draw. */
  readonly drawnFor: DateTime.Utc | null
  readonly attempts: number
  readonly reason: ExclusionReason | null
  readonly error: MessageError | null
  readonly providerMessageId: string | null
  readonly values: SentValues | null
  readonly calledAt: DateTime.Utc | null
  readonly sentAt: DateTime.Utc | null
  readonly deliveredAt: DateTime.Utc | null
  readonly readAt: DateTime.Utc | null
  readonly failedAt: DateTime.Utc | null
  readonly repliedAt: DateTime.Utc | null
  readonly optedOutAt: DateTime.Utc | null
  readonly conversationId: ConversationId | null
}

/** Stored list of recipients, in contact order. */
export interface AudienceSnapshotRow {
  readonly snapshot: AudienceSnapshot
  readonly contacts: ReadonlyArray<{
    readonly contactId: ContactId
    /** Current holder of the place and the merges that transferred it. */
    readonly holder: ContactId
    readonly handedBy: ReadonlyArray<ContactMergeId>
    readonly address: Recipient | null
    readonly reason: ExclusionReason | null
  }>
}

/** Time since a recipient counts as reached, and the previous such time. */
export interface ReachRow {
  readonly reachedAt: DateTime.Utc
  readonly formerAt: DateTime.Utc | null
}

/** A stored store: with its sealed credentials and previous addresses. */
export interface StoreConnectionRow {
  readonly connection: StoreConnection
  readonly secrets: StoreSecrets | null
  readonly formerDomains: ReadonlyArray<string>
}

/** Pending authorization of a member who was redirected to a shop. */
export interface StoreAuthorizationRow {
  readonly authorization: StoreAuthorization
  readonly expiresAt: DateTime.Utc
}

/** A parked code that waits for the starter of its journey. */
export interface StoreParkedCodeRow {
  readonly parked: ParkedStoreCode
  readonly expiresAt: DateTime.Utc
  readonly reservedUntil: DateTime.Utc | null
}

/** A copy of all counts, by the keys of each row. */
export interface RollupVersionRows {
  readonly kept: HashMap.HashMap<string, ReadonlyArray<Count>>
  readonly quarters: HashMap.HashMap<string, Tally>
  readonly days: HashMap.HashMap<string, DayTally>
  readonly activity: HashMap.HashMap<string, ContactActivity>
}

/** An empty rollup version. */
export const emptyRollupVersion: RollupVersionRows = {
  kept: HashMap.empty(),
  quarters: HashMap.empty(),
  days: HashMap.empty(),
  activity: HashMap.empty()
}

/** Stored delivery: its owner, its attempts (oldest first) and whether another attempt is requested. */
export interface WebhookDeliveryRow extends StoredWebhookDelivery {
  readonly subscriptionId: WebhookSubscriptionId
  readonly log: ReadonlyArray<WebhookAttempt>
  readonly wanted: boolean
}

/** Everything that belongs to one organization. */
export interface Tenant {
  /** By run, step and visit. */
  readonly actionEffects: HashMap.HashMap<string, { readonly effect: ActionEffect; readonly at: DateTime.Utc }>
  /** `null` before anything is counted. */
  readonly rollupState: RollupState | null
  readonly rollupVersions: HashMap.HashMap<RollupVersion, RollupVersionRows>
  /** Which broadcasts keep the credit for orders. */
  readonly keptAttributions: HashMap.HashMap<OrderId, BroadcastId>
  readonly analyticsErased: HashMap.HashMap<string, Tally>
  readonly audienceSnapshots: HashMap.HashMap<AudienceSnapshotId, AudienceSnapshotRow>
  readonly auditEvents: HashMap.HashMap<AuditEventId, AuditEvent>
  readonly assignmentQueue: HashMap.HashMap<ConversationId, QueuedConversation>
  readonly awayReplies: ReadonlyArray<AwayReplyRow>
  readonly memberTurns: HashMap.HashMap<UserId, DateTime.Utc>
  readonly schedules: HashMap.HashMap<ScheduleId, WeeklySchedule>
  /** By the ids of the automation and of what each is of. */
  readonly triggerTimers: HashMap.HashMap<string, TriggerTimerRow>
  readonly automationRuns: HashMap.HashMap<AutomationRunId, AutomationRunRow>
  readonly automations: HashMap.HashMap<AutomationId, Automation>
  readonly automationVersions: HashMap.HashMap<
    AutomationId,
    ReadonlyArray<{ readonly version: number; readonly definition: AutomationDefinition }>
  >
  readonly automationSettings: AutomationSettings | null
  readonly automationsResumedAfter: number
  readonly workflowRuns: HashMap.HashMap<WorkflowRunId, WorkflowRunRow>
  readonly workflows: HashMap.HashMap<WorkflowId, Workflow>
  readonly workflowsActiveAfter: HashMap.HashMap<WorkflowId, number>
  readonly workflowEnds: ReadonlyArray<WorkflowEndRow>
  readonly workflowHolds: ReadonlyArray<WorkflowHold>
  readonly workflowVersions: HashMap.HashMap<WorkflowId, ReadonlyArray<WorkflowVersion>>
  readonly automationTokens: HashMap.HashMap<AutomationTokenId, AutomationToken>
  readonly broadcasts: HashMap.HashMap<BroadcastId, Broadcast>
  readonly broadcastReports: HashMap.HashMap<BroadcastId, BroadcastReport>
  readonly broadcastProgress: HashMap.HashMap<BroadcastId, BroadcastProgressRow>
  /** By broadcast, in the order of their places. */
  readonly broadcastRecipients: HashMap.HashMap<BroadcastId, ReadonlyArray<BroadcastRecipientRow>>
  readonly broadcastWindows: ReadonlyArray<BroadcastWindow>
  /** `null` until they are changed. */
  readonly broadcastSettings: BroadcastSettings | null
  readonly buttonTaps: HashMap.HashMap<BroadcastId, ReadonlyArray<ButtonTally>>
  readonly cannedReplies: HashMap.HashMap<CannedReplyId, CannedReply>
  readonly chatAccounts: HashMap.HashMap<ChatAccountId, ChatAccountRow>
  readonly consents: ReadonlyArray<HistoryRow<ConsentChange>>
  readonly contactFields: HashMap.HashMap<ContactFieldId, ContactField>
  /** Contact identities by kind and key. */
  readonly contactIdentities: HashMap.HashMap<string, ContactId>
  /** The files that came for imports, and when they were expected. */
  readonly contactFiles: HashMap.HashMap<FileId, DateTime.Utc>
  readonly contactImports: HashMap.HashMap<ContactImportId, ImportRow>
  readonly contactMerges: HashMap.HashMap<ContactMergeId, ContactMerge>
  readonly contactNotes: ReadonlyArray<HistoryRow<TimelineNote>>
  readonly contacts: HashMap.HashMap<ContactId, Contact>
  readonly conversations: HashMap.HashMap<ConversationId, ConversationRow>
  /** Reached recipients, by business and recipient. */
  readonly dailyRecipients: HashMap.HashMap<string, HashMap.HashMap<string, ReachRow>>
  readonly deliveries: HashMap.HashMap<InboundDeliveryId, DeliveryRow>
  /** Conversation joins from contact merges. */
  readonly conversationJoins: ReadonlyArray<ConversationMerge>
  readonly duplicateLinks: ReadonlyArray<DuplicateLink>
  readonly earlyReceipts: ReadonlyArray<EarlyReceiptRow>
  readonly events: ReadonlyArray<LoggedEvent>
  readonly files: HashMap.HashMap<FileId, FileRow>
  readonly jobs: HashMap.HashMap<JobId, JobRow>
  readonly media: HashMap.HashMap<MediaId, Media>
  readonly members: HashMap.HashMap<MemberId, MemberRow>
  readonly messageTemplates: HashMap.HashMap<MessageTemplateId, MessageTemplate>
  /** End of the lease of each template. */
  readonly messageTemplateLeases: HashMap.HashMap<MessageTemplateId, DateTime.Utc>
  /** By account and provider id. */
  readonly messageCharges: HashMap.HashMap<string, MessageCharge>
  readonly messages: HashMap.HashMap<MessageId, MessageRow>
  readonly notes: HashMap.HashMap<NoteId, Note>
  readonly parkedEvents: ReadonlyArray<ParkedEvent>
  /** Monthly plan recipients that broadcasts reserve. */
  readonly recipientReservations: HashMap.HashMap<BroadcastId, ReservationRow>
  readonly segments: HashMap.HashMap<SegmentId, Segment>
  /** In insertion order. */
  readonly oneTimeCodes: HashMap.HashMap<MessageId, SealedOneTimeCode>
  readonly sends: ReadonlyArray<SendRow>
  /** By the digests of their states. */
  readonly storeAuthorizations: HashMap.HashMap<string, StoreAuthorizationRow>
  readonly storeCarts: HashMap.HashMap<CartId, StoredCart>
  readonly storeConnections: HashMap.HashMap<StoreConnectionId, StoreConnectionRow>
  readonly plugins: HashMap.HashMap<PluginId, StoredPlugin>
  readonly pluginCalls: HashMap.HashMap<PluginCallId, StoredPluginCall>
  readonly pluginTokens: HashMap.HashMap<AutomationTokenId, PluginToken>
  readonly lifecycleCalls: HashMap.HashMap<LifecycleCallId, LifecycleCall>
  readonly privacyRequests: HashMap.HashMap<PrivacyRequestId, StoredPrivacyRequest>
  readonly storeCustomers: HashMap.HashMap<StoreCustomerId, StoredCustomer>
  /** By store, kind and the shop's id. */
  readonly staleRecords: HashMap.HashMap<string, StaleRecord>
  readonly storeOrders: HashMap.HashMap<OrderId, StoredOrder>
  readonly storeParkedCodes: HashMap.HashMap<string, StoreParkedCodeRow>
  readonly storeProducts: HashMap.HashMap<ProductId, StoredProduct>
  /** By store, kind and the shop's id. */
  readonly storeSkippedRecords: HashMap.HashMap<string, StoredSkippedRecord>
  /** By store, kind and shop id. */
  readonly syncSeenRecords: HashMap.HashMap<string, SyncTarget>
  readonly eventCursors: HashMap.HashMap<EventConsumerName, EventCursorRow>
  /** Sealed; `null` until the first opt-out is stored. */
  readonly suppressionKey: string | null
  /** Times of the stored opt-outs, by digest. */
  readonly suppressions: HashMap.HashMap<string, DateTime.Utc>
  readonly tags: HashMap.HashMap<TagId, Tag>
  readonly webhookDeliveries: HashMap.HashMap<WebhookDeliveryId, WebhookDeliveryRow>
  readonly webhookSubscriptions: HashMap.HashMap<WebhookSubscriptionId, StoredWebhookSubscription>
}

/** The whole store. It is never changed, only replaced, so a snapshot costs nothing. */
export interface State {
  readonly answers: HashMap.HashMap<string, AnswerRow>
  /** Erasures that withdrew responses, by organization. */
  readonly erasures: HashMap.HashMap<string, number>
  readonly buckets: HashMap.HashMap<string, BucketRow>
  readonly docsCodes: HashMap.HashMap<string, DocsCode>
  /** In queue order. */
  readonly mails: ReadonlyArray<WaitingEmail>
  readonly organizations: HashMap.HashMap<OrganizationId, Organization>
  /** By their slugs. */
  readonly organizationIds: HashMap.HashMap<string, OrganizationId>
  readonly passwordResets: HashMap.HashMap<string, PasswordResetRow>
  /** By their keys. */
  readonly pluginCatalogue: HashMap.HashMap<string, CatalogueEntry>
  readonly pendingEvents: ReadonlyArray<PendingEvent>
  /** By their keys. */
  readonly rates: HashMap.HashMap<string, MessageRate>
  readonly refreshTokens: HashMap.HashMap<string, RefreshRow>
  readonly sessions: HashMap.HashMap<SessionId, SessionRow>
  /** By account. */
  readonly knownAddresses: HashMap.HashMap<string, ReadonlyArray<KnownAddressRow>>
  readonly signingKeys: ReadonlyArray<SigningKeyRecord>
  /** Since when each is known. */
  readonly subscribers: HashMap.HashMap<EventConsumerName, DateTime.Utc>
  readonly tenants: HashMap.HashMap<OrganizationId, Tenant>
  readonly users: HashMap.HashMap<UserId, UserRow>
  /** By their email addresses. */
  readonly userIds: HashMap.HashMap<string, UserId>
  /** By what names them among all lanes. */
  readonly workLanes: HashMap.HashMap<string, WorkLaneRow>
  readonly workNodes: HashMap.HashMap<string, WorkNodeRow>
  readonly workShards: ReadonlyArray<WorkShardRow>
}

const newTenant: Tenant = {
  actionEffects: HashMap.empty(),
  rollupState: null,
  rollupVersions: HashMap.empty(),
  keptAttributions: HashMap.empty(),
  analyticsErased: HashMap.empty(),
  audienceSnapshots: HashMap.empty(),
  auditEvents: HashMap.empty(),
  assignmentQueue: HashMap.empty(),
  awayReplies: [],
  memberTurns: HashMap.empty(),
  schedules: HashMap.empty(),
  triggerTimers: HashMap.empty(),
  automationRuns: HashMap.empty(),
  automations: HashMap.empty(),
  automationVersions: HashMap.empty(),
  automationSettings: null,
  automationsResumedAfter: 0,
  workflowRuns: HashMap.empty(),
  workflows: HashMap.empty(),
  workflowsActiveAfter: HashMap.empty(),
  workflowEnds: [],
  workflowHolds: [],
  workflowVersions: HashMap.empty(),
  automationTokens: HashMap.empty(),
  broadcasts: HashMap.empty(),
  broadcastReports: HashMap.empty(),
  broadcastProgress: HashMap.empty(),
  broadcastRecipients: HashMap.empty(),
  broadcastWindows: [],
  broadcastSettings: null,
  buttonTaps: HashMap.empty(),
  cannedReplies: HashMap.empty(),
  chatAccounts: HashMap.empty(),
  consents: [],
  contactFields: HashMap.empty(),
  contactIdentities: HashMap.empty(),
  contactFiles: HashMap.empty(),
  contactImports: HashMap.empty(),
  contactMerges: HashMap.empty(),
  contactNotes: [],
  contacts: HashMap.empty(),
  conversations: HashMap.empty(),
  dailyRecipients: HashMap.empty(),
  deliveries: HashMap.empty(),
  conversationJoins: [],
  duplicateLinks: [],
  earlyReceipts: [],
  events: [],
  files: HashMap.empty(),
  jobs: HashMap.empty(),
  media: HashMap.empty(),
  members: HashMap.empty(),
  messageTemplates: HashMap.empty(),
  messageTemplateLeases: HashMap.empty(),
  messageCharges: HashMap.empty(),
  messages: HashMap.empty(),
  notes: HashMap.empty(),
  parkedEvents: [],
  recipientReservations: HashMap.empty(),
  segments: HashMap.empty(),
  oneTimeCodes: HashMap.empty(),
  sends: [],
  storeAuthorizations: HashMap.empty(),
  storeCarts: HashMap.empty(),
  storeConnections: HashMap.empty(),
  plugins: HashMap.empty(),
  pluginCalls: HashMap.empty(),
  pluginTokens: HashMap.empty(),
  lifecycleCalls: HashMap.empty(),
  privacyRequests: HashMap.empty(),
  storeCustomers: HashMap.empty(),
  staleRecords: HashMap.empty(),
  storeOrders: HashMap.empty(),
  storeParkedCodes: HashMap.empty(),
  storeProducts: HashMap.empty(),
  syncSeenRecords: HashMap.empty(),
  storeSkippedRecords: HashMap.empty(),
  eventCursors: HashMap.empty(),
  suppressionKey: null,
  suppressions: HashMap.empty(),
  tags: HashMap.empty(),
  webhookDeliveries: HashMap.empty(),
  webhookSubscriptions: HashMap.empty()
}

/** A store with nothing in it. */
export const emptyState: State = {
  answers: HashMap.empty(),
  buckets: HashMap.empty(),
  docsCodes: HashMap.empty(),
  erasures: HashMap.empty(),
  mails: [],
  organizations: HashMap.empty(),
  organizationIds: HashMap.empty(),
  passwordResets: HashMap.empty(),
  pluginCatalogue: HashMap.empty(),
  pendingEvents: [],
  rates: HashMap.empty(),
  refreshTokens: HashMap.empty(),
  sessions: HashMap.empty(),
  knownAddresses: HashMap.empty(),
  signingKeys: [],
  subscribers: HashMap.empty(),
  tenants: HashMap.empty(),
  users: HashMap.empty(),
  userIds: HashMap.empty(),
  workLanes: HashMap.empty(),
  workNodes: HashMap.empty(),
  workShards: []
}

/** Data of the organization. */
export const tenantOf = (state: State, id: OrganizationId): Tenant =>
  Option.getOrElse(HashMap.get(state.tenants, id), () => newTenant)

/** The store with something changed that belongs to the organization. */
export const withTenant = (state: State, id: OrganizationId, change: Partial<Tenant>): State => ({
  ...state,
  tenants: HashMap.set(state.tenants, id, { ...tenantOf(state, id), ...change })
})

/** The row at the key, or `null`. */
export const rowAt = <K, V>(table: HashMap.HashMap<K, V>, key: K): V | null => Option.getOrNull(HashMap.get(table, key))
