import {
  AutomationTokenId,
  CurrentActor,
  CurrentOrganization,
  Ids,
  nextId,
  OperatorScope,
  OperatorTokenId,
  OrganizationId,
  Permission,
  type PlanName,
  type Role,
  SessionId,
  transact,
  UserId,
  Vault
} from "@parley/domain/kernel"
import {
  AutomationToken,
  AutomationTokens,
  accessTokenLifetime,
  DocsCodes,
  type InvitationDelivery,
  Job,
  JobId,
  Jobs,
  Member,
  MemberId,
  Members,
  OperatorToken,
  OperatorTokens,
  Organization,
  OrganizationDirectory,
  PasswordHasher,
  PasswordResets,
  Session,
  sessionLifetime,
  Sessions,
  TokenSigner,
  User,
  Users
} from "@parley/domain/platform"
import {
  Contact,
  ContactField,
  ContactFieldId,
  ContactFields,
  ContactId,
  DuplicateId,
  Duplicates,
  Contacts,
  importContacts,
  mergeContacts,
  receiveContactFile,
  Segment,
  SegmentId,
  Segments,
  Tag,
  TagId,
  Tags
} from "@parley/domain/crm"
import {
  Automation,
  AutomationId,
  Automations,
  NodeId,
  ScheduleId,
  WeeklySchedule,
  WeeklySchedules,
  Workflow,
  WorkflowId,
  Workflows,
  type WorkflowStatus,
  WorkflowVersion
} from "@parley/domain/automation"
import { DateTime, Duration, Effect, Redacted, Stream } from "effect"
import { noteSecret } from "./Evidence.ts"

/** Password of all test users. */
export const password = "correct horse battery staple"
noteSecret(password)

/** A session of a person, as a login would have opened it. */
export interface SignedIn {
  readonly sessionId: SessionId
  readonly token: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted
}

/** A signed-in member. */
export interface Person extends SignedIn {
  readonly user: User
  readonly member: Member
}

/** An organization and its first owner. */
export interface Tenant {
  readonly organization: Organization
  readonly owner: Person
}

/** Runs within the organization as a member with all permissions. */
export const inside =
  ({ id }: { readonly id: OrganizationId }) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
    )

/** Runs as an operator without an organization, for resources that are not tenant-scoped. */
export const operating = Effect.provideService(CurrentActor, { kind: "operator", name: "test" })

const secret = Effect.fnUntraced(function* () {
  const made = yield* (yield* Ids).secret(32)
  noteSecret(Redacted.value(made))
  return { made, digest: yield* (yield* Vault).digest(made) }
})

/** A text that is nowhere else. */
export const freshText = (prefix: string) =>
  Effect.flatMap(Ids, (ids) => Effect.map(ids.next, (id) => `${prefix}-${id}`))

/** An id that nothing has. */
export const freshId = Effect.flatMap(Ids, (ids) => ids.next)

// What a tenant begins with is written in one unit of work: most tests make one, and each commit is a few more turns to a database.

const openSession = Effect.fnUntraced(function* (user: User) {
  const now = yield* DateTime.now
  const session = new Session({
    id: yield* nextId(SessionId),
    userId: user.id,
    createdAt: now,
    expiresAt: DateTime.addDuration(now, sessionLifetime)
  })
  const refresh = yield* secret()
  yield* (yield* Sessions).insert(session, refresh.digest)
  const token = yield* (yield* TokenSigner).sign(
    { use: "session", userId: user.id, sessionId: session.id },
    DateTime.addDuration(now, accessTokenLifetime)
  )
  noteSecret(Redacted.value(token))
  return { sessionId: session.id, token, refreshToken: refresh.made } satisfies SignedIn
})

/** Signs a user in with a new session. */
export const signIn = (user: User) => transact(openSession(user))

const addUser = Effect.fnUntraced(function* (overrides: Partial<User>, passwordHash?: string) {
  const id = yield* nextId(UserId)
  const user = new User({
    id,
    email: `${id}@people.test`,
    name: "Ada Lovelace",
    avatarUrl: null,
    status: "active",
    emailVerifiedAt: yield* DateTime.now,
    createdAt: yield* DateTime.now,
    ...overrides
  })
  const hash = passwordHash ?? (yield* (yield* PasswordHasher).rehash(Redacted.make(password)))
  yield* (yield* Users).insert(user, { hash, mustChange: false })
  return user
}, Effect.orDie)

