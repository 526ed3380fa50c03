import type { InboundEvent } from "@parley/domain/messaging"
import { DateTime, Option } from "effect"
import { idAt, storableText, textAt } from "../../json.ts"

/** Place of an event in a delivery. */
export interface Place {
  readonly businessId: string
  readonly phoneId: string | null
}

const longestField = 100

/** Unknown event, stored with the name from the provider. */
export const unknownEvent = ({ businessId, phoneId }: Place, ...field: ReadonlyArray<string>): InboundEvent => ({
  kind: "unknown",
  businessId,
  phoneId,
  field: storableText(field.join("."), longestField)
})

const secondsForm = /^\d{1,12}$/u

/** Offsets of some resellers lack a colon. */
const offsetForm = /([+-]\d{2})(\d{2})$/u

/** Reads a time in unix seconds, as a number or a text. */
export const timeAt = (value: unknown, ...path: ReadonlyArray<string>): DateTime.Utc | null => {
  const seconds = idAt(value, ...path)
  return seconds !== null && secondsForm.test(seconds) ? Option.getOrNull(DateTime.make(Number(seconds) * 1_000)) : null
}

/** Reads a time in unix seconds, or in the ISO form that resellers write. */
export const anyTimeAt = (value: unknown, ...path: ReadonlyArray<string>): DateTime.Utc | null =>
  timeAt(value, ...path) ??
  Option.getOrNull(
    Option.map(DateTime.make((textAt(value, ...path) ?? "").replace(offsetForm, "$1:$2")), DateTime.toUtc)
  )

/** Reads a username without its leading `@`. */
export const usernameIn = (username: string | null): string | null => {
  const name = username?.replace(/^@/u, "") ?? ""
  return name === "" ? null : name
}
