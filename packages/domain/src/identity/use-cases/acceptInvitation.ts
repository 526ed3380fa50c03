import { DateTime, Effect, type Redacted } from "effect"
import { record } from "../../audit/index.ts"
import {
  CurrentActor,
  CurrentOrganization,
  nextId,
  Outbox,
  SessionId,
  transact,
  useCase,
  UserId,
  Vault
} from "../../kernel/index.ts"
import { Accounts } from "../Accounts.ts"
import { InvalidCredentials, InvitationInvalid } from "../Errors.ts"
import { Members } from "../Members.ts"
import { userActor } from "../standing.ts"
import { PasswordHasher } from "../PasswordHasher.ts"
import { User } from "../User.ts"
import { Users } from "../Users.ts"
import { beginLoginTry } from "./loginThrottle.ts"

/** What an invited person sends. Who has an account already proves it with its password. */
export interface InvitationAcceptance {
  readonly token: Redacted.Redacted
  readonly name: string
  readonly password: Redacted.Redacted
  readonly address: string
}

/** Makes an invited person a member: with a new account, or with the one they have. */
export const acceptInvitation = useCase(
  "identity.acceptInvitation",
  { access: "public" },
  Effect.fnUntraced(function* (acceptance: InvitationAcceptance) {
    const users = yield* Users
    const members = yield* Members
    const hasher = yield* PasswordHasher
    const accounts = yield* Accounts
    const now = yield* DateTime.now
    const digest = yield* (yield* Vault).digest(acceptance.token)
    const invitation = yield* accounts.openInvitation(digest, now)
    if (invitation === null) return yield* new InvitationInvalid()

    const known = yield* users.credentialsByEmail(invitation.email)
    if (known !== null) {
      const attempted = yield* beginLoginTry(invitation.email, acceptance.address)
      const verdict = yield* attempted.check(hasher.verify(acceptance.password, known.passwordHash))
      if (!verdict.fits || known.user.status !== "active") return yield* new InvalidCredentials()
      yield* attempted.succeeded
    }
    const newcomer =
      known === null
        ? {
            user: new User({
              id: yield* nextId(UserId),
              email: invitation.email,
              name: acceptance.name,
              avatarUrl: null,
              status: "active",
              createdAt: now
            }),
            hash: yield* hasher.hash(acceptance.password)
          }
        : null
    const user = known?.user ?? newcomer?.user
    if (user === undefined) return yield* new InvitationInvalid()
    const actor = userActor(user.id, yield* nextId(SessionId))

    const member = yield* transact(
      Effect.gen(function* () {
        if (newcomer !== null) yield* users.insert(newcomer.user, newcomer.hash)
        const joined = yield* members.join(invitation.memberId, user.id, now)
        yield* record("member.joined", { kind: "member", id: joined.id }, { after: { email: joined.email } })
        yield* (yield* Outbox).append({ type: "member.joined", memberId: joined.id, role: joined.role })
        return joined
      })
    ).pipe(
      Effect.provideService(CurrentOrganization, { id: invitation.organizationId }),
      Effect.provideService(CurrentActor, actor),
      // Somebody was faster: the invitation is spent, or the account exists by now.
      Effect.catchTags({
        NotFound: () => Effect.fail(new InvitationInvalid()),
        EmailTaken: () => Effect.fail(new InvitationInvalid())
      })
    )
    return { user, member, organizationId: invitation.organizationId }
  })
)
