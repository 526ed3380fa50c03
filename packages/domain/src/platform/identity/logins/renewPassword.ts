import { type DateTime, Effect } from "effect"
import { CurrentActor, nextId, SessionId } from "../../../kernel/index.ts"
import { PasswordResets } from "../PasswordResets.ts"
import { Sessions } from "../Sessions.ts"
import { userActor } from "../admission.ts"
import type { User } from "../User.ts"
import { type NewPasswordHash, Users } from "../Users.ts"
import { noteOnly } from "./knownOrigins.ts"
import { recordOnUser } from "../userAudit.ts"

/**
 * Gives the account to whoever has its mailbox: a new password, no session and no link from before. Organizations that
 * the account has joined stay; from now on only the new password acts in them.
 */
export const renewPassword = Effect.fnUntraced(function* (user: User, password: NewPasswordHash, now: DateTime.Utc) {
  const users = yield* Users
  // The hash first: a login that has checked the former password either ends before this and is revoked, or sees it.
  yield* users.setPassword(user.id, password)
  yield* noteOnly(user.email, null)
  yield* (yield* Sessions).revokeAllOf(user.id, null, now)
  yield* (yield* PasswordResets).withdraw(user.email)
  yield* recordOnUser(user.id, "user.password_reset")
  if (user.emailVerifiedAt !== null) return
  yield* users.verifyEmail(user.id, now)
  yield* recordOnUser(user.id, "user.email_verified")
})

/** The user as the actor, where no edge has said so. */
export const actingAs = Effect.fnUntraced(function* (user: User) {
  return CurrentActor.of(userActor(user.id, yield* nextId(SessionId)))
})
