import {
  type Actor,
  AutomationTokenId,
  CurrentActor,
  CurrentOrganization,
  OrganizationId,
  type Role,
  SessionId,
  transact,
  UserId
} from "@parley/domain/kernel"
import {
  AuditEvent,
  AutomationToken,
  Job,
  type InvitationDelivery,
  Member,
  MemberId,
  Members,
  OperatorToken,
  Organization,
  OrganizationDirectory,
  Session,
  Sessions,
  User,
  Users
} from "@parley/domain/platform"
import { ConsentChange, Contact, ContactField, ContactMerge, Segment, Tag } from "@parley/domain/crm"
import { Automation, WeeklySchedule, Workflow, WorkflowVersion } from "@parley/domain/automation"
import { Clock, DateTime, Duration, Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"

export { outside } from "../fixtures/actors.ts"

/** An id that no row in the store has; later ones sort after earlier ones. */
export const freshId = <Id>(kind: { readonly make: (value: string) => Id }): Id =>
  kind.make(SecureRandom.uuidV7Unsafe())

/** A text that is nowhere in the store. */
export const freshText = (prefix: string): string => `${prefix}-${SecureRandom.uuidV7Unsafe()}`

const replacedAt = (text: string, at: number): string =>
  text.slice(0, at) + (text.charAt(at) === "A" ? "B" : "A") + text.slice(at + 1)

/** The text with any one character changed but the last, whose bits need not all count; or with some inserted or dropped. */
export const edited = (text: string): ReadonlyArray<string> => [
  ...Array.from({ length: text.length - 1 }, (_, at) => replacedAt(text, at)),
  ...[0, Math.floor(text.length / 2), text.length - 3].flatMap((at) => [
    `${text.slice(0, at)}AA${text.slice(at)}`,
    text.slice(0, at) + text.slice(at + 1)
  ])
]

const start = DateTime.toEpochMillis(DateTime.makeUnsafe("2026-03-01T10:20:30.123Z"))

/** Returns the test clock time, after setting it to 2026. No test starts at the epoch. */
export const present = Effect.gen(function* () {
  if ((yield* Clock.currentTimeMillis) < start) yield* TestClock.setTime(start)
  return yield* DateTime.now
})

/** That much later. */
export const after = (at: DateTime.Utc, duration: Duration.Input): DateTime.Utc =>
  DateTime.addDuration(at, Duration.fromInputUnsafe(duration))

export const contractActor: Actor = { kind: "operator", name: "contract" }

/** Inside of the organization, as an operator. */
export const inside =
  (organization: { readonly id: OrganizationId }) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: organization.id }),
      Effect.provideService(CurrentActor, contractActor)
    )

export const newOrganization = (overrides: Partial<Organization> = {}): Organization =>
  new Organization({
    id: freshId(OrganizationId),
    name: 'Bäckerei "O\'Neill" \\ 100 % _ 🥐',
    slug: freshText("org"),
    plan: "free",
    timezone: "Europe/Berlin",
    locale: "pt-BR",
    currency: "EUR",
    status: "active",
    createdAt: DateTime.makeUnsafe("2025-12-31T23:59:59.987Z"),
    version: 1,
    ...overrides
  })

/** A new organization in the store. */
export const givenOrganization = Effect.fnUntraced(function* (overrides: Partial<Organization> = {}) {
  const organization = newOrganization(overrides)
  yield* (yield* OrganizationDirectory).insert(organization).pipe(transact, Effect.orDie)
  return organization
})

export const newUser = (overrides: Partial<User> = {}): User =>
  new User({
    id: freshId(UserId),
    email: `${freshText("u")}@contract.test`,
    name: "Ada Lovelace",
    avatarUrl: null,
    status: "active",
    emailVerifiedAt: DateTime.makeUnsafe("2025-06-02T00:00:00.002Z"),
    createdAt: DateTime.makeUnsafe("2025-06-01T00:00:00.001Z"),
    ...overrides
  })

/** A new user in the store. */
export const givenUser = Effect.fnUntraced(function* (overrides: Partial<User> = {}) {
  const user = newUser(overrides)
  yield* (yield* Users).insert(user, { hash: `hash of ${user.id}`, mustChange: false }).pipe(transact, Effect.orDie)
  return user
})

