import { Redacted } from "effect"

/** Returns a PIN in the form of a response; `null` without one. */
export const shownPin = (pin: Redacted.Redacted | null): string | null => (pin === null ? null : Redacted.value(pin))
