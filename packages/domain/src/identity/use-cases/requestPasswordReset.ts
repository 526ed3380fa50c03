import { DateTime, Duration, Effect } from "effect"
import { Ids, transact, useCase, Vault } from "../../kernel/index.ts"
import { MailerAbsent, MailSettings, queueMail } from "../../mail/index.ts"
import { passwordResetLetter, passwordResetUrl } from "../mailing/letters.ts"
import { limitResetsFrom, mayMailReset } from "../mailing/mailLimits.ts"
import { PasswordResets } from "../PasswordResets.ts"

/** How long a link to a new password is good. */
export const passwordResetLife = Duration.minutes(60)

/** Makes a one-time link to a new password for whoever has the mailbox. */
export const makeResetLink = Effect.fnUntraced(function* (email: string) {
  const token = yield* (yield* Ids).secret(32)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, passwordResetLife)
  yield* (yield* PasswordResets).insert(yield* (yield* Vault).digest(token), email, expiresAt)
  const { publicUrl } = yield* MailSettings
  return { token, url: passwordResetUrl(publicUrl, token), expiresAt }
})

/** Who has forgotten their password, and from where they say so. */
export interface ForgottenPassword {
  readonly email: string
  readonly address: string
}

/**
 * Mails a one-time link to a new password. Whether there is a user with this address is found out when the mail is sent:
 * the answer, and the time it takes, is the same for everybody.
 */
export const requestPasswordReset = useCase(
  "identity.requestPasswordReset",
  { access: "public" },
  Effect.fnUntraced(function* ({ address, email }: ForgottenPassword) {
    const { sendsMail } = yield* MailSettings
    if (!sendsMail) return yield* new MailerAbsent()
    yield* limitResetsFrom(address)
    if (!(yield* mayMailReset(email))) return
    yield* transact(
      Effect.gen(function* () {
        const { expiresAt, url } = yield* makeResetLink(email)
        yield* queueMail(email, passwordResetLetter(url), { audience: "users", expiresAt, sentBy: null })
      })
    )
  })
)
