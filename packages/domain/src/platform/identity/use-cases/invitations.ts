import { DateTime, Duration, Effect, type Redacted } from "effect"
import {
  CurrentActor,
  CurrentOrganization,
  Ids,
  nextId,
  transact,
  useCase,
  UserId,
  Vault
} from "../../../kernel/index.ts"
import { recordAudit } from "../../audit/index.ts"
import { withinLimit } from "../../entitlements/index.ts"
import { EmailNotConfigured, MailSettings, queueEmail } from "../../mail/index.ts"
import { Accounts, type OpenInvitation } from "../Accounts.ts"
import { rememberAddress } from "../KnownAddresses.ts"
import { Member, MemberId, Members, type NewMember } from "../Member.ts"
import { Organizations } from "../Organization.ts"
import { type Credentials, User, Users } from "../User.ts"
import { InvalidCredentials, InvitationInvalid } from "../errors.ts"
import { appendEvent } from "../events.ts"
import { startLoginAttempt } from "../loginThrottle.ts"
import { invitationEmail, invitationUrl, limitInvitations, type OneTimeLink } from "../emailTemplates.ts"
import { permissionsOfRole, requireGrantOf, requireOwnerFor } from "../memberRoles.ts"
import { checkPassword, lockVerified, PasswordHasher } from "../passwords/PasswordHasher.ts"
import { makeUserActor, renewPassword } from "../passwords/PasswordResets.ts"

const invitationLifetime = Duration.days(7)

/** Maximum age of an unsent mail. Later the inviter has found another way. */
const invitationEmailLifetime = Duration.days(1)

/** Delivery of an invitation. Only the inviter sees the link, and only once. */
export type Invitation =
  | ({ readonly delivery: "link" } & OneTimeLink)
  | { readonly delivery: "mail"; readonly expiresAt: DateTime.Utc }

/** Person who is responsible for the invitation; `null` for an operator. */
const currentInviter = Effect.map(CurrentActor, (actor) => {
  if (actor.kind === "user") return actor.userId
  return actor.kind === "token" ? actor.responsibleUserId : null
})

const queueInvitationEmail = Effect.fnUntraced(function* (member: Member, url: string) {
  const { sendsMail } = yield* MailSettings
  if (!sendsMail) return yield* new EmailNotConfigured()
  const organization = yield* (yield* Organizations).current()
  yield* limitInvitations(organization.id, member.email)
  yield* queueEmail(member.email, invitationEmail(organization.name, member.role, url), {
    audience: "anybody",
    expiresAt: DateTime.addDuration(member.invitedAt, invitationEmailLifetime),
    sentBy: organization.id
  })
})

/**
 * Invites a person by mail, or by a link that is shown once. Acceptance of a mailed invitation proves the mailbox. A link proves nothing, so it gives
 * no access to an existing account.
 */
export const inviteMember = useCase(
  {
    name: "identity.inviteMember",
    access: { permission: "members.manage" },
    audit: "member.invited",
    emits: ["member.invited"]
  },
  Effect.fnUntraced(function* ({ delivery = "mail", email, role }: NewMember) {
    const members = yield* Members
    yield* requireOwnerFor(role)
    yield* requireGrantOf(role)
    const now = yield* DateTime.now
    const token = yield* (yield* Ids).secret(32)
    const expiresAt = DateTime.addDuration(now, invitationLifetime)
    const member = new Member({
      id: yield* nextId(MemberId),
      userId: null,
      email,
      name: null,
      role,
      status: "invited",
      invitedAt: now,
      joinedAt: null,
      version: 1
    })
    const digest = yield* (yield* Vault).digest(token)
    const invited = { digest, expiresAt, delivery, invitedBy: yield* currentInviter }
    yield* members.insert(member, invited).pipe(withinLimit("seats"))
    yield* recordAudit(
      "member.invited",
      { kind: "member", id: member.id },
      {
        after: { email: member.email, role: member.role, delivery }
      }
    )
    yield* appendEvent({ type: "member.invited", memberId: member.id, role: member.role })
    const { publicUrl } = yield* MailSettings
    const url = invitationUrl(publicUrl, token)
    if (delivery === "mail") yield* queueInvitationEmail(member, url)
    const invitation: Invitation = delivery === "mail" ? { delivery, expiresAt } : { delivery, token, url, expiresAt }
    return { member, invitation }
  }, transact)
)

/** Acceptance of an invitation. */
export interface InvitationAcceptance {
  readonly token: Redacted.Redacted
  readonly name: string
  readonly password: Redacted.Redacted
  readonly address: string
}

/** Checks the password of an invited person. It must not contain the name of the organization. */
const checkInvitedPassword = Effect.fnUntraced(function* (
  invitation: OpenInvitation,
  acceptance: InvitationAcceptance
) {
  const organization = yield* (yield* Organizations)
    .current()
    .pipe(
      Effect.provideService(CurrentOrganization, { id: invitation.organizationId }),
      Effect.provideService(CurrentActor, { kind: "system", name: "invitations" })
    )
  const { name, password } = acceptance
  const organizations = [organization]
  return yield* checkPassword({ password, pointer: "/password", email: invitation.email, name, organizations })
})

