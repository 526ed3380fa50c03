import { Context, type DateTime, Effect, Schema } from "effect"
import { CurrentActor, NotFound, PermissionDenied, Timestamp, type Transaction, UserId } from "../../kernel/index.ts"
import { EmailAddress, SingleLineText } from "./Text.ts"
import type { EmailTaken } from "./errors.ts"

export const UserStatus = Schema.Literals(["active", "disabled"])
export type UserStatus = typeof UserStatus.Type

/** Person with an account. The membership, not the user, has the role. */
export class User extends Schema.Class<User>("User")({
  id: UserId,
  email: EmailAddress,
  name: SingleLineText,
  avatarUrl: Schema.NullOr(Schema.String),
  status: UserStatus,
  /**
   * Time of the mailbox verification: a link in a mail was used, or an operator vouched for it. `null` while any holder of a link could have created
   * the account.
   */
  emailVerifiedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp
}) {}

/** New password: 8 to 256 characters. */
export const NewPassword = Schema.String.check(
  Schema.isMinCodePoints(8, { message: "Expected at least 8 characters" }),
  Schema.isMaxCodePoints(256, { message: "Expected at most 256 characters" })
).pipe(Schema.RedactedFromValue)

/** Password to verify; any possible password is accepted. */
export const PasswordInput = Schema.String.check(
  Schema.isMaxCodePoints(1024, { message: "Expected at most 1024 characters" })
).pipe(Schema.RedactedFromValue)

/** User with the hash for verification. */
export interface Credentials {
  readonly user: User
  readonly passwordHash: string
  /** Sessions of the user can only change the password. */
  readonly mustChangePassword: boolean
}

/** Hash of a new password, and whether the user must replace the password first. */
export interface NewPasswordHash {
  readonly hash: string
  readonly mustChange: boolean
}

/** Users to read: oldest first, after this id. */
export interface UserSlice {
  readonly limit: number
  readonly after: UserId | null
}

/** Users of all organizations. Not tenant-scoped. */
export class Users extends Context.Service<
  Users,
  {
    readonly find: (id: UserId) => Effect.Effect<User | null>
    readonly credentialsByEmail: (email: string) => Effect.Effect<Credentials | null>
    readonly credentialsById: (id: UserId) => Effect.Effect<Credentials | null>
    /** Like `credentialsById`, and locks the credentials until this unit of work ends. */
    readonly lockCredentials: (id: UserId) => Effect.Effect<Credentials | null, never, Transaction>
    readonly list: (slice: UserSlice) => Effect.Effect<ReadonlyArray<User>>
    readonly insert: (user: User, password: NewPasswordHash) => Effect.Effect<void, EmailTaken, Transaction>
    readonly rename: (id: UserId, name: string) => Effect.Effect<void, never, Transaction>
    readonly setStatus: (id: UserId, status: UserStatus) => Effect.Effect<void, never, Transaction>
    readonly setPassword: (id: UserId, password: NewPasswordHash) => Effect.Effect<void, never, Transaction>
    /** Stores a new hash of the same password. */
    readonly setPasswordHash: (id: UserId, hash: string) => Effect.Effect<void, never, Transaction>
    readonly requirePasswordChange: (id: UserId) => Effect.Effect<void, never, Transaction>
    /** Records the time of the mailbox verification. An earlier time stays. */
    readonly verifyEmail: (id: UserId, at: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }
>()("@parley/domain/platform/identity/Users") {}

/** The current actor as a signed-in user. */
export const currentUserActor = Effect.filterOrFail(
  CurrentActor,
  (actor) => actor.kind === "user",
  () => new PermissionDenied({ permission: "user" })
)

/** Returns the user; a missing user is an error. */
export const requireUser = Effect.fnUntraced(function* (id: Parameters<Users["Service"]["find"]>[0]) {
  const user = yield* (yield* Users).find(id)
  return user === null ? yield* new NotFound({ resource: "user" }) : user
})
