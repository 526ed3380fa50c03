import { Context, DateTime, Duration, Effect } from "effect"
import { CurrentActor, Ids, nextId, SessionId, type Transaction, Vault } from "../../../kernel/index.ts"
import { MailSettings } from "../../mail/index.ts"
import { rememberOnlyAddress } from "../KnownAddresses.ts"
import { Sessions } from "../Session.ts"
import { type NewPasswordHash, type User, Users } from "../User.ts"
import { recordUserAudit, userActor } from "../authorization.ts"
import { passwordResetUrl } from "../emailTemplates.ts"

/**
 * One-time links to a new password. A link is known by the digest of its token only, and belongs to a mailbox, whether
 * there is a user with that address or not: who asks for one learns nothing from how long that takes.
 */
export class PasswordResets extends Context.Service<
  PasswordResets,
  {
    /** Links that were made before stay good. */
    readonly insert: (digest: string, email: string, expiresAt: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** The mailbox of a link that is good; `null` when it is spent, expired or unknown. */
    readonly find: (digest: string, now: DateTime.Utc) => Effect.Effect<string | null>
    /** As `find`, and it spends every link of the mailbox. Of many at once, also with several links, one succeeds. */
    readonly spend: (digest: string, now: DateTime.Utc) => Effect.Effect<string | null, never, Transaction>
    /** Makes every link of the mailbox worthless. */
    readonly withdraw: (email: string) => Effect.Effect<void, never, Transaction>
    /** Deletes links that have expired; says how many. */
    readonly sweep: Effect.Effect<number>
  }
>()("@parley/domain/platform/identity/PasswordResets") {}

/** How long a link to a new password is good. */
const passwordResetLifetime = Duration.minutes(60)

/** Makes a one-time link to a new password for whoever has the mailbox. */
export const makeResetLink = Effect.fnUntraced(function* (email: string) {
  const token = yield* (yield* Ids).secret(32)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, passwordResetLifetime)
  yield* (yield* PasswordResets).insert(yield* (yield* Vault).digest(token), email, expiresAt)
  const { publicUrl } = yield* MailSettings
  return { token, url: passwordResetUrl(publicUrl, token), expiresAt }
})

/**
 * Gives the account to whoever has its mailbox: a new password, no session and no link from before. Organizations that
 * the account has joined stay; from now on only the new password acts in them.
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

/** The user as the actor, where no edge has said so. */
export const makeUserActor = Effect.fnUntraced(function* (user: User) {
  return CurrentActor.of(userActor(user.id, yield* nextId(SessionId)))
})