export const newMember = (user: User, role: Role = "agent", overrides: Partial<Member> = {}): Member =>
  new Member({
    id: freshId(MemberId),
    userId: user.id,
    email: user.email,
    name: user.name,
    role,
    status: "active",
    invitedAt: DateTime.makeUnsafe("2026-01-01T08:00:00.250Z"),
    joinedAt: DateTime.makeUnsafe("2026-01-02T08:00:00.750Z"),
    version: 1,
    ...overrides
  })

/** A person with an open invitation. */
export const newInvited = (role: Role = "agent", overrides: Partial<Member> = {}): Member =>
  new Member({
    id: freshId(MemberId),
    userId: null,
    email: `${freshText("i")}@contract.test`,
    name: null,
    role,
    status: "invited",
    invitedAt: DateTime.makeUnsafe("2026-01-01T08:00:00.250Z"),
    joinedAt: null,
    version: 1,
    ...overrides
  })

/** A new user who is a member of the organization. */
export const givenMember = Effect.fnUntraced(function* (
  organization: Organization,
  role: Role = "agent",
  person?: User
) {
  const user = person ?? (yield* givenUser())
  const member = newMember(user, role)
  yield* (yield* Members).insert(member, null).pipe(transact, inside(organization), Effect.orDie)
  return { user, member }
})

/** An open invitation to the organization, and the digest it is known by. */
export const givenInvitation = Effect.fnUntraced(function* (
  organization: Organization,
  expiresAt: DateTime.Utc,
  overrides: Partial<Member> = {},
  delivery: InvitationDelivery = "link",
  invitedBy: UserId | null = null
) {
  const member = newInvited("agent", overrides)
  const digest = freshText("digest")
  yield* (yield* Members)
    .insert(member, { digest, expiresAt, delivery, invitedBy })
    .pipe(transact, inside(organization), Effect.orDie)
  return { member, digest }
})

/** A new session of the user that ends then, and the digest of its refresh token. */
export const givenSession = Effect.fnUntraced(function* (
  user: User,
  createdAt: DateTime.Utc,
  life: Duration.Input = "30 days"
) {
  const session = new Session({
    id: freshId(SessionId),
    userId: user.id,
    createdAt,
    expiresAt: after(createdAt, life)
  })
  const digest = freshText("refresh")
  yield* transact((yield* Sessions).insert(session, digest))
  return { session, digest }
})

/** An automation token that is good for a day. */
export const newAutomationToken = (
  createdBy: User,
  createdAt: DateTime.Utc,
  overrides: Partial<AutomationToken> = {}
): AutomationToken =>
  new AutomationToken({
    id: freshId(AutomationTokenId),
    name: "Nightly “sync” \\ 100 %",
    permissions: ["automations.read", "members.read"],
    createdBy: createdBy.id,
    responsibleUserId: createdBy.id,
    createdAt,
    adoptedAt: null,
    expiresAt: after(createdAt, "1 day"),
    lastUsedAt: null,
    revokedAt: null,
    ...overrides
  })

const asPlain = <S extends Schema.Codec<unknown, unknown>>(schema: S) => {
  const encode = Schema.encodeSync(schema)
  return (row: S["Type"]) => encode(row)
}

/** Converts rows to plain values for readable differences. Only real instances encode. */
export const plain = {
  auditEvent: asPlain(AuditEvent),
  automation: asPlain(Automation),
  automationToken: asPlain(AutomationToken),
  consentChange: asPlain(ConsentChange),
  contact: asPlain(Contact),
  contactField: asPlain(ContactField),
  contactMerge: asPlain(ContactMerge),
  job: asPlain(Job),
  member: asPlain(Member),
  operatorToken: asPlain(OperatorToken),
  organization: asPlain(Organization),
  schedule: asPlain(WeeklySchedule),
  segment: asPlain(Segment),
  session: asPlain(Session),
  workflow: asPlain(Workflow),
  workflowVersion: asPlain(WorkflowVersion),
  tag: asPlain(Tag),
  user: asPlain(User)
}
