import { readHosts } from "@parley/postgres-adapter/hosts"
import { Option, Schema, SchemaTransformation } from "effect"

/** One value that can be configured: by its variable in the environment, and by its flag where it has one. */
export interface Setting<A> {
  readonly variable: string
  readonly flag: string | null
  readonly about: string
  /** What a value must be, in the words of a complaint. */
  readonly expected: string
  readonly schema: Schema.ConstraintCodec<NonNullable<A>, string>
  /** What holds when nobody says anything, and how it is shown. */
  readonly fallback: { readonly value: A; readonly shown: string }
  /** Whether its value is kept out of everything that is printed. */
  readonly secret: boolean
}

/** A whole number between two bounds. */
export const wholeNumber = (minimum: number, maximum: number) => {
  const message = `Expected a whole number from ${minimum} to ${maximum}`
  return Schema.String.check(Schema.isPattern(/^\d{1,15}$/, { message })).pipe(
    Schema.decodeTo(
      Schema.Int.check(Schema.isBetween({ minimum, maximum }, { message })),
      SchemaTransformation.transform({ decode: Number, encode: String })
    )
  )
}

const isHttpUrl = (text: string) =>
  URL.canParse(text) && /^https?:\/\//.test(text) && new URL(text).search === "" && new URL(text).hash === ""

/** An address on the web, without a slash at its end. */
export const HttpUrl = Schema.String.check(Schema.makeFilter(isHttpUrl)).pipe(
  Schema.decode(
    SchemaTransformation.transform({ decode: (text: string) => text.replace(/\/+$/, ""), encode: (text) => text })
  )
)

const printable = /^[\x21-\x7e]{1,1000}$/

/** One secret, or two with a comma between while one takes the place of the other. */
export const Secrets = Schema.String.check(
  Schema.makeFilter((text: string) => {
    const parts = text.split(",")
    return parts.length <= 2 && parts.every((part) => printable.test(part))
  })
).pipe(
  Schema.decodeTo(
    Schema.Array(Schema.RedactedFromValue(Schema.String)),
    SchemaTransformation.transform<ReadonlyArray<string>, string>({
      decode: (text) => text.split(","),
      encode: (parts) => parts.join(",")
    })
  )
)

/** One secret. */
export const Secret = Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(printable)))

/** A random secret. */
export const LongSecret = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(printable), Schema.isMinLength(16))
)

/** The address of a PostgreSQL database, on one server or several. */
export const DatabaseUrl = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(readHosts(text)))
).pipe(Schema.RedactedFromValue)

const isSmtpUrl = (text: string) =>
  /^smtps?:\/\/./.test(text) && URL.canParse(text) && new URL(text).search === "" && new URL(text).hash === ""

/** The address of a mail server. */
export const SmtpUrl = Schema.String.check(Schema.makeFilter(isSmtpUrl)).pipe(Schema.RedactedFromValue)

/** An e-mail address, or a name and one in angle brackets. */
export const MailFrom = Schema.String.check(
  Schema.isPattern(/^(?:[^\s<>@]+@[^\s<>@]+|[^<>@\p{Cc}]{1,100}<[^\s<>@]+@[^\s<>@]+>)$/u)
)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

/** Several texts with commas between. */
const listOf = (item: Schema.String) =>
  Schema.String.pipe(
    Schema.decodeTo(
      Schema.Array(item),
      SchemaTransformation.transform<ReadonlyArray<string>, string>({
        decode: (text) =>
          text
            .split(",")
            .map((part) => part.trim())
            .filter((part) => part !== ""),
        encode: (items) => items.join(",")
      })
    )
  )

/** Origins of browsers, with commas between. */
export const Origins = listOf(Schema.String.check(Schema.makeFilter(isOrigin)))

/** What shops are asked to agree to, with commas between. */
export const Scopes = listOf(Schema.String.check(Schema.isPattern(/^(?:read|write)_[a-z_]{1,60}$/)))
