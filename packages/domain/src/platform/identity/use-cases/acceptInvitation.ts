import { DateTime, Effect, type Redacted } from "effect"
import { record } from "../../audit/index.ts"
import { CurrentActor, CurrentOrganization, nextId, transact, useCase, UserId, Vault } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { Accounts, type OpenInvitation } from "../Accounts.ts"
import { InvalidCredentials, InvitationInvalid } from "../Errors.ts"
import { Members } from "../Members.ts"
import { Organizations } from "../Organizations.ts"
import { checkPassword } from "../passwords/CheckedPassword.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { permissionsOfRole } from "../Roles.ts"
import { User } from "../User.ts"
import { type Credentials, Users } from "../Users.ts"
import { noteAddress } from "../logins/knownOrigins.ts"
import { beginLoginTry } from "../logins/loginThrottle.ts"
import { actingAs, renewPassword } from "../logins/renewPassword.ts"
import { lockProved } from "../logins/provedCredentials.ts"

/** What an invited person sends. */
export interface InvitationAcceptance {
  readonly token: Redacted.Redacted
  readonly name: string
  readonly password: Redacted.Redacted
  readonly address: string
}

/** Checks the password of an invited person. It must not contain the name of the organization. */
const checkedPassword = Effect.fnUntraced(function* (invitation: OpenInvitation, acceptance: InvitationAcceptance) {
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

/** A person without an account gets one. Its mailbox is theirs if the invitation came there. */
const asNewcomer = Effect.fnUntraced(function* (invitation: OpenInvitation, acceptance: InvitationAcceptance) {
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
  const hash = yield* (yield* PasswordHasher).hash(yield* checkedPassword(invitation, acceptance))
  return { user, settle: Effect.flatMap(Users, (users) => users.insert(user, { hash, mustChange: false })) }
})

/**
 * Whoever has had a link may have made this account. The mailbox counts for more: it gets the account, with a new
 * password, and nobody who was signed in stays so.
 */
const asOwnerOfMailbox = Effect.fnUntraced(function* (
  { user }: Credentials,
  invitation: OpenInvitation,
  acceptance: InvitationAcceptance
) {
  if (user.status !== "active") return yield* new InvalidCredentials()
  const hash = yield* (yield* PasswordHasher).hash(yield* checkedPassword(invitation, acceptance))
  const owned = new User({ ...user, name: acceptance.name, emailVerifiedAt: yield* DateTime.now })
  const settle = Effect.gen(function* () {
    yield* renewPassword(user, { hash, mustChange: false }, yield* DateTime.now)
    yield* (yield* Users).rename(user.id, acceptance.name)
  })
  return { user: owned, settle }
})

/** The password of the account proves whose it is: neither a link nor an organization gives anybody another one. */
const asKnown = Effect.fnUntraced(function* (known: Credentials, acceptance: InvitationAcceptance) {
  const { user } = known
  const attempted = yield* beginLoginTry(user.email, acceptance.address)
  const hasher = yield* PasswordHasher
  const verdict = yield* attempted.check(hasher.verify(acceptance.password, known.passwordHash))
  if (!verdict.fits || user.status !== "active") return yield* new InvalidCredentials()
  yield* attempted.succeeded
  return { user, settle: Effect.asVoid(lockProved(known, acceptance.password)) }
})

const whoAccepts = Effect.fnUntraced(function* (invitation: OpenInvitation, acceptance: InvitationAcceptance) {
  const known = yield* (yield* Users).credentialsByEmail(invitation.email)
  if (known === null) return yield* asNewcomer(invitation, acceptance)
  return invitation.delivery === "mail" && known.user.emailVerifiedAt === null
    ? yield* asOwnerOfMailbox(known, invitation, acceptance)
    : yield* asKnown(known, acceptance)
})

/**
 * An invitation admits nobody whom the person who made it could not invite now: one of somebody who has left, was disabled,
 * or has a smaller role by now, is void. They stay who they are until the person has joined.
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
 * Makes an invited person a member: with a new account, or with the one they have, which its password proves. Where nobody
 * has shown yet whose the account is, a mailed invitation shows it, and its password becomes the account's.
 */
export const acceptInvitation = useCase(
  "identity.acceptInvitation",
  { access: "public" },
  Effect.fnUntraced(function* (acceptance: InvitationAcceptance) {
    const members = yield* Members
    const now = yield* DateTime.now
    const digest = yield* (yield* Vault).digest(acceptance.token)
    const invitation = yield* (yield* Accounts).openInvitation(digest, now)
    if (invitation === null) return yield* new InvitationInvalid()
    const { settle, user } = yield* whoAccepts(invitation, acceptance)

    const member = yield* transact(
      Effect.gen(function* () {
        yield* requireInviter(invitation)
        yield* settle
        yield* noteAddress(user.email, acceptance.address)
        const joined = yield* members.join(invitation.memberId, user.id, now)
        yield* record("member.joined", { kind: "member", id: joined.id }, { after: { email: joined.email } })
        yield* appendEvent({ type: "member.joined", memberId: joined.id, role: joined.role })
        return joined
      })
    ).pipe(
      Effect.provideService(CurrentOrganization, { id: invitation.organizationId }),
      Effect.provideService(CurrentActor, yield* actingAs(user)),
      // Somebody was faster: the invitation is spent, or the account exists by now.
      Effect.catchTags({
        NotFound: () => Effect.fail(new InvitationInvalid()),
        EmailTaken: () => Effect.fail(new InvitationInvalid())
      })
    )
    return { user, member, organizationId: invitation.organizationId }
  })
)
