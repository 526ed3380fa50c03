import { Context, DateTime, Duration, Effect } from "effect"
import { CurrentActor, Ids, nextId, SessionId, type Transaction, Vault } from "../../../kernel/index.ts"
import { MailSettings } from "../../mail/index.ts"
import { rememberOnlyAddress } from "../KnownAddresses.ts"
import { Sessions } from "../Session.ts"
import { type NewPasswordHash, type User, Users } from "../User.ts"
import { recordUserAudit, userActor } from "../authorization.ts"
import { passwordResetUrl } from "../emailTemplates.ts"

/**
 * One-time links for a new password. The store has only the digest of the token, and the mailbox with or without a user. The time of a request
 * therefore does not reveal whether the user exists.
 */
export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /** Stores the link of the mailbox. It replaces the earlier link, so a mailbox has at most one. */
    readonly replace: (
      digest: string,
      email: string,
      expiresAt: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Mailbox of a valid link; `null` for a spent, expired or unknown one. */
    readonly find: (digest: string, now: DateTime.Utc) => Effect.Effect<string | null>
    /** Like `find`, and ends the link. Of several concurrent calls, one succeeds. */
    readonly spend: (digest: string, now: DateTime.Utc) => Effect.Effect<string | null, never, Transaction>
    /** Ends the link of the mailbox. */
    readonly withdraw: (email: string) => Effect.Effect<void, never, Transaction>
    /** Deletes expired links and returns the count. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/PasswordResets") {}

/** Lifetime of a reset link. */
const passwordResetLifetime = Duration.minutes(60)

/** Creates the one-time reset link of a mailbox. It ends the earlier link. */
export const makeResetLink = Effect.fnUntraced(function* (email: string) {
  const token = yield* (yield* Ids).secret(32)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, passwordResetLifetime)
  yield* (yield* PasswordResets).replace(yield* (yield* Vault).digest(token), email, expiresAt)
  const { publicUrl } = yield* MailSettings
  return { token, url: passwordResetUrl(publicUrl, token), expiresAt }
})

/**
 * Gives the account to the owner of its mailbox: a new password, without the earlier sessions and the link. The memberships stay, and only the new
 * password gives access to them.
 */
export const renewPassword = Effect.fnUntraced(function* (user: User, password: NewPasswordHash, now: DateTime.Utc) {
  const users = yield* Users
  // The hash first: a login that has checked the former password either ends before this and is revoked, or sees it.
  yield* users.setPassword(user.id, password)
  yield* rememberOnlyAddress(user.email, null)
  yield* (yield* Sessions).revokeAllOf(user.id, null, now)
  yield* (yield* PasswordResets).withdraw(user.email)
  yield* recordUserAudit(user.id, "user.password_reset")
  if (user.emailVerifiedAt !== null) return
  yield* users.verifyEmail(user.id, now)
  yield* recordUserAudit(user.id, "user.email_verified")
})

/** Makes the user the actor of a request without an authenticated actor. */
export const makeUserActor = Effect.fnUntraced(function* (user: User) {
  return CurrentActor.of(userActor(user.id, yield* nextId(SessionId)))
})
