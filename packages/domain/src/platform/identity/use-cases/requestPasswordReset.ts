import { Effect } from "effect"
import { transact, useCase } from "../../../kernel/index.ts"
import { MailerAbsent, MailSettings, queueMail } from "../../mail/index.ts"
import { passwordResetLetter } from "../mailing/letters.ts"
import { limitResetsFrom, mayMailReset } from "../mailing/mailLimits.ts"
import { makeResetLink } from "../logins/makeResetLink.ts"

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
