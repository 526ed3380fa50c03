import { Duration } from "effect"

/** How long carts that have ended are kept. */
export const closedCartsKept = Duration.days(90)
