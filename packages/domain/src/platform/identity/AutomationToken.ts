import { Duration, Schema } from "effect"
import { AutomationTokenId, Permission, Timestamp, UserId } from "../../kernel/index.ts"
import { Name } from "./Text.ts"

/** The longest that an automation token can live. */
export const longestTokenLife = Duration.days(366)

/** A token for a program: bound to one organization, some permissions and an expiry. The token itself is never stored. */
export class AutomationToken extends Schema.Class<AutomationToken>("AutomationToken")({
  id: AutomationTokenId,
  name: Name,
  permissions: Schema.Array(Permission),
  createdBy: UserId,
  /** The person who answers for it: the issuer, until an owner adopts it. */
  responsibleUserId: UserId,
  createdAt: Timestamp,
  adoptedAt: Schema.NullOr(Timestamp),
  expiresAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp),
  revokedAt: Schema.NullOr(Timestamp)
}) {}

/** What a new automation token may do, and until when. */
export const NewAutomationToken = Schema.Struct({
  name: Name,
  permissions: Schema.NonEmptyArray(Permission).check(
    Schema.isMaxLength(64, { message: "Expected at most 64 permissions" })
  ),
  expiresAt: Timestamp
}).annotate({ identifier: "NewAutomationToken" })
export type NewAutomationToken = typeof NewAutomationToken.Type
