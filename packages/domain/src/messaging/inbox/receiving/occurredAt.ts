import { DateTime } from "effect"
import type { PersonalEvent } from "./PersonalEvent.ts"

/** The time of an event, which is never after the arrival of its delivery. */
export const occurredAt = ({ arrival, at }: PersonalEvent): DateTime.Utc => DateTime.min(at, arrival.at)
