import { DateTime, Effect, type Redacted } from "effect"
import { CurrentActor, invalid, transact, useCase, type UserId, Vault } from "../../../kernel/index.ts"
import { EmailNotConfigured, MailSettings, queueEmail } from "../../mail/index.ts"
import { loadUserOrganizations } from "../Accounts.ts"
import { rememberAddress, rememberOnlyAddress } from "../KnownAddresses.ts"
import { Sessions } from "../Session.ts"
import { currentUserActor, requireUser, Users } from "../User.ts"
import { recordUserAudit } from "../authorization.ts"
import { InvalidCredentials, PasswordResetInvalid } from "../errors.ts"
import { startLoginAttempt } from "../loginThrottle.ts"
import { clearResetLimit, limitResetsByAddress, isResetMailAllowed, passwordResetEmail } from "../emailTemplates.ts"
import { checkPassword, lockVerified, PasswordHasher } from "../passwords/PasswordHasher.ts"
import { makeUserActor, makeResetLink, PasswordResets, renewPassword } from "../passwords/PasswordResets.ts"

/** Password change. The old password proves the identity of the user. */
export interface PasswordChange {
  readonly currentPassword: Redacted.Redacted
  readonly newPassword: Redacted.Redacted
  readonly address: string
}

/** Changes the password of the signed-in user, and ends every other session. */
export const changePassword = useCase(
  { name: "identity.changePassword", access: "user", audit: "user.password_changed" },
  Effect.fnUntraced(function* (change: PasswordChange) {
    const users = yield* Users
    const sessions = yield* Sessions
    const hasher = yield* PasswordHasher
    const actor = yield* currentUserActor
    const credentials = yield* users.credentialsById(actor.userId)
    const email = credentials?.user.email ?? actor.userId
    const checked = yield* checkPassword({
      password: change.newPassword,
      pointer: "/newPassword",
      email,
      name: credentials?.user.name ?? null,
      organizations: yield* loadUserOrganizations(actor.userId)
    })
    // A session proves a known device. Login attempts by others must not block a password change of the owner.
    const attempted = yield* startLoginAttempt(email, change.address, true)
    const verdict = yield* attempted.check(hasher.verify(change.currentPassword, credentials?.passwordHash ?? null))
    if (credentials === null || !verdict.fits) return yield* new InvalidCredentials()
    if (credentials.mustChangePassword && (yield* hasher.verify(checked, credentials.passwordHash)).fits) {
      return yield* invalid("/newPassword", "Expected another password than the current one")
    }
    const hash = yield* hasher.hash(checked)
    yield* transact(
      Effect.gen(function* () {
        yield* lockVerified(credentials, change.currentPassword)
        yield* users.setPassword(actor.userId, { hash, mustChange: false })
        yield* (yield* PasswordResets).withdraw(credentials.user.email)
        yield* rememberOnlyAddress(email, change.address)
        yield* sessions.revokeAllOf(actor.userId, actor.sessionId, yield* DateTime.now)
        yield* recordUserAudit(actor.userId, "user.password_changed")
      })
    )
    yield* attempted.succeeded
  })
)

/** Reset request for an address, with the client address. */
export interface PasswordResetRequest {
  readonly email: string
  readonly address: string
}

/**
 * Mails a one-time link for a new password. The user is looked up when the mail is sent. The response and its time must not reveal whether the
 * address exists.
 */
export const requestPasswordReset = useCase(
  { name: "identity.requestPasswordReset", access: "public" },
  Effect.fnUntraced(function* ({ address, email }: PasswordResetRequest) {
    const { sendsMail } = yield* MailSettings
    if (!sendsMail) return yield* new EmailNotConfigured()
    yield* limitResetsByAddress(address)
    if (!(yield* isResetMailAllowed(email))) return
    yield* transact(
      Effect.gen(function* () {
        const { expiresAt, url } = yield* makeResetLink(email)
        yield* queueEmail(email, passwordResetEmail(url), { audience: "users", expiresAt, sentBy: null })
      })
    )
  })
)

/** Creates a one-time link for a new password. An operator gives it to the person. */
export const linkPasswordReset = useCase(
  { name: "identity.linkPasswordReset", access: "operator", audit: "user.password_reset_linked" },
  Effect.fnUntraced(function* ({ id }: { readonly id: UserId }) {
    const user = yield* requireUser(id)
    const link = yield* makeResetLink(user.email)
    yield* recordUserAudit(id, "user.password_reset_linked")
    return { user, link }
  }, transact)
)

/** Token of a reset link, and the new password. */
export interface NewPasswordByLink {
  readonly token: Redacted.Redacted
  readonly password: Redacted.Redacted
  readonly address: string
}

/** Sets the password of the account with the mailbox of the link, ends every session, and spends the link. */
export const setPasswordByLink = useCase(
  { name: "identity.setPasswordByLink", access: "public", audit: "user.password_reset" },
  Effect.fnUntraced(function* ({ address, password, token }: NewPasswordByLink) {
    const users = yield* Users
    const resets = yield* PasswordResets
    const digest = yield* (yield* Vault).digest(token)
    const now = yield* DateTime.now
    const mailbox = yield* resets.find(digest, now)
    if (mailbox === null) return yield* new PasswordResetInvalid()
    const owner = yield* users.credentialsByEmail(mailbox)
    const checked = yield* checkPassword({
      password,
      pointer: "/password",
      email: mailbox,
      name: owner?.user.name ?? null,
      organizations: owner === null ? [] : yield* loadUserOrganizations(owner.user.id)
    })
    const hash = yield* (yield* PasswordHasher).hash(checked)
    const user = yield* transact(
      Effect.gen(function* () {
        const email = yield* resets.spend(digest, now)
        const known = email === null ? null : yield* users.credentialsByEmail(email)
        if (known === null || known.user.status !== "active") return yield* new PasswordResetInvalid()
        yield* Effect.provideService(
          renewPassword(known.user, { hash, mustChange: false }, now),
          CurrentActor,
          yield* makeUserActor(known.user)
        )
        // The address becomes known here, because login attempts by others may have locked the user out.
        yield* rememberAddress(known.user.email, address)
        return known.user
      })
    )
    yield* clearResetLimit(user.email)
    return user
  })
)

export interface OperatorPassword {
  readonly password: Redacted.Redacted
  /** Whether the user must replace it first. Default: true. False for a password that the user has chosen. */
  readonly isTemporary?: boolean
}

/** Sets a user's password and ends all sessions. The operator verifies the identity of the user. */
export const resetPassword = useCase(
  { name: "identity.resetPassword", access: "operator", audit: "user.password_reset" },
  Effect.fnUntraced(function* ({ id, isTemporary = true, password }: { readonly id: UserId } & OperatorPassword) {
    const user = yield* requireUser(id)
    const { email, name } = user
    const organizations = yield* loadUserOrganizations(id)
    const checked = yield* checkPassword({ password, pointer: "/password", email, name, organizations })
    const hash = yield* (yield* PasswordHasher).hash(checked)
    yield* transact(renewPassword(user, { hash, mustChange: isTemporary }, yield* DateTime.now))
    return (yield* (yield* Users).find(id)) ?? user
  })
)
