import { Context, type DateTime, type Effect } from "effect"
import type { Transaction, UserId } from "../../kernel/index.ts"
import type { EmailTaken } from "./Errors.ts"
import type { User, UserStatus } from "./User.ts"

/** A user and the hash that the password is tried against. */
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

/** Which users an operator reads: newest last, after this id. */
export interface UserSlice {
  readonly limit: number
  readonly after: UserId | null
}

/** People, who stand above organizations: the one part of identity that belongs to no tenant. */
export class Users extends Context.Service<
  Users,
  {
    readonly find: (id: UserId) => Effect.Effect<User | null>
    readonly credentialsByEmail: (email: string) => Effect.Effect<Credentials | null>
    readonly credentialsById: (id: UserId) => Effect.Effect<Credentials | null>
    /** As `credentialsById`; they stay as they are until this unit of work ends. */
    readonly lockCredentials: (id: UserId) => Effect.Effect<Credentials | null, never, Transaction>
    readonly list: (slice: UserSlice) => Effect.Effect<ReadonlyArray<User>>
    readonly insert: (user: User, password: NewPasswordHash) => Effect.Effect<void, EmailTaken, Transaction>
    readonly rename: (id: UserId, name: string) => Effect.Effect<void, never, Transaction>
    readonly setStatus: (id: UserId, status: UserStatus) => Effect.Effect<void, never, Transaction>
    readonly setPassword: (id: UserId, password: NewPasswordHash) => Effect.Effect<void, never, Transaction>
    /** Stores a new hash of the same password. */
    readonly setPasswordHash: (id: UserId, hash: string) => Effect.Effect<void, never, Transaction>
    readonly requirePasswordChange: (id: UserId) => Effect.Effect<void, never, Transaction>
    /** Notes since when the mailbox is the person's; what was noted before stays. */
    readonly verifyEmail: (id: UserId, at: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }
>()("@parley/domain/platform/identity/Users") {}
