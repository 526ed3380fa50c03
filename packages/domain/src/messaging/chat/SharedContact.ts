import { Schema } from "effect"
import { isCalendarDate, PhoneNumberInput } from "../../crm/index.ts"
import { isStorable } from "../../kernel/index.ts"
import { line, listOf, WebAddress } from "./interactive/parts.ts"

/** Phone number of a shared contact. `waId` is its WhatsApp id, which allows a chat with one tap. */
const SharedPhone = Schema.Struct({
  number: Schema.String,
  type: Schema.optionalKey(Schema.String),
  waId: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "SharedPhone" })

const label = Schema.optionalKey(line(30))
const part = Schema.optionalKey(line(100))

const details = {
  nameParts: Schema.optionalKey(Schema.Struct({ first: part, last: part, middle: part, prefix: part, suffix: part })),
  emails: Schema.optionalKey(
    listOf(
      Schema.Struct({
        email: Schema.String.check(
          isStorable,
          Schema.isPattern(/^[^\s@]+@[^\s@]+$/u, { message: "Expected an e-mail address" }),
          Schema.isMaxCodePoints(254, { message: "Expected at most 254 characters" })
        ),
        type: label
      }),
      1,
      10,
      "e-mail addresses"
    )
  ),
  addresses: Schema.optionalKey(
    listOf(
      Schema.Struct({
        street: part,
        city: part,
        state: part,
        zip: part,
        country: part,
        countryCode: part,
        type: label
      }),
      1,
      10,
      "addresses"
    )
  ),
  organization: Schema.optionalKey(Schema.Struct({ company: part, department: part, title: part })),
  urls: Schema.optionalKey(listOf(Schema.Struct({ url: WebAddress, type: label }), 1, 10, "addresses")),
  birthday: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((text: string) => isCalendarDate(text) || "Expected a date such as 1999-01-23")
    )
  )
}

const sharedContact = Schema.Struct({
  name: Schema.String,
  phones: Schema.Array(Schema.Union([Schema.String, SharedPhone])),
  ...details
}).annotate({ identifier: "SharedContact" })

type SharedContactFields = typeof sharedContact.Type

// A named interface keeps the declarations of all types that contain a contact short.
export interface SharedContact extends SharedContactFields {}

/** Person shared in a message. */
export const SharedContact: Schema.Codec<SharedContact> = sharedContact

/** Returns the number of a phone in either form. */
export const sharedNumber = (phone: SharedContact["phones"][number]): string =>
  typeof phone === "string" ? phone : phone.number

const NewSharedPhone = Schema.Union([
  PhoneNumberInput,
  Schema.Struct({
    number: PhoneNumberInput,
    type: label,
    waId: Schema.optionalKey(
      Schema.String.check(Schema.isPattern(/^\d{5,20}$/u, { message: "Expected 5 to 20 digits" }))
    )
  })
])

const newSharedContact = Schema.Struct({
  name: line(200),
  phones: listOf(NewSharedPhone, 0, 10, "phone numbers").check(
    Schema.makeFilter((phones: SharedContact["phones"]) => {
      const numbers = phones.map(sharedNumber)
      return new Set(numbers).size === numbers.length || "Expected each phone number once"
    })
  ),
  ...details
})

type NewSharedContactFields = typeof newSharedContact.Type

export interface NewSharedContact extends NewSharedContactFields {}

/** People to share, each with a name and at least one phone number. */
export const NewSharedContacts: Schema.Codec<ReadonlyArray<NewSharedContact>, ReadonlyArray<SharedContact>> = listOf(
  newSharedContact,
  1,
  257,
  "contacts"
)
