import { readHosts } from "@parley/postgres-adapter/hosts"
import { Option, Schema, SchemaTransformation } from "effect"

/** Configurable value with an environment variable and an optional flag. */
export interface Setting<A> {
  readonly variable: string
  readonly flag: string | null
  readonly about: string
  /** Description of valid values for error messages. */
  readonly expected: string
  readonly schema: Schema.ConstraintCodec<NonNullable<A>, string>
  /** Default value and its display text. */
  readonly fallback: { readonly value: A; readonly shown: string }
  /** Whether output hides the value. */
  readonly secret: boolean
}

/** Variable that names the file of a secret. Other settings have none. */
export const fileVariableOf = ({ secret, variable }: Pick<Setting<unknown>, "secret" | "variable">) =>
  secret ? `${variable}_FILE` : null

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

/** Web URL without a trailing slash. */
export const HttpUrl = Schema.String.check(Schema.makeFilter(isHttpUrl)).pipe(
  Schema.decode(
    SchemaTransformation.transform({ decode: (text: string) => text.replace(/\/+$/, ""), encode: (text) => text })
  )
)

const printable = /^[\x21-\x7e]{1,1000}$/

/** One secret, or two separated by a comma during a rotation. */
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

export const Secret = Schema.RedactedFromValue(Schema.String.check(Schema.isPattern(printable)))

/** A random secret. */
export const LongSecret = Schema.RedactedFromValue(
  Schema.String.check(Schema.isPattern(printable), Schema.isMinLength(16))
)

/** URL of a PostgreSQL database on one or several servers. */
export const DatabaseUrl = Schema.String.check(
  Schema.makeFilter((text: string) => Option.isSome(readHosts(text)))
).pipe(Schema.RedactedFromValue)

const isSmtpUrl = (text: string) =>
  /^smtps?:\/\/./.test(text) && URL.canParse(text) && new URL(text).search === "" && new URL(text).hash === ""

/** URL of a mail server. */
export const SmtpUrl = Schema.String.check(Schema.makeFilter(isSmtpUrl)).pipe(Schema.RedactedFromValue)

/** E-mail address, or a name followed by an address in angle brackets. */
export const MailFrom = Schema.String.check(
  Schema.isPattern(/^(?:[^\s<>@]+@[^\s<>@]+|[^<>@\p{Cc}]{1,100}<[^\s<>@]+@[^\s<>@]+>)$/u)
)

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text

/** Comma-separated texts. */
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

/** Comma-separated browser origins. */
export const Origins = listOf(Schema.String.check(Schema.makeFilter(isOrigin)))

/** Comma-separated permissions that the service requests from shops. */
export const Scopes = listOf(Schema.String.check(Schema.isPattern(/^(?:read|write)_[a-z_]{1,60}$/)))
