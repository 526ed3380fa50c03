import { Duration, Schema } from "effect"
import { SessionId, Timestamp, UserId } from "../../kernel/index.ts"

/** How long an access token is good for. */
export const accessTokenLife = Duration.minutes(15)

/** How long a session can be refreshed without a new login. */
export const sessionLife = Duration.days(30)

/** How long after its exchange a refresh token may come again, from a call that lost the race, without alarm. */
export const refreshGrace = Duration.seconds(10)

/** A login, which lives from refresh to refresh until it ends, expires or is revoked. */
export class Session extends Schema.Class<Session>("Session")({
  id: SessionId,
  userId: UserId,
  createdAt: Timestamp,
  expiresAt: Timestamp
}) {}
