import { DateTime, Effect, type Redacted } from "effect"
import { CurrentActor, transact, useCase, Vault } from "../../../kernel/index.ts"
import { PasswordResetInvalid } from "../Errors.ts"
import { forgiveResets } from "../mailing/mailLimits.ts"
import { checkPassword } from "../passwords/CheckedPassword.ts"
import { organizationsOf } from "../passwords/organizationsOf.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { PasswordResets } from "../PasswordResets.ts"
import { Users } from "../Users.ts"
import { noteAddress } from "../logins/knownOrigins.ts"
import { actingAs, renewPassword } from "../logins/renewPassword.ts"

/** The token of a link to a new password, and that password. */
export interface NewPasswordByLink {
  readonly token: Redacted.Redacted
  readonly password: Redacted.Redacted
  readonly address: string
}

/** Sets the password of whoever has the mailbox that the link went to, ends every session, and spends the link. */
export const setPasswordByLink = useCase(
  "identity.setPasswordByLink",
  { access: "public" },
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
      organizations: owner === null ? [] : yield* organizationsOf(owner.user.id)
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
          yield* actingAs(known.user)
        )
        // Whoever was kept out while strangers tried passwords is heard from here now.
        yield* noteAddress(known.user.email, address)
        return known.user
      })
    )
    yield* forgiveResets(user.email)
    return user
  })
)
