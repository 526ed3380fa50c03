import { DateTime } from "effect"
import type { PersonalEvent } from "./PersonalEvent.ts"

/** When it was: no time that a provider tells lies after the delivery that tells it, whenever that is applied. */
export const pastOf = ({ arrival, at }: PersonalEvent): DateTime.Utc => DateTime.min(at, arrival.at)
