import { Duration } from "effect"

/** For how long a list of recipients is kept that no broadcast is scheduled or sent with. */
export const snapshotKept = Duration.hours(24)
