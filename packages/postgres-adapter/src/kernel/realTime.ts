import { Clock, Layer } from "effect"

/** Connections use real time, even if a program or a test has its own clock. */
export const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())
