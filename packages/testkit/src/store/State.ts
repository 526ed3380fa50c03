import type {
  ActorRef,
  AuditEvent,
  AuditEventId,
  Automation,
  AutomationId,
  AutomationToken,
  AutomationTokenId,
  DocsCodeOwner,
  DomainEvent,
  InvitationRecord,
  LoggedEvent,
  Member,
  MemberId,
  Organization,
  OrganizationId,
  Session,
  SessionId,
  SigningKeyRecord,
  StoredAnswer,
  User,
  UserId
} from "@parley/domain"
import { type DateTime, HashMap, Option } from "effect"

/** A member as it is kept: with the invitation until that is spent. */
export interface MemberRow {
  readonly member: Member
  readonly invitation: InvitationRecord | null
}

/** A user as it is kept. */
export interface UserRow {
  readonly user: User
  readonly passwordHash: string
}

/** A session as it is kept. */
export interface SessionRow {
  readonly session: Session
  readonly revokedAt: DateTime.Utc | null
}

/** A refresh token of a session, by its digest. */
export interface RefreshRow {
  readonly sessionId: SessionId
  readonly spentAt: DateTime.Utc | null
}

/** A one-time code of the documentation, by its digest; it is gone when it is spent. */
export interface DocsCodeRow {
  readonly owner: DocsCodeOwner
  readonly expiresAt: DateTime.Utc
}

/** What one bucket has given out in the window that ends then. */
export interface BucketRow {
  readonly used: number
  readonly resetsAt: number
}

/** The answer kept for an idempotency key. */
export interface AnswerRow {
  readonly answer: StoredAnswer
  readonly storedAt: number
}

/** An event that waits for its position, which it gets when the unit of work commits. */
export interface PendingEvent {
  readonly organizationId: OrganizationId
  readonly at: DateTime.Utc
  readonly actor: ActorRef
  readonly event: DomainEvent
}

/** Everything that belongs to one organization. */
export interface Tenant {
  readonly auditEvents: HashMap.HashMap<AuditEventId, AuditEvent>
  readonly automations: HashMap.HashMap<AutomationId, Automation>
  readonly automationTokens: HashMap.HashMap<AutomationTokenId, AutomationToken>
  readonly events: ReadonlyArray<LoggedEvent>
  readonly members: HashMap.HashMap<MemberId, MemberRow>
}

/** The whole store. It is never changed, only replaced, so a snapshot costs nothing. */
export interface State {
  readonly answers: HashMap.HashMap<string, AnswerRow>
  readonly buckets: HashMap.HashMap<string, BucketRow>
  readonly docsCodes: HashMap.HashMap<string, DocsCodeRow>
  readonly organizations: HashMap.HashMap<OrganizationId, Organization>
  readonly pendingEvents: ReadonlyArray<PendingEvent>
  readonly refreshTokens: HashMap.HashMap<string, RefreshRow>
  readonly sessions: HashMap.HashMap<SessionId, SessionRow>
  readonly signingKeys: ReadonlyArray<SigningKeyRecord>
  readonly tenants: HashMap.HashMap<OrganizationId, Tenant>
  readonly users: HashMap.HashMap<UserId, UserRow>
}

const newTenant: Tenant = {
  auditEvents: HashMap.empty(),
  automations: HashMap.empty(),
  automationTokens: HashMap.empty(),
  events: [],
  members: HashMap.empty()
}

/** A store with nothing in it. */
export const emptyState: State = {
  answers: HashMap.empty(),
  buckets: HashMap.empty(),
  docsCodes: HashMap.empty(),
  organizations: HashMap.empty(),
  pendingEvents: [],
  refreshTokens: HashMap.empty(),
  sessions: HashMap.empty(),
  signingKeys: [],
  tenants: HashMap.empty(),
  users: HashMap.empty()
}

/** What belongs to the organization. */
export const tenantOf = (state: State, id: OrganizationId): Tenant =>
  Option.getOrElse(HashMap.get(state.tenants, id), () => newTenant)

/** The store with something changed that belongs to the organization. */
export const withTenant = (state: State, id: OrganizationId, change: Partial<Tenant>): State => ({
  ...state,
  tenants: HashMap.set(state.tenants, id, { ...tenantOf(state, id), ...change })
})

/** The row at the key, or `null`. */
export const rowAt = <K, V>(table: HashMap.HashMap<K, V>, key: K): V | null => Option.getOrNull(HashMap.get(table, key))
