import { DateTime } from "effect"

/** A time as the provider writes it: `2026-04-19T13:59:20+0000`. */
export const timeText = (millis: number): string =>
  DateTime.formatIso(DateTime.makeUnsafe(millis)).replace(/\.\d+Z$/u, "+0000")
