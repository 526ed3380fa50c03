import { DateTime, Option, Schema, SchemaTransformation } from "effect"
import { isWellFormed, textPatterns } from "../../kernel/index.ts"

/** Name for people: trimmed, not empty, one line. */
export const SingleLineText = Schema.String.check(
  isWellFormed,
  Schema.isPattern(textPatterns.oneLine, {
    message: "Expected one line of text without spaces at its ends"
  }),
  Schema.isMaxCodePoints(200, { message: "Expected at most 200 characters" })
)

export const MultiLineText = Schema.String.check(
  isWellFormed,
  Schema.isPattern(textPatterns.prose, { message: "Expected text without control characters" })
)

/** Email address in lower case, because case does not distinguish addresses. */
export const EmailAddress = Schema.String.check(
  isWellFormed,
  Schema.isMaxCodePoints(254, { message: "Expected at most 254 characters" }),
  Schema.isPattern(textPatterns.email, {
    message: "Expected an e-mail address"
  })
).annotate({ format: "email" })

/** Email address as entered by people. */
export const EmailAddressInput = Schema.String.pipe(
  Schema.decode(SchemaTransformation.trim()),
  Schema.decodeTo(EmailAddress, SchemaTransformation.toLowerCase()),
  Schema.annotateEncoded({
    format: "email",
    description: "An e-mail address. Case and surrounding spaces are ignored."
  })
)

/** Name of an organization in URLs: lower-case letters, digits and single hyphens. */
export const Slug = Schema.String.check(
  Schema.isPattern(/^[a-z0-9]+(?:-[a-z0-9]+)*$/u, {
    message: "Expected lower-case letters, digits and single hyphens"
  }),
  Schema.isMaxCodePoints(63, { message: "Expected at most 63 characters" })
)

/** BCP 47 language tag. */
export const Locale = Schema.String.check(
  Schema.isPattern(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u, {
    message: "Expected a BCP 47 language tag such as en or pt-BR"
  }),
  Schema.isMaxCodePoints(35, { message: "Expected at most 35 characters" })
)

const isTimezone = (zone: string) => Option.isSome(DateTime.zoneMakeNamed(zone))

/** IANA time zone. */
export const Timezone = Schema.String.check(
  Schema.makeFilter((zone: string) => isTimezone(zone) || "Expected an IANA time zone such as Europe/Berlin")
)