/** Creates an account. A mailed invitation verifies its mailbox. */
const createInvitedUser = Effect.fnUntraced(function* (invitation: OpenInvitation, acceptance: InvitationAcceptance) {
  const now = yield* DateTime.now
  const user = new User({
    id: yield* nextId(UserId),
    email: invitation.email,
    name: acceptance.name,
    avatarUrl: null,
    status: "active",
    emailVerifiedAt: invitation.delivery === "mail" ? now : null,
    createdAt: now
  })
  const hash = yield* (yield* PasswordHasher).hash(yield* checkInvitedPassword(invitation, acceptance))
  return { user, settle: Effect.flatMap(Users, (users) => users.insert(user, { hash, mustChange: false })) }
})

/**
 * The account may have been created by another holder of a link. The mailbox owner takes precedence: they get the account with a new password, and
 * all its sessions end.
 */
const claimUnverifiedAccount = Effect.fnUntraced(function* (
  { user }: Credentials,
  invitation: OpenInvitation,
  acceptance: InvitationAcceptance
) {
  if (user.status !== "active") return yield* new InvalidCredentials()
  const hash = yield* (yield* PasswordHasher).hash(yield* checkInvitedPassword(invitation, acceptance))
  const owned = new User({ ...user, name: acceptance.name, emailVerifiedAt: yield* DateTime.now })
  const settle = Effect.gen(function* () {
    yield* renewPassword(user, { hash, mustChange: false }, yield* DateTime.now)
    yield* (yield* Users).rename(user.id, acceptance.name)
  })
  return { user: owned, settle }
})

/** The password proves the ownership of an existing account. Neither a link nor an organization can replace it. */
const verifyExistingUser = Effect.fnUntraced(function* (known: Credentials, acceptance: InvitationAcceptance) {
  const { user } = known
  const attempted = yield* startLoginAttempt(user.email, acceptance.address)
  const hasher = yield* PasswordHasher
  const verdict = yield* attempted.check(hasher.verify(acceptance.password, known.passwordHash))
  if (!verdict.fits || user.status !== "active") return yield* new InvalidCredentials()
  yield* attempted.succeeded
  return { user, settle: Effect.asVoid(lockVerified(known, acceptance.password)) }
})

const resolveAcceptingUser = Effect.fnUntraced(function* (
  invitation: OpenInvitation,
  acceptance: InvitationAcceptance
) {
  const known = yield* (yield* Users).credentialsByEmail(invitation.email)
  if (known === null) return yield* createInvitedUser(invitation, acceptance)
  return invitation.delivery === "mail" && known.user.emailVerifiedAt === null
    ? yield* claimUnverifiedAccount(known, invitation, acceptance)
    : yield* verifyExistingUser(known, acceptance)
})

/**
 * Checks that the inviter could still send this invitation. It is void if the inviter has left, was disabled or has a smaller role. The inviter is
 * locked until the person has joined.
 */
const requireInviter = Effect.fnUntraced(function* ({ invitedBy, memberId }: OpenInvitation) {
  if (invitedBy === null) return
  const members = yield* Members
  const inviter = yield* members.lockByUser(invitedBy)
  const user = yield* (yield* Users).find(invitedBy)
  if (inviter?.status !== "active" || user?.status !== "active") return yield* new InvitationInvalid()
  const rights = permissionsOfRole(inviter.role)
  const { role } = yield* members.get(memberId)
  const needed = role === "owner" ? (["members.manage", "owners.manage"] as const) : (["members.manage"] as const)
  if (!needed.every((each) => rights.has(each))) return yield* new InvitationInvalid()
})

/**
 * Makes an invited person a member, with a new account or with an existing one after a password check. If the account is unverified, a mailed
 * invitation verifies it, and the given password becomes its password.
 */
export const acceptInvitation = useCase(
  { name: "identity.acceptInvitation", access: "public", audit: "member.joined", emits: ["member.joined"] },
  Effect.fnUntraced(function* (acceptance: InvitationAcceptance) {
    const members = yield* Members
    const now = yield* DateTime.now
    const digest = yield* (yield* Vault).digest(acceptance.token)
    const invitation = yield* (yield* Accounts).openInvitation(digest, now)
    if (invitation === null) return yield* new InvitationInvalid()
    const { settle, user } = yield* resolveAcceptingUser(invitation, acceptance)

    const member = yield* transact(
      Effect.gen(function* () {
        yield* requireInviter(invitation)
        yield* settle
        yield* rememberAddress(user.email, acceptance.address)
        const joined = yield* members.join(invitation.memberId, user.id, now)
        yield* recordAudit("member.joined", { kind: "member", id: joined.id }, { after: { email: joined.email } })
        yield* appendEvent({ type: "member.joined", memberId: joined.id, role: joined.role })
        return joined
      })
    ).pipe(
      Effect.provideService(CurrentOrganization, { id: invitation.organizationId }),
      Effect.provideService(CurrentActor, yield* makeUserActor(user)),
      // A concurrent request was faster: the invitation is spent, or the account exists now.
      Effect.catchTags({
        NotFound: () => Effect.fail(new InvitationInvalid()),
        EmailTaken: () => Effect.fail(new InvitationInvalid())
      })
    )
    return { user, member, organizationId: invitation.organizationId }
  })
)
