import { Duration } from "effect"

/** How often changes are read of which the shop has told nothing. */
export const passEvery = Duration.minutes(10)
