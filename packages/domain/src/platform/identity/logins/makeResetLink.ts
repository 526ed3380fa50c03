import { DateTime, Duration, Effect } from "effect"
import { Ids, Vault } from "../../../kernel/index.ts"
import { MailSettings } from "../../mail/index.ts"
import { passwordResetUrl } from "../mailing/letters.ts"
import { PasswordResets } from "../PasswordResets.ts"

/** How long a link to a new password is good. */
const passwordResetLife = Duration.minutes(60)

/** Makes a one-time link to a new password for whoever has the mailbox. */
export const makeResetLink = Effect.fnUntraced(function* (email: string) {
  const token = yield* (yield* Ids).secret(32)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, passwordResetLife)
  yield* (yield* PasswordResets).insert(yield* (yield* Vault).digest(token), email, expiresAt)
  const { publicUrl } = yield* MailSettings
  return { token, url: passwordResetUrl(publicUrl, token), expiresAt }
})
