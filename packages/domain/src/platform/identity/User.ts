import { Schema } from "effect"
import { Timestamp, UserId } from "../../kernel/index.ts"
import { Email, Name } from "./Text.ts"

/** Whether the person may sign in. */
export const UserStatus = Schema.Literals(["active", "disabled"])
export type UserStatus = typeof UserStatus.Type

/** A person. The membership, not the user, carries the role. */
export class User extends Schema.Class<User>("User")({
  id: UserId,
  email: Email,
  name: Name,
  avatarUrl: Schema.NullOr(Schema.String),
  status: UserStatus,
  /**
   * Since when the mailbox is known to be the person's: a link in a mail was used, or an operator vouched for it. `null`
   * while the account could be anybody's who had a link.
   */
  emailVerifiedAt: Schema.NullOr(Timestamp),
  createdAt: Timestamp
}) {}

/** A password as it is set: 8 to 256 characters. */
export const NewPassword = Schema.String.check(
  Schema.isMinCodePoints(8, { message: "Expected at least 8 characters" }),
  Schema.isMaxCodePoints(256, { message: "Expected at most 256 characters" })
).pipe(Schema.RedactedFromValue)

/** A password as it is tried: anything that could be one. */
export const TriedPassword = Schema.String.check(
  Schema.isMaxCodePoints(1024, { message: "Expected at most 1024 characters" })
).pipe(Schema.RedactedFromValue)
