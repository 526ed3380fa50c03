import { Clock, Layer } from "effect"

/** Connections live in real time, also where a program, or a test, has a clock of its own. */
export const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())
