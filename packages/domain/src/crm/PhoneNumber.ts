import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from "libphonenumber-js/max"

/** Phone number in E.164, in the notation that is dialled today. */
export const PhoneNumber = Schema.String.check(
  Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a phone number such as +491701234567" })
)
export type PhoneNumber = typeof PhoneNumber.Type

const isPhoneNumber = Schema.is(PhoneNumber)

/** ISO 3166 country code, for numbers without their country code. */
export const Country = Schema.String.check(
  Schema.makeFilter((code: string) => isSupportedCountry(code) || "Expected a country code such as DE")
)
const isCountry = (code: string): code is CountryCode => isSupportedCountry(code)

/** Converts numbers from before a numbering reform to their current notation. */
const toCurrentNumbering = (number: string): string =>
  number.replace(/^\+55(\d{2})([6-9]\d{7})$/u, "+55$19$2").replace(/^\+521(\d{10})$/u, "+52$1")

const parse = (text: string, country: string | null) =>
  parsePhoneNumberFromString(text, {
    extract: false,
    ...(country !== null && isCountry(country) && { defaultCountry: country })
  })

/** Parses a phone number as people write it; `null` if invalid. Without a country, the number must have its country code. */
export const parsePhoneNumber = (text: string, country: string | null = null): PhoneNumber | null => {
  const written = parse(text.trim(), country)
  if (written === undefined || written.ext !== undefined) return null
  const number = toCurrentNumbering(written.number)
  if (number === written.number) return written.isValid() ? number : null
  return parse(number, null)?.isValid() === true ? number : null
}

/**
 * Parses a number in the display form of a phone provider, such as `+1 555-078-3881` or `15550783881`; `null` if unreadable. Accepts numbers
 * outside all numbering plans, because providers assign such numbers for tests.
 */
export const parseProviderNumber = (text: string): PhoneNumber | null => {
  const written = text.trim()
  const number = parse(written.startsWith("+") ? written : `+${written}`, null)
  if (number === undefined || number.ext !== undefined) return null
  const found = toCurrentNumbering(number.number)
  return isPhoneNumber(found) && parse(found, null)?.isPossible() === true ? found : null
}

/** Returns the calling code of a number's country, such as 49; `null` if the number is in no numbering plan. */
export const callingCodeOf = (phone: PhoneNumber): string | null => parse(phone, null)?.countryCallingCode ?? null

/**
 * Parses a phone number in a search: without plus, with 00 or (0), or a number that only a provider knows. Returns `null` if it is no number. The
 * country completes a national number.
 */
export const guessPhoneNumber = (text: string, country: string | null): PhoneNumber | null => {
  const written = text.replace(/\(0\)/u, "").trim()
  const national = country === null ? null : parsePhoneNumber(written, country)
  if (national !== null) return national
  const international = written.replace(/^00/u, "+").replace(/^(?=\d)/u, "+")
  return parsePhoneNumber(international) ?? parseProviderNumber(international)
}

/** Returns the ISO 3166 code of a number's country; `null` if the number alone does not decide it. */
export const phoneCountry = (number: string): string | null => {
  const written = parse(number, null)
  if (written === undefined) return null
  const [only, ...others] = written.getPossibleCountries()
  return written.country ?? (others.length === 0 ? (only ?? null) : null)
}

/** Returns the key that all notations of a number share. It ignores Brazil's ninth digit and Argentina's 9. */
export const phoneSearchKey = (number: string): string =>
  number.replace(/^\+55(\d{2})9([6-9]\d{7})$/u, "+55$1$2").replace(/^\+549(\d{10})$/u, "+54$1")

const expectedPhoneNumber = "Expected a phone number with its country code, such as +49 170 1234567"

/** Phone number as people write it, with country code. */
export const PhoneNumberInput = Schema.String.check(
  Schema.isMaxCodePoints(64, { message: "Expected at most 64 characters" })
).pipe(
  Schema.decodeTo(PhoneNumber, {
    decode: SchemaGetter.transformEffect((text: string, options) => {
      const number = parsePhoneNumber(text)
      return number === null
        ? Effect.fail(new SchemaIssue.InvalidValue({ message: expectedPhoneNumber }, text, options))
        : Effect.succeed(number)
    }),
    encode: SchemaGetter.passthrough()
  }),
  Schema.annotateEncoded({
    description: "A phone number with its country code. Spaces, brackets and dashes are ignored."
  })
)
