import type {
  ActorRef,
  AutomationTokenId,
  Causation,
  EventShape,
  OperatorTokenId,
  OrganizationId,
  Permission,
  SessionId,
  UserId
} from "@parley/domain/kernel"
import type {
  AuditEvent,
  AuditEventId,
  AutomationToken,
  Availability,
  InboundDelivery,
  InboundDeliveryId,
  DocsCode,
  DueLane,
  FileId,
  InvitationRecord,
  Job,
  JobId,
  LoggedEvent,
  Member,
  MemberId,
  OperatorToken,
  Organization,
  ParkedEvent,
  Session,
  SigningKeyRecord,
  EventConsumerName,
  User,
  WaitingEmail
} from "@parley/domain/platform"
import { type DateTime, HashMap, type Schema } from "effect"

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

/** The cursor of an event consumer. */
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

/** Stored delivery, with its payload and its earliest processing time. */
export interface DeliveryRow {
  /** The lane that it is worked through in. */
  readonly lane: string
  readonly delivery: InboundDelivery
  readonly digest: string
  readonly body: Uint8Array
  readonly dueAt: DateTime.Utc
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

/** Rows of one organization in this folder. */
export interface PlatformTenant {
  readonly auditEvents: HashMap.HashMap<AuditEventId, AuditEvent>
  readonly automationTokens: HashMap.HashMap<AutomationTokenId, AutomationToken>
  readonly deliveries: HashMap.HashMap<InboundDeliveryId, DeliveryRow>
  readonly events: ReadonlyArray<LoggedEvent>
  readonly files: HashMap.HashMap<FileId, FileRow>
  readonly jobs: HashMap.HashMap<JobId, JobRow>
  readonly members: HashMap.HashMap<MemberId, MemberRow>
  readonly parkedEvents: ReadonlyArray<ParkedEvent>
  readonly eventCursors: HashMap.HashMap<EventConsumerName, EventCursorRow>
}

/** Rows of this folder outside of organizations. */
export interface PlatformState {
  readonly docsCodes: HashMap.HashMap<string, DocsCode>
  /** In queue order. */
  readonly mails: ReadonlyArray<WaitingEmail>
  readonly operatorTokens: HashMap.HashMap<OperatorTokenId, OperatorToken>
  readonly organizations: HashMap.HashMap<OrganizationId, Organization>
  /** By their slugs. */
  readonly organizationIds: HashMap.HashMap<string, OrganizationId>
  readonly passwordResets: HashMap.HashMap<string, PasswordResetRow>
  readonly pendingEvents: ReadonlyArray<PendingEvent>
  readonly refreshTokens: HashMap.HashMap<string, RefreshRow>
  readonly sessions: HashMap.HashMap<SessionId, SessionRow>
  /** By account. */
  readonly knownAddresses: HashMap.HashMap<string, ReadonlyArray<KnownAddressRow>>
  readonly signingKeys: ReadonlyArray<SigningKeyRecord>
  /** Since when each is known. */
  readonly consumers: HashMap.HashMap<EventConsumerName, DateTime.Utc>
  readonly users: HashMap.HashMap<UserId, UserRow>
  /** By their email addresses. */
  readonly userIds: HashMap.HashMap<string, UserId>
  /** By what names them among all lanes. */
  readonly workLanes: HashMap.HashMap<string, WorkLaneRow>
  readonly workNodes: HashMap.HashMap<string, WorkNodeRow>
  readonly workShards: ReadonlyArray<WorkShardRow>
}

export const emptyPlatformTenant: PlatformTenant = {
  auditEvents: HashMap.empty(),
  automationTokens: HashMap.empty(),
  deliveries: HashMap.empty(),
  events: [],
  files: HashMap.empty(),
  jobs: HashMap.empty(),
  members: HashMap.empty(),
  parkedEvents: [],
  eventCursors: HashMap.empty()
}

export const emptyPlatformState: PlatformState = {
  docsCodes: HashMap.empty(),
  mails: [],
  operatorTokens: HashMap.empty(),
  organizations: HashMap.empty(),
  organizationIds: HashMap.empty(),
  passwordResets: HashMap.empty(),
  pendingEvents: [],
  refreshTokens: HashMap.empty(),
  sessions: HashMap.empty(),
  knownAddresses: HashMap.empty(),
  signingKeys: [],
  consumers: HashMap.empty(),
  users: HashMap.empty(),
  userIds: HashMap.empty(),
  workLanes: HashMap.empty(),
  workNodes: HashMap.empty(),
  workShards: []
}