/** A user who belongs to no organization. */
export const givenUser = (overrides: Partial<User>, passwordHash?: string) => transact(addUser(overrides, passwordHash))

const addMember = Effect.fnUntraced(function* (organization: Organization, user: User, role: Role) {
  const now = yield* DateTime.now
  const member = new Member({
    id: yield* nextId(MemberId),
    userId: user.id,
    email: user.email,
    name: user.name,
    role,
    status: "active",
    invitedAt: now,
    joinedAt: now,
    version: 1
  })
  yield* (yield* Members).insert(member, null).pipe(inside(organization))
  return member
}, Effect.orDie)

/** Makes a user a member. */
export const givenMember = (organization: Organization, user: User, role: Role = "agent") =>
  transact(addMember(organization, user, role))

const addPerson = Effect.fnUntraced(function* (organization: Organization, role: Role) {
  const user = yield* addUser({})
  const member = yield* addMember(organization, user, role)
  return { user, member, ...(yield* openSession(user)) } satisfies Person
})

/** A new signed-in member. */
export const givenPerson = (organization: Organization, role: Role = "agent") => transact(addPerson(organization, role))

/** An open invitation, and the token of its link. */
export const givenInvitation = Effect.fnUntraced(function* (
  organization: Organization,
  {
    delivery = "link",
    email,
    role = "agent"
  }: { readonly email?: string; readonly role?: Role; readonly delivery?: InvitationDelivery } = {}
) {
  const now = yield* DateTime.now
  const id = yield* nextId(MemberId)
  const member = new Member({
    id,
    userId: null,
    email: email ?? `${id}@invited.test`,
    name: null,
    role,
    status: "invited",
    invitedAt: now,
    joinedAt: null,
    version: 1
  })
  const { digest, made } = yield* secret()
  yield* transact(
    (yield* Members).insert(member, {
      digest,
      expiresAt: DateTime.addDuration(now, Duration.days(7)),
      delivery,
      invitedBy: null
    })
  ).pipe(inside(organization))
  return { member, token: made }
}, Effect.orDie)

/** A link to a new password of this mailbox. */
export const givenPasswordReset = Effect.fnUntraced(function* (email: string) {
  const { digest, made } = yield* secret()
  const expiresAt = DateTime.addDuration(yield* DateTime.now, Duration.minutes(60))
  yield* transact((yield* PasswordResets).replace(digest, email, expiresAt))
  return made
}, Effect.orDie)

const addOrganization = Effect.fnUntraced(function* (overrides: Partial<Organization>) {
  const id = yield* nextId(OrganizationId)
  const organization = new Organization({
    id,
    name: "Corner Bakery",
    slug: `org-${id}`,
    plan: "scale",
    timezone: "Europe/Berlin",
    locale: "en",
    currency: "EUR",
    status: "active",
    createdAt: yield* DateTime.now,
    version: 1,
    ...overrides
  })
  yield* (yield* OrganizationDirectory).insert(organization)
  return organization
}, Effect.orDie)

/** An organization without members. */
export const givenOrganization = (overrides: Partial<Organization>) => transact(addOrganization(overrides))

const addTenant = Effect.fnUntraced(function* (plan: PlanName) {
  const organization = yield* addOrganization({ plan })
  return { organization, owner: yield* addPerson(organization, "owner") } satisfies Tenant
})

/** An organization on the plan, with a signed-in owner. */
export const givenTenant = (plan: PlanName = "scale") => transact(addTenant(plan))

/** The tenant with a new session of its owner, because access tokens expire soon. */
export const signedInAnew = Effect.fnUntraced(function* (tenant: Tenant) {
  return { ...tenant, owner: { ...tenant.owner, ...(yield* signIn(tenant.owner.user)) } } satisfies Tenant
})

