import { DateTime, Duration } from "effect"

/** For how long what is queued waits for a number that was removed: for as long as an answer may go out at all. */
const sendsWait = Duration.days(1)

/** Until when what is queued waits for a number that was removed then. */
export const sendsWaitUntil = (removedAt: DateTime.Utc): DateTime.Utc => DateTime.addDuration(removedAt, sendsWait)