/** An automation without a specific author. */
export const givenAutomation = Effect.fnUntraced(function* (organization: Organization, name = "Greet newcomers") {
  const now = yield* DateTime.now
  const automation = new Automation({
    id: yield* nextId(AutomationId),
    name,
    enabled: false,
    disabledReason: null,
    position: 1,
    when: { event: "message.received" },
    if: { field: "event.isFirst", op: "is", value: true },
    then: [{ type: "set_priority", priority: "high" }],
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* transact((yield* Automations).insert(automation)).pipe(inside(organization))
  return automation
})

/** A schedule that is open from nine to six on Mondays. */
export const givenSchedule = Effect.fnUntraced(function* (organization: Organization) {
  const now = yield* DateTime.now
  const schedule = new WeeklySchedule({
    id: yield* nextId(ScheduleId),
    name: "Support",
    timezone: null,
    weekly: { mon: [["09:00", "18:00"]], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
    holidays: [],
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  yield* transact((yield* WeeklySchedules).insert(schedule)).pipe(inside(organization))
  return schedule
})

/** A workflow that ends immediately. */
export const givenWorkflow = Effect.fnUntraced(function* (
  organization: Organization,
  status: WorkflowStatus = "draft"
) {
  const now = yield* DateTime.now
  const end = NodeId.make("end")
  const workflow = new Workflow({
    id: yield* nextId(WorkflowId),
    name: "Welcome",
    status,
    publishedVersion: status === "draft" ? null : 1,
    graph: { entry: { event: null, next: end }, nodes: [{ id: end, kind: "end" }] },
    createdAt: now,
    updatedAt: now,
    version: 1
  })
  const workflows = yield* Workflows
  const version = new WorkflowVersion({ number: 1, graph: workflow.graph, publishedAt: now })
  const published = status === "draft" ? Effect.void : workflows.publish(workflow.id, version)
  yield* transact(Effect.andThen(workflows.insert(workflow), published)).pipe(inside(organization))
  return workflow
})

/** A tag that no contact has. */
export const givenTag = Effect.fnUntraced(function* (organization: Organization, overrides: Partial<Tag> = {}) {
  const now = yield* DateTime.now
  const id = yield* nextId(TagId)
  const tag = new Tag({
    id,
    name: `Tag ${id}`,
    color: "#1f6feb",
    contactCount: 0,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact((yield* Tags).insert(tag)).pipe(inside(organization))
  return tag
}, Effect.orDie)

/** A contact with only a name. */
export const givenContact = Effect.fnUntraced(function* (organization: Organization, overrides: Partial<Contact> = {}) {
  const now = yield* DateTime.now
  const contact = new Contact({
    id: yield* nextId(ContactId),
    name: "Marie Curie",
    phone: null,
    email: null,
    identities: [],
    locale: null,
    timezone: null,
    attributes: {},
    tags: [],
    consent: { marketing: "unknown", source: null, changedAt: null },
    blockedAt: null,
    lastSeenAt: null,
    lastInboundAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact((yield* Contacts).insert([contact])).pipe(inside(organization))
  return contact
}, Effect.orDie)

/** A contact field for texts. */
export const givenContactField = Effect.fnUntraced(function* (
  organization: Organization,
  overrides: Partial<ContactField> = {}
) {
  const now = yield* DateTime.now
  const id = yield* nextId(ContactFieldId)
  const field = new ContactField({
    id,
    key: `f${id.replaceAll("-", "")}`,
    name: "City",
    type: "text",
    choices: null,
    status: "active",
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact((yield* ContactFields).insert(field)).pipe(inside(organization))
  return field
}, Effect.orDie)

/** A segment of the contacts who have an e-mail address. */
export const givenSegment = Effect.fnUntraced(function* (organization: Organization, overrides: Partial<Segment> = {}) {
  const now = yield* DateTime.now
  const id = yield* nextId(SegmentId)
  const segment = new Segment({
    id,
    name: `Segment ${id}`,
    filter: { field: "email", op: "is_set" },
    createdAt: now,
    updatedAt: now,
    version: 1,
    ...overrides
  })
  yield* transact((yield* Segments).insert(segment)).pipe(inside(organization))
  return segment
}, Effect.orDie)

/** A contact into whom another one was merged. */
export const givenMerge = Effect.fnUntraced(function* (organization: Organization) {
  const survivor = yield* givenContact(organization)
  const other = yield* givenContact(organization, { name: "M. Curie" })
  const { mergeId } = yield* mergeContacts({ id: survivor.id, contactId: other.id, ifVersion: null }).pipe(
    inside(organization)
  )
  return { survivor, mergeId }
}, Effect.orDie)

/** Another contact that can be the same person as this one. */
export const givenDuplicate = Effect.fnUntraced(function* (organization: Organization, { identities }: Contact) {
  const [one] = identities
  const value = yield* freshText("user")
  const foundAt = yield* DateTime.now
  const other = { kind: "chat_user", value } as const
  const contact = yield* givenContact(organization, { identities: [{ ...other, source: "chat", addedAt: foundAt }] })
  if (one === undefined) return contact
  const link = { id: yield* nextId(DuplicateId), one, other, source: "chat", foundAt, dismissedAt: null } as const
  yield* transact((yield* Duplicates).add([link])).pipe(inside(organization))
  return contact
}, Effect.orDie)

/** A contact import that no worker runs, so it does not change. */
export const givenImport = Effect.fnUntraced(function* (organization: Organization) {
  const bytes = new TextEncoder().encode("name\r\nMarie Curie\r\n")
  return yield* receiveContactFile({ bytes: Stream.make(bytes), max: bytes.length }).pipe(
    Effect.flatMap((file) => importContacts({ file, format: "csv" })),
    inside(organization)
  )
}, Effect.orDie)

/** A job that no worker runs, so it does not change; it has no specific requester. */
export const givenJob = Effect.fnUntraced(function* (organization: Organization) {
  const now = yield* DateTime.now
  const job = new Job({
    id: yield* nextId(JobId),
    kind: "test.left_alone",
    state: "queued",
    progress: { done: 0, total: null },
    counts: {},
    error: null,
    errorCode: null,
    resultUrl: null,
    cancelRequested: false,
    createdBy: { kind: "operator", id: "test" },
    createdAt: now,
    startedAt: null,
    finishedAt: null,
    updatedAt: now
  })
  yield* transact((yield* Jobs).insert({ job, input: null, permissions: new Set() })).pipe(inside(organization))
  return job
})

/** An automation token with these permissions; default: all permissions. */
export const givenAutomationToken = Effect.fnUntraced(function* (
  { organization, owner }: Tenant,
  permissions: ReadonlyArray<Permission> = Permission.literals
) {
  const now = yield* DateTime.now
  const expiresAt = DateTime.addDuration(now, Duration.days(30))
  const automationToken = new AutomationToken({
    id: yield* nextId(AutomationTokenId),
    name: "Nightly sync",
    permissions,
    createdBy: owner.user.id,
    responsibleUserId: owner.user.id,
    createdAt: now,
    adoptedAt: null,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null
  })
  yield* transact((yield* AutomationTokens).insert(automationToken)).pipe(inside(organization))
  const token = yield* (yield* TokenSigner).sign(
    { use: "automation", tokenId: automationToken.id, organizationId: organization.id },
    expiresAt
  )
  noteSecret(Redacted.value(token))
  return { automationToken, token }
})

/** An operator token; default: with all scopes, for all addresses. */
export const givenOperatorToken = Effect.fnUntraced(function* (overrides: Partial<OperatorToken> = {}) {
  const now = yield* DateTime.now
  const [first, ...others] = OperatorScope.literals
  const operatorToken = new OperatorToken({
    id: yield* nextId(OperatorTokenId),
    name: "Billing",
    scopes: [first, ...others],
    allowedAddresses: [],
    createdBy: "test",
    createdAt: now,
    expiresAt: DateTime.addDuration(now, Duration.days(30)),
    lastUsedAt: null,
    revokedAt: null,
    ...overrides
  })
  yield* transact((yield* OperatorTokens).insert(operatorToken))
  const token = yield* (yield* TokenSigner).sign(
    { use: "operator", tokenId: operatorToken.id },
    operatorToken.expiresAt
  )
  noteSecret(Redacted.value(token))
  return { operatorToken, token }
})

/** A one-time code for the documentation site. */
export const givenDocsCode = Effect.fnUntraced(function* (organization: Organization, { sessionId, user }: Person) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, Duration.seconds(60))
  const { digest, made } = yield* secret()
  yield* transact((yield* DocsCodes).insert(digest, { userId: user.id, sessionId }, expiresAt)).pipe(
    inside(organization)
  )
  return made
})

/** A session of the documentation site. */
export const givenDocsSession = Effect.fnUntraced(function* (organization: Organization, { sessionId, user }: Person) {
  const expiresAt = DateTime.addDuration(yield* DateTime.now, Duration.minutes(10))
  const token = yield* (yield* TokenSigner).sign(
    { use: "docs", userId: user.id, organizationId: organization.id, sessionId },
    expiresAt
  )
  noteSecret(Redacted.value(token))
  return token
})
